"""Grade quiz questions: the check, the answer cell, its form and the right answers of a quiz."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coursekit.expect import CheckFailed, as_array, show
from coursekit.model import Check, Choice, Exercise, FreeText, Numeric

#: Room for rounding when a value lies exactly at the tolerance.
_ROUNDING = 1e-9


def question_check(question: Choice | Numeric) -> Check:
    """Return the check that grades one question; its parameter is the answer's variable."""
    grade = _choice_check(question) if isinstance(question, Choice) else _numeric_check(question)
    # A check's parameters are the learner's names, so a function with that parameter is made.
    scope: dict[str, Any] = {"grade": grade}
    exec(f"def {question.name}({question.name}):\n    grade({question.name})\n", scope)
    success_message = (
        question.options[question.right].feedback
        if isinstance(question, Choice)
        else question.right
    )
    return Check(scope[question.name], question.points, success_message=success_message)


def quiz_checks(quiz: Exercise) -> Iterator[Check]:
    """Return the check of each question that a machine can grade."""
    for question in quiz.questions:
        if not isinstance(question, FreeText):
            yield question_check(question)


def right_answers(quiz: Exercise) -> dict[str, Any]:
    """Return the right answer of every question that has one."""
    return {
        question.name: question.right if isinstance(question, Choice) else question.answer
        for question in quiz.questions
        if not isinstance(question, FreeText)
    }


def quiz_answer(quiz: Exercise, answers: Mapping[str, Any]) -> str:
    """Return the answer cell of a quiz: one assignment a question, ``...`` where unanswered.

    Free text has its own cell and no line here.
    """
    lines = []
    for question in quiz.questions:
        if not isinstance(question, FreeText):
            value = answers.get(question.name, ...)
            given = "..." if value is ... else repr(value)
            lines.append(f"{question.name} = {given}  # {_answer_form(question)}")
    return "\n".join(lines) + "\n" if lines else ""


def _answer_form(question: Choice | Numeric) -> str:
    if isinstance(question, Choice):
        return "one of " + ", ".join(f'"{key}"' for key in question.options)
    if np.ndim(question.answer):
        return f"a list of {np.size(question.answer)} numbers"
    return f"a number ({question.unit})" if question.unit else "a number"


def check_form(
    name: str,
    names: Mapping[str, Any],
    *,
    options: Sequence[str] = (),
    shape: Sequence[int] = (),
) -> None:
    """Say in a notebook whether an answer can be graded, and not whether it is right.

    Parameters
    ----------
    name : str
        The answer's variable.
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    options : sequence of str, optional
        The letters to choose from; without them the answer is a number or numbers.
    shape : sequence of int
        The shape of the numbers: ``()`` for one, ``(2,)`` for a list of two.

    Raises
    ------
    CheckFailed
        There is no answer, or none of this form.
    """
    try:
        if name not in names:
            raise CheckFailed(f"`{name}` is not defined. Keep the name that the exercise gives.")
        given = names[name]
        answer = _option(given, options) if options else show(_numbers(given, shape), digits=8)
    except CheckFailed as failed:
        raise CheckFailed(f"✗ {name}\n{failed.message}", failed.misconception) from None
    print(f"Your answer to {name} is {answer}. It is graded when you have handed in.")


def _option(given: Any, options: Collection[str]) -> str:
    """Return the letter that was given, or raise `CheckFailed`."""
    if given is Ellipsis:
        raise CheckFailed("No answer yet.", "not-started")
    key = str(given).strip().lower()
    if key not in options:
        keys = ", ".join(options)
        raise CheckFailed(f"{given!r} is none of the options; expected one of {keys}.")
    return key


def _numbers(given: Any, shape: Sequence[int]) -> NDArray[Any]:
    """Return the numbers that were given as an array, or raise `CheckFailed`."""
    if given is Ellipsis:
        raise CheckFailed("No answer yet.", "not-started")
    seen = as_array(given, "your answer")
    if seen.shape != tuple(shape):
        wanted = f"{int(np.prod(shape))} numbers" if len(shape) else "one number"
        raise CheckFailed(f"Your answer has shape {seen.shape}; expected {wanted}.")
    return seen


def _choice_check(question: Choice) -> Callable[[Any], None]:
    def grade(given: Any) -> None:
        key = _option(given, question.options)
        if key != question.right:
            picked = question.options[key]
            raise CheckFailed(picked.feedback, picked.misconception)

    return grade


def _numeric_check(question: Numeric) -> Callable[[Any], None]:
    right = np.asarray(question.answer, float)

    def grade(given: Any) -> None:
        seen = _numbers(given, right.shape)
        if not is_near(question, seen, right):
            mistakes = question.mistakes.items()
            found = next((id for id, value in mistakes if is_near(question, seen, value)), None)
            raise CheckFailed("That is not it." if found is None else "Not quite.", found)

    return grade


def is_near(question: Numeric, seen: Any, value: Any) -> bool:
    """Return whether every number of ``seen`` is within the question's tolerance of ``value``."""
    gap = np.abs(np.asarray(seen) - np.asarray(value, float))
    return bool((gap <= question.tolerance + _ROUNDING).all())
