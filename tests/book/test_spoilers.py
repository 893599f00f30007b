"""With nothing answered, no page says or shows what a prediction asks.

Each right answer of a prediction is a key. Whether a sentence says it is for readers to judge; what
a test can see is

- a number with at least two significant digits, as a page may print it: within the tolerance,
  rounded, with separators of thousands, in percent. One digit, such as 1, 2 or 0.5, is on every
  page for some other reason; so is a number that the question states itself. They count where the
  answer has a unit and that follows;
- several numbers (a shape, an order), one after the other;
- of the right option the words: in one sentence four fifths of those that carry meaning, at least
  five, and four fifths of those among them that the question does not have; and a number that
  neither the question nor another option has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag

from coursekit.model import Choice, Exercise, Numeric
from coursekit.predictions import MARKED, PREDICTION
from coursekit.quiz_text import questions_in
from tests.course import BANK

#: What says something to eyes or ears in one piece; what stands in another one is said by that.
_PIECES = re.compile(
    "^(body|article|aside|nav|footer|section|div|details|summary|h[1-6]|p|[dolu]l|li|d[dt]|table|tr|"
    "t[dh]|pre|figure|(fig)?caption|blockquote|label|button|option|text|title|desc|mtext|mn)$"
)
_SPOKEN = ("aria-label", "aria-description", "alt", "title", "placeholder", "aria-valuetext")
_UNSAID = "script, style, noscript, .ck-hidden, [hidden], head > :not(meta[name=description])"
#: A number as printed: with separators of thousands, a decimal point, a sign of percent.
_NUMBER = re.compile(
    r"(?<![\w.^])(?P<whole>\d{1,3}(?:[,_ \u2009\u202f\xa0]\d{3})+(?!\d)|\d+)(?P<part>\.\d+)?"
    r"(?P<percent>\s?%)?(?![\w^]|\.\d)"
)
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
#: Words that carry no meaning of their own.
_LITTLE = """
a about all also an and any are as at be been but by can do does each else every few for from
had has have here how if in into is it its just more most much nearly no none nor not of on one only
or other others out same so some still such than that the their them then there these they this
those three through to too two very was were what when where which who whom will with without would
yes you
"""
_FEWEST_DIGITS, _FEWEST_WORDS, _MOST = 2, 5, 0.8


@dataclass(frozen=True)
class Key:
    """What gives one question away."""

    exercise: str
    question: str
    numbers: tuple[float, ...] = ()
    tolerance: float = 0.0
    unit: str = ""
    words: frozenset[str] = frozenset()
    beyond: frozenset[str] = frozenset()  # those of the words that the question does not have

    def stands_in(self, text: str) -> str | None:
        """Return the sentence of a text that says it, or None."""
        for sentence in _SENTENCE.split(text):
            if self._is_said(sentence):
                return sentence.strip()
        return None

    def _is_said(self, sentence: str) -> bool:
        if self.words:
            there = stems(sentence)
            parts = (self.words, self.beyond)
            return all(len(part & there) >= _MOST * len(part) for part in parts)
        if len(self.numbers) > 1:
            pattern = r"\D{1,3}".join(f"{number:g}".replace(".", r"\.") for number in self.numbers)
            return re.search(rf"(?<![\d.]){pattern}(?!\.?\d)", sentence) is not None
        return any(
            abs(value - self.numbers[0]) <= max(self.tolerance, rounding) + 1e-9
            and (not self.unit or sentence[end:].lstrip().startswith(self.unit))
            for value, rounding, end in printed(sentence, bool(self.unit))
        )


class Said(NamedTuple):
    """What a page says: where, in which exercise's block if in one, and the words."""

    where: str
    exercise: str
    text: str


def said_by(html: str) -> list[Said]:
    """Return what a page says before anything is answered, with its folds open."""
    # What a figure draws stands in a template, whose texts are not taken for texts.
    page = BeautifulSoup(re.sub(r"(</?)template\b", r"\1div", html), "lxml")
    asked = page.select(f"[data-exercise^={PREDICTION}]")
    for part in [each for block in asked for each in _waiting(block)] + page.select(MARKED):
        part.clear()
    for part in page.select(_UNSAID):
        part.decompose()
    said = [
        _said(element, name, str(element[name]))
        for element in page.find_all(True)
        for name in _SPOKEN
        if element.get(name)
    ]
    said += [_said(each, "description", str(each["content"])) for each in page.select("meta")]
    for element in reversed(page.find_all(_PIECES)):  # the innermost are read and taken out first
        said.append(_said(element, element.name, element.get_text()))
        element.string = " "
    return [each for each in said if each.text]


def _waiting(block: Tag) -> Iterator[Tag]:
    """Yield what ``gate.ts`` shuts below a prediction."""
    has_begun = False
    for element in block.find_next_siblings():
        classes = element.get_attribute_list("class")
        is_figure_s = "ck-exercise" in classes and element.select_one(".ck-explorable")
        if element.name == "section" and not is_figure_s:
            return
        has_begun = has_begun or not {"tag_hide-output", "tag_hide-cell"}.isdisjoint(classes)
        if has_begun:
            yield element


def _said(element: Tag, where: str, text: str) -> Said:
    block = element.find_parent(attrs={"data-exercise": True})
    return Said(where, str(block["data-exercise"]) if block else "", " ".join(text.split()))


def findings(said: Iterable[Said], predictions: Iterable[Exercise]) -> Iterator[tuple[str, ...]]:
    """Yield what is said of predictions outside of their own blocks: question, where, sentence."""
    keys = [key for exercise in predictions for key in keys_of(exercise)]
    for each in said:
        for key in keys:
            sentence = key.stands_in(each.text)
            if sentence is not None and each.exercise != key.exercise:
                yield f"{key.exercise}.{key.question}", each.where, sentence


def keys_of(exercise: Exercise) -> Iterator[Key]:
    """Yield what gives an exercise away, as far as a test can see it."""
    for question in exercise.questions:
        stated = f"{exercise.statement} {getattr(question, 'statement', '')}"
        if isinstance(question, Numeric):
            yield from _of_numbers(exercise.id, question, stated)
        elif isinstance(question, Choice):
            yield from _of_option(exercise.id, question, stated)


def _of_numbers(exercise: str, question: Numeric, stated: str) -> Iterator[Key]:
    numbers = tuple(np.ravel(np.asarray(question.answer, float)).tolist())
    key = Key(exercise, question.name, numbers, float(question.tolerance))
    if len(numbers) > 1:
        yield key
        return
    is_telling = _digits(f"{numbers[0]:.3g}") >= _FEWEST_DIGITS and key.stands_in(stated) is None
    if is_telling or question.unit:
        unit = "" if is_telling else question.unit
        yield Key(exercise, question.name, numbers, float(question.tolerance), unit)


def _of_option(exercise: str, question: Choice, stated: str) -> Iterator[Key]:
    right = question.options[question.answer].text
    others = " ".join(o.text for k, o in question.options.items() if k != question.answer)
    words = frozenset(stems(right))
    if len(words) >= _FEWEST_WORDS and (beyond := words - stems(stated)):
        yield Key(exercise, question.name, words=words, beyond=beyond)
    for value, _, _ in printed(right):
        key = Key(exercise, question.name, (value,))
        if key.stands_in(f"{stated} {others}") is None:
            yield key


def printed(text: str, any_digits: bool = False) -> Iterator[tuple[float, float, int]]:
    """Yield a text's numbers of at least two digits: value, room for rounding, where it ends."""
    for match in _NUMBER.finditer(text):
        digits = re.sub(r"\D", "", match["whole"]) + (match["part"] or "")
        if any_digits or _digits(digits) >= _FEWEST_DIGITS:
            decimals = len(match["part"] or ".") - 1
            scale = 0.01 if match["percent"] else 1.0
            yield float(digits) * scale, 0.5 * 10.0**-decimals * scale, match.end()


def _digits(number: str) -> int:
    """Return how many significant digits a number has; zeros at the end of 24000 are none."""
    bare = number if "." in number else number.rstrip("0")
    return len(re.sub(r"^0+", "", bare.replace(".", "")))


def stems(text: str) -> set[str]:
    """Return the words of a text that carry meaning, without their endings."""
    words = _WORD.findall(text.lower())
    return {
        re.sub(r"(?<=\w{3})(?:ing|ed|es|s|ly|e)$", "", w) for w in words if w not in _LITTLE.split()
    }


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
