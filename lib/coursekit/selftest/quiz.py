"""Defects of a quiz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from coursekit.model import Choice, Exercise, FreeText, Numeric, Parsons
from coursekit.running import run_check
from coursekit.selftest.parsons import order_problems


def quiz_problems(quiz: Exercise) -> Iterator[str]:
    """Yield questions without feedback, and mistakes that are not recognised."""
    for question in quiz.questions:
        if isinstance(question, Choice):
            defects = _choice(quiz, question)
        elif isinstance(question, Numeric):
            defects = _numeric(quiz, question)
        elif isinstance(question, Parsons):
            defects = _parsons(quiz, question)
        else:
            defects = _free_text(question)
        yield from (f"question {question.name}: {defect}" for defect in defects)


def _choice(quiz: Exercise, question: Choice) -> Iterator[str]:
    if len(question.options) < 2:
        yield "has one option"
    for key, misconception in question.known_mistakes:
        yield from _recognised(quiz, question.name, key, misconception)


def _numeric(quiz: Exercise, question: Numeric) -> Iterator[str]:
    for id, value in question.mistakes.items():
        if question.is_near(value, question.answer):
            yield f"the mistake {id!r} is within tolerance of the answer"
        else:
            yield from _recognised(quiz, question.name, value, id)
    means = question.picture.means if question.picture and np.ndim(question.answer) == 0 else {}
    for id, parts in means.items():
        value = question.mistakes.get(id, question.answer)
        if not any(part is not None and question.is_near(part, value) for part in parts):
            yield f"the picture of {id!r} lacks its value, {value}"


def _parsons(quiz: Exercise, question: Parsons) -> Iterator[str]:
    yield from order_problems(question)
    for example, misconception in question.known_mistakes:
        yield from _recognised(quiz, question.name, example, misconception)


def _recognised(quiz: Exercise, name: str, value: Any, misconception: str | None) -> Iterator[str]:
    """Grade a wrong answer among right ones: only its check may fail, with its misconception."""
    names = quiz.answers | {name: value}
    for check in quiz.checks:
        result = run_check(check, names, exercise=quiz.id)
        if result.passed != (check.name != name):
            yield f"{value!r} is {'accepted' if result.passed else 'rejected'} by {check.name}"
        elif not result.passed and result.misconception != misconception:
            yield f"{value!r} is reported as {result.misconception!r}, not {misconception!r}"


def _free_text(question: FreeText) -> Iterator[str]:
    if not question.rubric or any(points <= 0 for points, _ in question.rubric):
        yield "needs a rubric in which every line is worth points"
    totals = [example.total for example in question.examples]
    if totals != sorted(set(totals)):
        yield f"has examples worth {totals}; expected each to be better than the one before"
    if totals and totals[-1] < question.points:
        yield f"has a best example worth {totals[-1]:g} of {question.points:g} points; expected all"
