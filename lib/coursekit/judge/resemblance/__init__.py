"""Say how a wrong value is related to the right one, in sentences true of this very value.

A misconception's explanation says what a learner may have thought. What stands here says less, and
is always true, because each sentence is said only after its relation has been computed: "It is the
transpose of what is expected."
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from coursekit.judge.resemblance.arrays import Numbers, is_close
from coursekit.judge.resemblance.functions import of_functions, of_sums
from coursekit.judge.resemblance.places import (
    of_arrangement,
    of_not_finite,
    of_order,
    of_parts,
    of_repetition,
    of_triangles,
)
from coursekit.judge.resemblance.scale import of_precision, of_rows, of_scale
from coursekit.judge.resemblance.shapes import of_axes, of_shapes

__all__ = ["is_close", "resemblance"]


def resemblance(value: NDArray[np.generic], expected: NDArray[np.generic], atol: float) -> str:
    """Return one sentence on how ``value`` is related to ``expected``, or an empty string.

    Parameters
    ----------
    value : array of numbers or booleans
        What the learner's code gave; wrong.
    expected : array of numbers or booleans
        The right result, in its right shape.
    atol : float
        Absolute tolerance, in the unit of ``expected``.
    """
    if not value.size or not expected.size:
        return ""
    if value.dtype.kind == "b" and expected.dtype.kind == "b":
        return next(_of_booleans(value, expected), "")
    if "c" in (value.dtype.kind, expected.dtype.kind):
        return ""
    given, right = np.asarray(value, float), np.asarray(expected, float)
    with np.errstate(all="ignore"):
        if np.isfinite(given).all() and np.isfinite(right).all():
            return next(_sentences(given, right, atol), "")
        return next(of_not_finite(given, right, atol), "")


def _of_booleans(value: NDArray[np.generic], right: NDArray[np.generic]) -> Iterator[str]:
    # Of a single value, or the same value everywhere, "exchanged" would say no more than "wrong".
    if value.shape == right.shape and (value != right).all() and right.any() != right.all():
        yield "True and False are exchanged everywhere."
    yield from of_axes(np.asarray(value, float), np.asarray(right, float), 0.0)


def _sentences(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    yield from of_axes(value, right, atol)
    if value.shape != right.shape:
        yield from of_shapes(value, right, atol)
        yield from of_arrangement(value, right, atol)
        return
    yield from of_scale(value, right, atol)
    yield from of_precision(value, right)
    yield from of_order(value, right, atol)
    yield from of_functions(value, right, atol)
    yield from of_rows(value, right, atol)
    yield from of_sums(value, right)
    yield from of_repetition(value, right, atol)
    yield from of_triangles(value, right, atol)
    yield from of_parts(value, right, atol)
