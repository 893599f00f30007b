"""What an answer means, drawn beside it in the page (``web/picture.ts``).

A picture shows the value of an answer, and never that of another one. A question declares its own
with :class:`Picture`; that of a function's wrong result follows from its numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Key of the parts that the right answer means.
RIGHT = "right"
#: Most rows and columns of a result that is drawn.
_MOST = 8
#: Larger numbers do not fit into a cell.
_LARGEST = 1e5
#: How far from 1 the weights of a row may sum.
_ROUNDED = 0.01


@dataclass(frozen=True)
class Picture:
    """How a page draws what the answers to a question mean.

    Attributes
    ----------
    form : str
        ``"weights"`` are bars, ``"cells"`` numbers in a row, and ``"shape"`` the outline of an
        array whose shape the answer is.
    labels : sequence of str
        Names of the parts. With labels their places are there before the answer.
    means : mapping of str to sequence of float or None
        The parts that a misconception means, by its id, and those of the `RIGHT` answer; None is a
        part that is left out. An answer that is a list of numbers is its own parts.
    """

    form: str
    labels: Sequence[str] = ()
    means: Mapping[str, Sequence[float | None]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return what a page needs to draw it."""
        means = {id: list(parts) for id, parts in self.means.items()}
        return {"form": self.form, "labels": list(self.labels), "means": means}


def picture_of(value: NDArray[Any], right: NDArray[Any]) -> dict[str, Any] | None:
    """Return a wrong result in rows, as JSON, with a form that fits it; None for no picture.

    Of more than two axes the first matrix that differs is drawn. ``"mask"`` are True and False.
    A matrix that is neither a mask nor weights says more as numbers, which the message has.
    """
    if not value.ndim or value.size < 2 or value.dtype.kind not in "bif":
        return None
    matrix = np.atleast_2d(value[_first_difference(value, right)[: max(value.ndim - 2, 0)]])
    form = _form(matrix)
    finite = matrix[np.isfinite(matrix)]
    is_numbers = form == "cells" and len(matrix) > 1
    if is_numbers or max(matrix.shape) > _MOST or (np.abs(finite) >= _LARGEST).any():
        return None
    return {"form": form, "rows": [[_plain(number) for number in row] for row in matrix.tolist()]}


def _first_difference(value: NDArray[Any], right: NDArray[Any]) -> tuple[int, ...]:
    """Return where two results first differ, or the first place where their shapes do."""
    if value.shape != right.shape or not (differs := ~np.isclose(value, right)).any():
        return (0,) * value.ndim
    return tuple(int(i) for i in np.argwhere(differs)[0])


def _form(matrix: NDArray[Any]) -> str:
    if matrix.dtype.kind == "b":
        return "mask"
    in_range = ((matrix >= 0) & (matrix <= 1)).all()
    sums = np.sum(matrix, axis=-1, dtype=float)
    return "weights" if in_range and (np.abs(sums - 1) <= _ROUNDED).any() else "cells"


def _plain(number: float) -> float | str:
    """Return what JSON can hold, short enough for a cell; True and False stay."""
    if isinstance(number, bool):
        return number
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    return round(float(number), 3)
