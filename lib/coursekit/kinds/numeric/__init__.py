"""Ask for one number or a list of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coursekit.judge.checks import RIGHT, WRONG
from coursekit.judge.drawn import MOST, Drawing, are_weights, drawing_of, share
from coursekit.judge.expect import CheckFailed, as_array, show
from coursekit.judge.resemblance.scale import counted_decimals, decimals_lost
from coursekit.judge.verdict import NOT_STARTED
from coursekit.judge.which import which
from coursekit.kinds.base import WithMistakes, variable

#: Room for rounding when a value lies exactly at the tolerance.
_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Numeric(WithMistakes):
    """A question answered by one number or a list of numbers.

    ``mistakes`` maps a misconception's id to the values which that mistake gives, and one is named
    if the answer has its value and that of no other one;
    ``tolerance`` is absolute, in the answer's unit.
    """

    kind: ClassVar[str] = "numeric"
    declared_with: ClassVar[tuple[str, ...]] = ("numeric",)
    room: ClassVar[int] = 1
    not_graded: ClassVar[frozenset[str]] = frozenset({"unit"})

    answer: Sequence[float] | float
    tolerance: float
    unit: str = ""

    @property
    def answer_form(self) -> str:
        """What an answer looks like, for the comment beside it."""
        if np.ndim(self.answer):
            return f"a list of {np.size(self.answer)} numbers"
        return f"a number ({self.unit})" if self.unit else "a number"

    @property
    def answer_text(self) -> str:
        """The correct answer as MyST, for a card."""
        numbers = ", ".join(f"{number:g}" for number in np.ravel(self.answer))
        return f"{numbers} {self.unit}".strip()

    @property
    def known_mistakes(self) -> list[tuple[Any, str]]:
        """Wrong answers, each with the misconception that it shows."""
        mistakes = self.mistakes.items()
        return [(value, id) for id, value in mistakes if not self.is_near(value, self.answer)]

    def grade(self, answer: Any) -> None:
        """Raise `CheckFailed` unless every number is within the tolerance of the answer."""
        numbers = _numbers(answer, np.shape(self.answer))
        if self.is_near(numbers, self.answer):
            return
        picture = self._drawing(numbers)
        if misconception := which(self.mistakes, lambda value: self.is_near(numbers, value)):
            raise CheckFailed("Not quite.", misconception, drawing=picture)
        right = np.asarray(self.answer, float)
        if decimals := decimals_lost(numbers, right, self.tolerance):
            rounded = f"Close: if you have rounded, give {counted_decimals(decimals)}."
            raise CheckFailed(rounded, drawing=picture)
        raise CheckFailed(self.failure_message, drawing=picture)

    def is_near(self, numbers: ArrayLike, value: ArrayLike) -> bool:
        """Return whether every number is within the tolerance of ``value``."""
        gap = np.abs(np.asarray(numbers) - np.asarray(value, float))
        return bool((gap <= self.tolerance + _ROUNDING).all())

    @property
    def form(self) -> dict[str, Any]:
        """The shape of the numbers: ``()`` for one, ``(2,)`` for a list of two."""
        return {"shape": list(np.shape(self.answer))}

    @classmethod
    def echo(cls, value: Any, form: Mapping[str, Any]) -> str:
        """Return the numbers as they were understood, or raise `CheckFailed`."""
        return show(_numbers(value, form["shape"]), digits=8)

    def defects(self) -> Iterator[str]:
        """Yield the mistakes that would be taken for the answer."""
        for id, value in self.mistakes.items():
            if self.is_near(value, self.answer):
                yield f"the mistake {id!r} is within tolerance of the answer"

    def _graded_with(self) -> dict[str, Any]:
        return {
            "answer": np.asarray(self.answer, float).tolist(),
            "tolerance": float(self.tolerance),
            "mistakes": [
                {"id": id, "value": np.asarray(value, float).tolist()}
                for id, value in self.mistakes.items()
            ],
            "unit": self.unit,
            "drawn": self._drawn,
        }

    @property
    def _drawn(self) -> str:
        """The form of a picture of an answer that is like the right one; empty for none."""
        right = np.asarray(self.answer, float)
        if not right.ndim:
            return "share" if share(0.5, float(right)) else ""
        if right.size > MOST:
            return ""
        return "bars" if are_weights(right) else "cells"

    def _drawing(self, numbers: NDArray[Any]) -> Drawing | None:
        right = np.asarray(self.answer, float)
        if not right.ndim:
            return share(float(numbers), float(right))
        return drawing_of(numbers, right, self.tolerance + _ROUNDING)


def _numbers(answer: Any, shape: Sequence[int]) -> NDArray[Any]:
    """Return numbers of this shape as an array, or raise `CheckFailed`."""
    if answer is Ellipsis:
        raise CheckFailed("No answer yet.", NOT_STARTED)
    array = as_array(answer, "your answer", is_one=not shape)
    if array.shape != tuple(shape):
        expected = f"{int(np.prod(shape))} numbers" if len(shape) else "one number"
        point = "" if len(shape) else _point(answer)
        raise CheckFailed(f"Your answer has shape {array.shape}; expected {expected}.{point}")
    return array


def _point(answer: Any) -> str:
    """Return what to write where Python took a decimal comma for a pair's; empty elsewhere."""
    if isinstance(answer, tuple) and list(map(type, answer)) == [int, int] and answer[1] >= 0:
        return f" Write a decimal with a point: {answer[0]}.{answer[1]}."
    return ""


def numeric(
    name: str,
    statement: str,
    *,
    answer: Sequence[float] | float,
    tolerance: float,
    mistakes: Mapping[str, Sequence[float] | float] | None = None,
    unit: str = "",
    success_message: str = RIGHT,
    failure_message: str = WRONG,
    points: float = 1.0,
) -> Numeric:
    """Return a numeric question; ``mistakes`` maps misconception ids to the values they give.

    ``success_message`` says in a sentence why the answer is correct; ``failure_message`` is
    shown with a wrong answer that fits none of the mistakes.
    """
    return Numeric(
        name=variable(name),
        statement=statement,
        answer=answer,
        tolerance=tolerance,
        mistakes=dict(mistakes or {}),
        unit=unit,
        success_message=success_message,
        failure_message=failure_message,
        points=points,
    )
