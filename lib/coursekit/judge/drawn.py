"""Draw the value of an answer that is not right, from the value alone.

A picture shows what an answer means, and which of its parts are not right; it never shows what
would be. What it looks like follows from the values: a page draws it with ``browser/drawn.ts``, a
notebook with `coursekit.in_notebook.drawing`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Most rows and columns of a picture.
MOST = 8
#: Larger numbers are not drawn: they would not fit into a cell.
_LARGEST = 1e6
#: How far from 1 the sum of rounded weights may be.
ROUNDED = 0.01


@dataclass(frozen=True)
class Drawing:
    """A picture of a value.

    Attributes
    ----------
    form : str
        ``"bars"`` for rows of weights, ``"share"`` for one number between 0 and 1, ``"mask"`` for
        True and False (``"1"`` and ``"0"``), ``"cells"`` for other numbers, ``"lines"`` for code.
    rows : tuple of tuple of (str, bool)
        Text of each part, and whether it is not right.
    part : str
        Which matrix of a larger array this is, as an index; empty where it is the whole.
    """

    form: str
    rows: tuple[tuple[tuple[str, bool], ...], ...]
    part: str = ""


def drawing_of(
    value: NDArray[Any], expected: NDArray[Any], atol: float = 0.0, rtol: float = 0.0
) -> Drawing | None:
    """Return a picture of a wrong value; None where it is a single number, or too large.

    Of an array with three axes or more it shows the first matrix that is not right. A value of
    another shape than the right one is not right anywhere.
    """
    if not value.ndim or not value.size or "c" in (value.dtype.kind, expected.dtype.kind):
        return None
    same = value.shape == expected.shape
    with np.errstate(all="ignore"):
        wrong = (
            ~np.isclose(value, expected, rtol=rtol, atol=atol, equal_nan=True)
            if same
            else np.ones(value.shape, bool)
        )
    if not wrong.any():
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0][: max(value.ndim - 2, 0)])
    numbers, wrong = np.atleast_2d(value[at]), np.atleast_2d(wrong[at])
    right = np.atleast_2d(expected[at]) if same else None
    if max(numbers.shape) > MOST or (np.abs(numbers[np.isfinite(numbers)]) >= _LARGEST).any():
        return None
    rows = zip(numbers.tolist(), wrong.tolist(), strict=True)
    return Drawing(
        form=_form(numbers, right),
        rows=tuple(tuple((written(n), w) for n, w in zip(*row, strict=True)) for row in rows),
        part=f"[{', '.join(map(str, at))}]" if at else "",
    )


def share(value: float, expected: float) -> Drawing | None:
    """Return a bar for one number between 0 and 1, if the right one lies between them, too."""
    if not (0 < expected < 1 and 0 <= value <= 1):
        return None
    return Drawing("share", (((written(value), True),),))


def code_lines(texts: Sequence[str], wrong: int | None) -> Drawing:
    """Return lines in the order of an answer; ``wrong`` is the number of the first that is not."""
    return Drawing("lines", tuple(((text, i == wrong),) for i, text in enumerate(texts)))


def _form(numbers: NDArray[Any], right: NDArray[Any] | None) -> str:
    """Return the form of a matrix: what is right says what it should be, if the shapes agree."""
    if numbers.dtype.kind == "b":
        return "mask"
    if right is None or not (np.isfinite(numbers).all() and (numbers >= 0).all()):
        return "cells"
    if are_weights(right):
        return "bars"
    both = np.concatenate([numbers, right])
    return "mask" if len(both) > 2 and np.isin(both, (0, 1)).all() else "cells"


def are_weights(right: NDArray[Any]) -> bool:
    """Return whether numbers are shares: none is negative, and those of each row sum to 1."""
    sums = np.sum(right, axis=-1, dtype=float)
    return bool(
        right.shape[-1] > 1 and (right >= 0).all() and np.allclose(sums, 1, rtol=0, atol=ROUNDED)
    )


def written(number: float) -> str:
    """Return a number with three decimals at most, True and False as 1 and 0.

    Examples
    --------
    >>> [written(number) for number in (0.33333, 2.0, True, float("nan"))]
    ['0.333', '2', '1', 'NaN']
    """
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "∞" if number > 0 else "-∞"
    return f"{math.floor(number * 1000 + 0.5) / 1000:.12g}"
