"""The questions of a quiz: what is asked, what is correct, and how an answer is graded."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coursekit._expect import CheckFailed, as_array, show
from coursekit._free_text import FreeText
from coursekit._parsons import Parsons, as_lines, show_lines
from coursekit.checks import RIGHT, WRONG, Check, check_of_question
from coursekit.picture import Picture
from coursekit.resemblance import counted_decimals
from coursekit.verdict import NOT_DEFINED, NOT_STARTED
from coursekit.which import in_common

#: Room for rounding when a value lies exactly at the tolerance.
_ROUNDING = 1e-9
#: A number that is rounded further than this share of it is not called close.
_CLOSE = 0.1


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option of a multiple-choice question.

    The one that is ``correct`` has a ``success_message``; every other has a ``failure_message``
    and names its ``misconception``.
    """

    text: str
    correct: bool = False
    success_message: str = ""
    failure_message: str = ""
    misconception: str | None = None


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A multiple-choice question; ``name`` is the variable that holds the answer's letter."""

    kind: ClassVar = "choice"

    name: str
    statement: str
    options: Mapping[str, Option]
    points: float = 1.0
    picture: Picture | None = None

    @property
    def answer(self) -> str:
        """The letter of the correct option."""
        return next(key for key, option in self.options.items() if option.correct)

    @property
    def answer_form(self) -> str:
        """What an answer looks like, for the comment beside it."""
        return "one of " + ", ".join(f'"{key}"' for key in self.options)

    @property
    def known_mistakes(self) -> list[tuple[Any, str]]:
        """Wrong answers, each with the misconception that it shows."""
        options = self.options.items()
        return [(key, o.misconception) for key, o in options if o.misconception is not None]

    @property
    def messages(self) -> dict[str, str]:
        """All that may be said of an answer, by the name of the argument that says it."""
        return {
            f"option {key}: {name}": text
            for key, option in self.options.items()
            for name, text in (
                ("success_message", option.success_message),
                ("failure_message", option.failure_message),
            )
        }

    def grade(self, answer: Any) -> None:
        """Raise `CheckFailed` unless the answer is the letter of the correct option."""
        option = self.options[option_key(answer, self.options)]
        if not option.correct:
            raise CheckFailed(option.failure_message, option.misconception)

    def check(self) -> Check:
        """Return the check that grades the question."""
        message = self.options[self.answer].success_message
        return check_of_question(self.name, self.grade, self.points, message)

    def as_json(self) -> dict[str, Any]:
        """Return what a page needs to grade the question."""
        options = [
            {
                "key": key,
                "correct": option.correct,
                "success_message": option.success_message,
                "failure_message": option.failure_message,
                "misconception": option.misconception,
            }
            for key, option in self.options.items()
        ]
        return {"kind": self.kind, "name": self.name, "points": self.points, "options": options}


@dataclass(frozen=True, kw_only=True)
class Numeric:
    """A question answered by one number or a list of numbers.

    ``mistakes`` maps a misconception's id to the values which that mistake gives, and one is named
    if the answer has its value and that of no other one;
    ``tolerance`` is absolute, in the answer's unit.
    """

    kind: ClassVar = "numeric"

    name: str
    statement: str
    answer: Sequence[float] | float
    tolerance: float
    mistakes: Mapping[str, Sequence[float] | float] = field(default_factory=dict)
    unit: str = ""
    success_message: str = RIGHT
    failure_message: str = WRONG
    points: float = 1.0
    picture: Picture | None = None

    @property
    def answer_form(self) -> str:
        """What an answer looks like, for the comment beside it."""
        if np.ndim(self.answer):
            return f"a list of {np.size(self.answer)} numbers"
        return f"a number ({self.unit})" if self.unit else "a number"

    @property
    def known_mistakes(self) -> list[tuple[Any, str]]:
        """Wrong answers, each with the misconception that it shows."""
        return [(value, misconception) for misconception, value in self.mistakes.items()]

    @property
    def messages(self) -> dict[str, str]:
        """All that may be said of an answer, by the name of the argument that says it."""
        return {"success_message": self.success_message, "failure_message": self.failure_message}

    def grade(self, answer: Any) -> None:
        """Raise `CheckFailed` unless every number is within the tolerance of the answer."""
        numbers = as_numbers(answer, np.shape(self.answer))
        if self.is_near(numbers, self.answer):
            return
        near = [[id] for id, value in self.mistakes.items() if self.is_near(numbers, value)]
        if misconception := in_common(near):
            raise CheckFailed("Not quite.", misconception)
        right = np.asarray(self.answer, float)
        if decimals := _decimals_lost(numbers, right, self.tolerance):
            raise CheckFailed(f"Close: if you have rounded, give {counted_decimals(decimals)}.")
        raise CheckFailed()

    def is_near(self, numbers: ArrayLike, value: ArrayLike) -> bool:
        """Return whether every number is within the tolerance of ``value``."""
        gap = np.abs(np.asarray(numbers) - np.asarray(value, float))
        return bool((gap <= self.tolerance + _ROUNDING).all())

    def check(self) -> Check:
        """Return the check that grades the question."""
        messages = self.success_message, self.failure_message
        return check_of_question(self.name, self.grade, self.points, *messages)

    def as_json(self) -> dict[str, Any]:
        """Return what a page needs to grade the question."""
        return {
            "kind": self.kind,
            "name": self.name,
            "points": self.points,
            "answer": np.asarray(self.answer, float).tolist(),
            "tolerance": float(self.tolerance),
            "mistakes": [
                {"id": id, "value": np.asarray(value, float).tolist()}
                for id, value in self.mistakes.items()
            ],
            "unit": self.unit,
            "success_message": self.success_message,
            "failure_message": self.failure_message,
        }


def _decimals_lost(value: NDArray[Any], right: NDArray[Any], tolerance: float) -> int:
    """Return how many decimals would do, where numbers are right but for fewer of them; else 0.

    The same rule as in ``web/grade.ts``.
    """
    enough = math.ceil(-math.log10(2 * tolerance) - 1e-9) if tolerance > 0 else 0
    gap = np.abs(value - right)
    if not gap.max() <= _CLOSE * np.abs(right).max():
        return 0
    fits = gap <= tolerance
    for decimals in range(enough):
        digits = value * 10**decimals
        is_short = np.abs(digits - np.rint(digits)) < 1e-6
        fits = fits | is_short & (gap <= 0.5 / 10**decimals + 1e-9)
    return enough if fits.all() else 0


#: Questions that are graded without a person.
AutoGraded = Choice | Numeric | Parsons
Question = AutoGraded | FreeText


def check_form(
    name: str,
    names: Mapping[str, Any],
    *,
    options: Sequence[str] = (),
    lines: Sequence[str] = (),
    is_indented: bool = False,
    shape: Sequence[int] = (),
) -> None:
    """Print in a notebook whether an answer can be graded, and not whether it is correct.

    Parameters
    ----------
    name : str
        The answer's variable.
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    options : sequence of str, optional
        The letters to choose from.
    lines, is_indented : sequence of str, bool, optional
        The letters of lines to put in order, and whether some are indented. Without options and
        lines the answer is a number or numbers.
    shape : sequence of int
        The shape of the numbers: ``()`` for one, ``(2,)`` for a list of two.

    Raises
    ------
    CheckFailed
        There is no answer, or it does not have this form.
    """
    try:
        print(
            form_of(name, names, options=options, lines=lines, is_indented=is_indented, shape=shape)
        )
    except CheckFailed as failed:
        raise CheckFailed(f"✗ {name}\n{failed.message}", failed.misconception) from None


def form_of(
    name: str,
    names: Mapping[str, Any],
    *,
    options: Sequence[str] = (),
    lines: Sequence[str] = (),
    is_indented: bool = False,
    shape: Sequence[int] = (),
) -> str:
    """Return what `check_form` prints, or raise `CheckFailed` with the bare reason."""
    if name not in names:
        text = f"`{name}` is not defined. Keep the name that the exercise gives."
        raise CheckFailed(text, NOT_DEFINED)
    value = names[name]
    if lines:
        answer = show_lines(as_lines(value, lines, is_indented=is_indented))
    elif options:
        answer = option_key(value, options)
    else:
        answer = show(as_numbers(value, shape), digits=8)
    return f"Your answer to {name} is {answer}. It is graded when you have handed in."


def option_key(answer: Any, options: Collection[str]) -> str:
    """Return the letter of an option, or raise `CheckFailed`."""
    if answer is Ellipsis:
        raise CheckFailed("No answer yet.", NOT_STARTED)
    key = str(answer).strip().lower()
    if key not in options:
        keys = ", ".join(options)
        seen = reprlib.repr(answer)  # Some learners give a whole page.
        raise CheckFailed(f"{seen} is none of the options; expected one of {keys}.")
    return key


def as_numbers(answer: Any, shape: Sequence[int]) -> NDArray[Any]:
    """Return numbers of this shape as an array, or raise `CheckFailed`."""
    if answer is Ellipsis:
        raise CheckFailed("No answer yet.", NOT_STARTED)
    array = as_array(answer, "your answer")
    if array.shape != tuple(shape):
        expected = f"{int(np.prod(shape))} numbers" if len(shape) else "one number"
        raise CheckFailed(f"Your answer has shape {array.shape}; expected {expected}.")
    return array
