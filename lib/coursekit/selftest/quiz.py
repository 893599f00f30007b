"""Defects of a quiz: answers that are told wrongly, and lines whose order gives itself away."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations

import numpy as np

from coursekit._parsons import Parsons, depth_of, occurs
from coursekit.model import AutoGraded, Choice, Exercise, FreeText, Numeric
from coursekit.orders import Order
from coursekit.running import run_check

MIN_LINES = 3
#: Most orders that are assembled to see whether they work; eight lines have 40 320.
MAX_ASSEMBLED = 10_000


def quiz_problems(quiz: Exercise) -> Iterator[str]:
    """Yield the defects of the questions, a sentence each."""
    for question in quiz.questions:
        if isinstance(question, FreeText):
            defects = [*_free_text(question)]
        else:
            defects = [*_mistakes(question)]
        if isinstance(question, Choice) and len(question.options) < 2:
            defects.append("has one option")
        if isinstance(question, Numeric):
            defects += _picture(question)
        if isinstance(question, Parsons):
            defects += order_problems(question)
        yield from (f"question {question.name}: {defect}" for defect in defects)


def _mistakes(question: AutoGraded) -> Iterator[str]:
    """Yield the mistakes that are not rejected, or not for what they are."""
    for value, id in question.known_mistakes:
        verdict = run_check(question.check(), {question.name: value})
        if verdict.passed:
            yield f"the mistake {id!r} is accepted: {value!r} counts as right"
        elif verdict.misconception != id:
            yield f"{value!r} is reported as {verdict.misconception!r}, not {id!r}"


def _picture(question: Numeric) -> Iterator[str]:
    drawn = question.picture.means if question.picture and np.ndim(question.answer) == 0 else {}
    for id, parts in drawn.items():
        value = question.mistakes.get(id, question.answer)
        if not any(part is not None and question.is_near(part, value) for part in parts):
            yield f"the picture of {id!r} lacks its value, {value}"


def _free_text(question: FreeText) -> Iterator[str]:
    if not question.rubric or any(points <= 0 for points, _ in question.rubric):
        yield "needs a rubric in which every line is worth points"
    totals = [example.total for example in question.examples]
    if totals != sorted(set(totals)):
        yield f"has examples worth {totals}; expected each to be better than the one before"
    if totals and totals[-1] < question.points:
        yield f"has a best example worth {totals[-1]:g} of {question.points:g} points; expected all"


def order_problems(question: Parsons) -> Iterator[str]:
    """Yield what would give the answer away, tell a learner wrongly, or reject a right order."""
    usual = question.orders[0]
    if len(usual) < MIN_LINES:
        yield f"has {len(usual)} lines to order; expected at least {MIN_LINES}"
    depths = {entry[-1]: depth_of(entry) for order in question.orders for entry in order}
    shown = tuple(">" * depths[letter] + letter for letter in question.lines if letter in depths)
    if earned := question.credit(shown):
        yield f"the lines as they are shown earn {earned:.0%} of the points; shuffle them"
    for id, pattern in question.mistakes.items():
        for order in question.orders:
            if occurs(pattern, order):
                yield f"the mistake {id!r} is found in the right order {' '.join(order)!r}"
        if question.example(id) is None:
            yield f"no answer is told the mistake {id!r}; one before it fits as well"
    named = {pattern[-1] for pattern in question.mistakes.values() if len(pattern) == 1}
    for letter in question.distractors:
        if letter not in named:
            yield f"the distractor {letter} has no mistake that names it"
    if question.works is not None:
        yield from _run(question)


def _run(question: Parsons) -> Iterator[str]:
    """Yield the declared orders that do not work, and a working one that is not declared."""
    for order in question.orders:
        if not _works(question, order):
            yield f"the right order {' '.join(order)!r} does not work"
    for order in islice(_others(question), MAX_ASSEMBLED):
        if _works(question, order):
            yield f"the order {' '.join(order)!r} works and is not among the right ones"
            return


def _works(question: Parsons, order: Order) -> bool:
    assert question.works is not None
    try:
        return bool(question.works(question.text(order)))
    except Exception:  # most wrong orders do not even run
        return False


def _others(question: Parsons) -> Iterator[Order]:
    """Yield wrong answers: with a distractor in a line's place, then the lines in other orders."""
    usual = question.orders[0]
    for letter in question.distractors:
        for at, entry in enumerate(usual):
            yield (*usual[:at], ">" * depth_of(entry) + letter, *usual[at + 1 :])
    yield from (order for order in permutations(usual) if order not in question.orders)
