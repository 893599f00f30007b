"""How a wrong value is related to the right one: sentences that are true of this very value.

A misconception's explanation says what a learner may have thought. What stands here says less, and
is always true, because each sentence is said only after its relation has been computed: "It is the
transpose of what is expected."
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Factors with a name, for a single number; an array's factor can be told whatever it is.
_NAMED_FACTORS = {
    100.0: "100 times too large: is it in percent?",
    0.01: "100 times too small: is it a fraction where percent are asked for?",
    1000.0: "1000 times too large: which unit is asked for?",
    0.001: "1000 times too small: which unit is asked for?",
    1024.0: "1024 times too large: which unit is asked for?",
    1 / 1024: "1024 times too small: which unit is asked for?",
    1024.0**2: "1024² times too large: which unit is asked for?",
    1 / 1024**2: "1024² times too small: which unit is asked for?",
}
_MOST_AXES = 4
_LARGEST_FACTOR = 1e6
Numbers = NDArray[np.floating]


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
    if not (np.isfinite(given).all() and np.isfinite(right).all()):
        return ""
    with np.errstate(all="ignore"):
        return next(_sentences(given, right, atol), "")


def is_close(value: NDArray[Any], other: NDArray[Any], atol: float, rtol: float = 0.0) -> bool:
    """Return whether two arrays have one shape and, within tolerance, the same numbers."""
    return value.shape == other.shape and bool(np.allclose(value, other, atol=atol, rtol=rtol))


def _of_booleans(value: NDArray[np.generic], right: NDArray[np.generic]) -> Iterator[str]:
    if value.shape == right.shape and (value != right).all():
        yield "True and False are exchanged everywhere."
    yield from _of_axes(np.asarray(value, float), np.asarray(right, float), 0.0)


def _sentences(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    yield from _of_axes(value, right, atol)
    if value.shape != right.shape:
        return
    yield from _of_scale(value, right, atol)
    yield from _of_precision(value, right)
    yield from _of_order(value, right, atol)
    yield from _of_functions(value, right, atol)
    yield from _of_sums(value, right)
    yield from _of_parts(value, right, atol)


def _of_axes(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    if value.size != right.size or np.ptp(right) <= atol:
        return  # where all numbers are alike, any arrangement of them looks right
    if value.ndim == right.ndim <= _MOST_AXES:
        for order in permutations(range(value.ndim)):
            if order != tuple(range(value.ndim)) and is_close(value.transpose(order), right, atol):
                yield (
                    "It is the transpose of what is expected."
                    if order == (1, 0)
                    else f"Its axes are in another order: transpose{order} would make it right."
                )
    if value.shape != right.shape and is_close(value.reshape(right.shape), right, atol):
        yield "The numbers are right and in the right order; only the shape differs."


def _of_scale(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    size = float(np.abs(right).max())
    if size <= 10 * atol:
        return
    at = np.unravel_index(int(np.abs(right).argmax()), right.shape)
    factor = float(value[at] / right[at])
    tolerance = atol * max(abs(factor), 1.0)
    if factor and is_close(value, factor * right, tolerance):
        yield from _of_factor(factor, right.size, tolerance / size)
    shift = float(value[at] - right[at])
    if right.size > 1 and abs(shift) > 10 * atol and is_close(value, right + shift, atol):
        way = "large" if shift > 0 else "small"
        yield f"Every number is too {way} by {abs(shift):.4g}."


def _of_factor(factor: float, count: int, error: float) -> Iterator[str]:
    if abs(factor + 1) <= error:
        yield "Only the sign is wrong." if count == 1 else "Every sign is the opposite."
        return
    for named, sentence in _NAMED_FACTORS.items():
        if abs(factor / named - 1) <= max(error, 1e-3 / named if count == 1 else error):
            yield f"It is {sentence}"
            return
    if count == 1 or abs(factor - 1) < 1e-3:
        return
    ratio = factor if abs(factor) > 1 else 1 / factor
    root = round(ratio**2) if abs(ratio) < _LARGEST_FACTOR else 0
    square = f" ({abs(ratio):.4g} is √{root})" if _is_root(ratio, root) else ""
    way = "large" if abs(factor) > 1 else "small"
    yield f"Every number is {ratio:.4g} times too {way}{square}."


def _is_root(ratio: float, root: int) -> bool:
    return 1 < root < 10_000 and abs(abs(ratio) - root**0.5) < 1e-5 and root**0.5 % 1 > 1e-9


def _of_precision(value: Numbers, right: Numbers) -> Iterator[str]:
    for decimals in (0, 1, 2, 3):
        rounded = right.round(decimals)
        if (np.abs(value - rounded) < 1e-9).all() and (rounded != 0).any():
            yield f"It is right, but rounded to {decimals} decimals; give more of them."
    for kind, digits in ((np.float32, 7), (np.float16, 3)):
        if np.allclose(value, right, rtol=4 * float(np.finfo(kind).eps), atol=0):
            yield f"It is right to about {digits} digits only: was it computed in {kind.__name__}?"


def _of_order(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    if right.size < 2:
        return
    for axis in range(right.ndim):
        if right.shape[axis] < 2:
            continue
        along = "" if right.ndim == 1 else f" along axis {axis}"
        if is_close(np.flip(value, axis), right, atol):
            yield f"Its order is reversed{along}."
        for step in (1, -1):
            if is_close(np.roll(value, -step, axis), right, atol):
                yield f"Everything is shifted by one place{along}, and wraps around."
    if right.ndim == 1:
        if is_close(np.sort(value), np.sort(right), atol):
            yield "The numbers are right, but in another order."
    elif is_close(_sorted_rows(value), _sorted_rows(right), atol):
        yield "The rows are right, but in another order."


def _sorted_rows(array: Numbers) -> Numbers:
    rows = array.reshape(len(array), -1).round(9)
    return rows[np.lexsort(rows.T)]


def _of_functions(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    if right.size < 2:
        return
    pairs = {
        "They are the exponentials of what is expected.": np.exp(right),
        "They are the logarithms of what is expected.": np.log(right),
        "They are the squares of what is expected.": right**2,
        "They are the square roots of what is expected.": np.sqrt(right),
    }
    for sentence, other in pairs.items():
        if np.isfinite(other).all() and is_close(value, other, atol):
            yield sentence


def _of_sums(value: Numbers, right: Numbers) -> Iterator[str]:
    if not right.ndim or right.shape[-1] < 2 or np.isclose(right.sum(axis=-1), 1).any():
        return  # weights are what is asked for; a hidden row of them sums to 0
    if np.allclose(value.sum(axis=-1), 1) and (value >= 0).all():
        subject = "The numbers sum" if right.ndim == 1 else "Each row sums"
        yield f"{subject} to 1, as weights do: are these the weights?"


def _of_parts(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    if right.ndim < 2 or len(right) < 2:
        return
    wrong = [i for i in range(len(right)) if not is_close(value[i], right[i], atol)]
    if 0 < len(wrong) <= len(right) // 2:
        names = ", ".join(map(str, wrong[:4])) + (", …" if len(wrong) > 4 else "")
        what = f"row {names} differs" if len(wrong) == 1 else f"rows {names} differ"
        yield f"Only {what}."
