"""With nothing answered, no page says or shows what a prediction asks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from coursekit.model import Exercise
from coursekit.quiz_text import questions_in

from .conftest import settle
from .exercises import BANK
from .spoilers import findings

PREDICTIONS = [exercise for id, exercise in BANK.items() if id.startswith("predict-")]
CHAPTERS = sorted({exercise.chapter for exercise in PREDICTIONS})
#: What is read in every run; the others are heavy.
QUICK = {"motivation", "scores", "transformer", "workshop"}
#: Places that say a key's number and do not give it away: question, what is found, why it may stay.
ALLOWED = [
    ("predict-not-good.share_right", r"0\.76 at 64", "accuracies of another experiment"),
    ("predict-not-good.share_right", r"0\.74 with content", "accuracies of another experiment"),
    ("predict-latent-cache.all_heads", r"32,768 tokens", "there it is a number of tokens"),
    ("predict-mixed-cache.global_mib", r"row of 32 numbers", "there it is the width of a state"),
    ("predict-score-memory.scores_mib", r"heads? of width 128|^128( ?=|$)", "a width, a block"),
    ("predict-reach.first_blind", r"up to 4 phrases|0\.70 at 4", "what a model was trained on"),
    ("predict-translator.shape", r"width 8, 7 keys of width 8", "the numbers of another question"),
    ("predict-run-to-keep.keep", r"^run B: 2\.31 at 1, 0\.70", "the log that the question shows"),
    ("predict-score-spread.spread", r"0\.33 at 16", "there it is a width"),
    ("predict-hidden-key.sum_afterwards", r"^0\.333?$", "weights of three keys with equal scores"),
    ("predict-window.reach_of_8", r"^13$", "the number of a token on a figure's axis"),
]


def is_allowed(question: str, text: str) -> bool:
    return any(name == question and re.search(place, text) for name, place, _ in ALLOWED)


@pytest.mark.parametrize(
    "chapter",
    [pytest.param(c, marks=[] if c in QUICK else pytest.mark.heavy) for c in CHAPTERS],
)
def test_nothing_on_the_page_gives_a_prediction_away(page: Page, chapter: str) -> None:
    page.goto(f"{chapter}.html")
    settle(page)
    there = [exercise for exercise in PREDICTIONS if exercise.chapter == chapter]
    found = [
        each for each in findings(page, chapter, there) if not is_allowed(each.question, each.text)
    ]
    assert not found, "\n" + "\n".join(map(str, found))


(SPREAD,), _ = questions_in("""
## spread (± 0.006)
How wide for 64?
- [x] 0.7758
""")


def asked(question: object) -> Exercise:
    return Exercise(id="predict-it", chapter="it", title="It", questions=(question,))


SAID = """<article><h1>One</h1>
<p>Seen: 0.78.</p><p hidden>Hidden: 0.781.</p>
<section data-exercise="predict-it"><p>Its own: 0.775.</p></section>
<svg role="img" aria-label="Heard: 0.776."><title>Title: 0.777.</title><text>0.779</text></svg>
<details><summary>More</summary>Folded: 0.78.</details>
<h2>Two</h2><table><tr><td>0.77</td><td>0.99</td></tr></table>
<img alt="Alternative: 0.774." src="data:,"><button title="On it: 0.773.">Press</button>
<div class="ck-shut" style="display: none"><details>Shut: 0.78.</details></div></article>"""


def test_all_that_is_seen_or_heard_is_read(page: Page) -> None:
    page.set_content(SAID)
    lines = [str(each) for each in findings(page, "it", [asked(SPREAD)])]
    assert lines == [
        "it · predict-it.spread · text in “One” · Seen: 0.78.",
        "it · predict-it.spread · aria-label in “One” · Heard: 0.776.",
        "it · predict-it.spread · svg title in “One” · Title: 0.777.",
        "it · predict-it.spread · figure in “One” · 0.779",
        "it · predict-it.spread · text in “One” · Folded: 0.78.",
        "it · predict-it.spread · table in “Two” · 0.77",
        "it · predict-it.spread · alt in “Two” · Alternative: 0.774.",
        "it · predict-it.spread · title in “Two” · On it: 0.773.",
    ]
