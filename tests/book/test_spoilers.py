"""With nothing answered, no page says or shows what a prediction asks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coursekit.model import Exercise
from coursekit.predictions import PREDICTION
from coursekit.quiz_text import questions_in
from tests.course import BANK

from .spoilers import findings, said_by

PREDICTIONS = [exercise for id, exercise in BANK.items() if id.startswith(PREDICTION)]
CHAPTERS = sorted({exercise.chapter for exercise in PREDICTIONS})
#: Places that say a key's number and do not give it away: question, what is found, why it may stay.
ALLOWED = [
    ("predict-not-good.share_right", r"0\.76 at 64", "accuracies of another experiment"),
    ("predict-not-good.share_right", r"0\.74 with content", "accuracies of another experiment"),
    ("predict-latent-cache.all_heads", r"32,768 tokens", "there it is a number of tokens"),
    ("predict-mixed-cache.global_mib", r"row of 32 numbers", "there it is the width of a state"),
    (
        "predict-score-memory.scores_mib",
        r"heads? of width 128|^128( ?=|$)| at 128,",
        "a width, a block, tokens",
    ),
    ("predict-reach.first_blind", r"up to 4 phrases|0\.70 at 4", "what a model was trained on"),
    ("predict-translator.shape", r"width 8, 7 keys of width 8", "the numbers of another question"),
    ("predict-run-to-keep.keep", r"^run B: 2\.31 at 1, 0\.70", "the log that the question shows"),
    ("predict-score-spread.spread", r"0\.33 at 16", "there it is a width"),
    ("predict-hidden-key.sum_afterwards", r"^0\.333?$", "weights of three keys with equal scores"),
    ("predict-hard-mean.mean_of_draws", r"^24$", "a number on a figure's axis"),
    ("predict-window.reach_of_8", r"^13$", "the number of a token on a figure's axis"),
]


def is_allowed(question: str, text: str) -> bool:
    return any(name == question and re.search(place, text) for name, place, _ in ALLOWED)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_nothing_on_the_page_gives_a_prediction_away(site: Path, chapter: str) -> None:
    there = [exercise for exercise in PREDICTIONS if exercise.chapter == chapter]
    said = said_by((site / f"{chapter}.html").read_text(encoding="utf-8"))
    found = findings(said, there)
    assert [each for each in found if not is_allowed(each[0], each[2])] == []


(SPREAD,), _ = questions_in("""
## spread (± 0.006)
How wide for 64?
- [x] 0.7758
""")

SAID = """<article><h1>One</h1>
<p>Seen: 0.78.</p><p class="ck-hidden">Hidden: 0.781.</p>
<section data-exercise="predict-it"><p>Its own: 0.775.</p></section>
<div class="cell tag_hide-output"><details>Waits: 0.78.</details></div>
<p class="after-predict-it">Marked: 0.78.</p><section>
<attn-x><template shadowrootmode="open">
<svg role="img" aria-label="Heard: 0.776."><title>Title: 0.777.</title><text>0.779</text></svg>
</template></attn-x>
<details><summary>More</summary>Folded: 0.78.</details>
<table><tr><td>0.77</td><td>0.99</td></tr></table>
<img alt="Alternative: 0.774." src="data:,"><button title="On it: 0.773.">Press</button>
</section></article>"""


def test_all_that_is_seen_or_heard_is_read() -> None:
    asked = Exercise(id="predict-it", chapter="it", title="It", questions=(SPREAD,))
    assert sorted(sentence for _, _, sentence in findings(said_by(SAID), [asked])) == [
        "0.77", "0.779", "Alternative: 0.774.", "Folded: 0.78.", "Heard: 0.776.",
        "On it: 0.773.", "Seen: 0.78.", "Title: 0.777.",
    ]  # fmt: skip
