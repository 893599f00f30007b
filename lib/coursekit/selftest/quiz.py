"""Find defects of a quiz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coursekit.bank.model import Exercise
from coursekit.bank.running import run_check


def quiz_problems(quiz: Exercise) -> Iterator[str]:
    """Yield what is wrong in a quiz's questions, and the mistakes that are not recognised."""
    for question in quiz.questions:
        yield from (f"question {question.name}: {defect}" for defect in question.defects())
    for question in quiz.auto_graded:
        for value, misconception in question.known_mistakes:
            for defect in _recognised(quiz, question.name, value, misconception):
                yield f"question {question.name}: {defect}"


def _recognised(quiz: Exercise, name: str, value: Any, misconception: str | None) -> Iterator[str]:
    """Grade a wrong answer among right ones: only its check may fail, with its misconception."""
    names = quiz.answers | {name: value}
    for check in quiz.checks:
        result = run_check(check, names, exercise=quiz.id)
        if result.passed != (check.name != name):
            yield f"{value!r} is {'accepted' if result.passed else 'rejected'} by {check.name}"
        elif not result.passed and result.misconception != misconception:
            yield f"{value!r} is reported as {result.misconception!r}, not {misconception!r}"
