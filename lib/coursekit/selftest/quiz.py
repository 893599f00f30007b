"""What can be wrong with a quiz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coursekit.model import Choice, Exercise, FreeText, Numeric
from coursekit.running import run_check


def quiz_problems(quiz: Exercise) -> Iterator[str]:
    """Yield questions without feedback, and mistakes that are not told apart."""
    for question in quiz.questions:
        if isinstance(question, Choice):
            found = _choice(quiz, question)
        elif isinstance(question, Numeric):
            found = _numeric(quiz, question)
        else:
            found = _free_text(question)
        yield from (f"question {question.name}: {problem}" for problem in found)


def _choice(quiz: Exercise, question: Choice) -> Iterator[str]:
    if len(question.options) < 2:
        yield "has one option"
    for key, misconception in question.known_mistakes:
        yield from _told_apart(quiz, question.name, key, misconception)


def _numeric(quiz: Exercise, question: Numeric) -> Iterator[str]:
    for id, value in question.mistakes.items():
        if question.is_near(value, question.answer):
            yield f"the mistake {id!r} is within tolerance of the answer"
        else:
            yield from _told_apart(quiz, question.name, value, id)


def _told_apart(quiz: Exercise, name: str, value: Any, misconception: str | None) -> Iterator[str]:
    """Grade one wrong answer among right ones; it alone must be rejected, for its reason."""
    names = quiz.answers | {name: value}
    for check in quiz.checks:
        result = run_check(check, names, exercise=quiz.id)
        if result.passed != (check.name != name):
            yield f"{value!r} is {'accepted' if result.passed else 'rejected'} by {check.name}"
        elif not result.passed and result.misconception != misconception:
            yield f"{value!r} is reported as {result.misconception!r}, not {misconception!r}"


def _free_text(question: FreeText) -> Iterator[str]:
    if not question.rubric or any(points <= 0 for points, _ in question.rubric):
        yield "needs a rubric whose every line is worth points"
