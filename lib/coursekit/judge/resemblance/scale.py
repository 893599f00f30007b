"""Recognise numbers that are all wrong by one factor, one shift, or too few digits."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from coursekit.judge.resemblance.arrays import Numbers, is_close

#: Factors with a name, for a single number; an array's factor can be told whatever it is.
_NAMED_FACTORS = {
    100.0: "100 times too large: is it in percent?",
    0.01: "100 times too small: is it a fraction where percent are asked for?",
    1000.0: "1000 times too large.",
    0.001: "1000 times too small.",
    1024.0: "1024 times too large.",
    1 / 1024: "1024 times too small.",
    1024.0**2: "1024² times too large.",
    1 / 1024**2: "1024² times too small.",
}
_LARGEST_FACTOR = 1e6
#: By what share a single number's factor may differ from one with a name.
_NAMED_WITHIN = 5e-3
#: Factors of rows nearer to 1 than this share come from rounding, not from a wrong divisor.
_ROUNDING = 1e-2
#: A number that is rounded further than this share of it is not called close.
_CLOSE = 0.1
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def of_scale(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield by which factor or shift all numbers are wrong."""
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
        if abs(factor / named - 1) <= max(error, _NAMED_WITHIN if count == 1 else 0.0):
            yield f"It is {sentence}"
            return
    if count == 1:
        return
    if abs(factor - 1) < 1e-3:
        if abs(factor - 1) > 10 * error:
            way = "large" if factor > 1 else "small"
            yield f"Every number is {100 * abs(factor - 1):.2g} % too {way}."
        return
    ratio = factor if abs(factor) > 1 else 1 / factor
    root = round(ratio**2) if abs(ratio) < _LARGEST_FACTOR else 0
    square = f" ({abs(ratio):.4g} is √{root})" if _is_root(ratio, root) else ""
    way = "large" if abs(factor) > 1 else "small"
    yield f"Every number is {ratio:.4g} times too {way}{square}."


def _is_root(ratio: float, root: int) -> bool:
    return 1 < root < 10_000 and abs(abs(ratio) - root**0.5) < 1e-5 and root**0.5 % 1 > 1e-9


def of_precision(value: Numbers, right: Numbers) -> Iterator[str]:
    """Yield in which way right numbers lost digits."""
    for decimals in range(right.size > 1, 7):  # whole numbers look rounded by chance
        is_short = (np.abs(value - value.round(decimals)) < 1e-9).all()
        is_near = (np.abs(value - right) <= 0.5 / 10**decimals + 1e-9).all()
        if is_short and is_near and (value != 0).any():
            yield f"It is right, but rounded to {counted_decimals(decimals)}; give more of them."
    for kind, digits in ((np.float32, 7), (np.float16, 3)):
        # Where the kind can hold what is expected, rounding to it would have changed nothing.
        is_of_kind = (
            np.array_equal(value, value.astype(kind)) and (right.astype(kind) != right).any()
        )
        if is_of_kind and np.allclose(value, right, rtol=4 * float(np.finfo(kind).eps), atol=0):
            yield f"It is right to about {digits} digits only: was it computed in {kind.__name__}?"
    cut = np.trunc(right)
    if len(np.unique(cut)) > 2 and np.array_equal(value, cut):
        yield "Everything after the decimal point is cut off: is it stored as whole numbers?"


def decimals_lost(value: Numbers, right: Numbers, tolerance: float) -> int:
    """Return how many decimals would do, where a value is right but for fewer of them; else 0.

    ``tolerance`` is absolute, in the unit of ``right``. The same rule as in ``numeric.ts``.
    """
    enough = math.ceil(-math.log10(2 * tolerance) - 1e-9) if tolerance > 0 else 0
    gap = np.abs(value - right)
    if not gap.size or not gap.max() <= _CLOSE * np.abs(right).max():
        return 0
    fits = gap <= tolerance
    for decimals in range(enough):
        digits = value * 10**decimals
        is_short = np.abs(digits - np.rint(digits)) < 1e-6
        fits = fits | is_short & (gap <= 0.5 / 10**decimals + 1e-9)
    return enough if fits.all() else 0


def counted_decimals(count: int) -> str:
    """Return "two decimals"."""
    number = _COUNTS[count] if count < len(_COUNTS) else str(count)
    return f"{number} decimal{'' if count == 1 else 's'}"


def of_rows(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield whether each row or column is wrong by a factor or a shift of its own."""
    if right.ndim < 2 or np.ptp(right) <= atol:
        return
    for axis, each in ((-1, "row"), (-2, "column")):
        if right.shape[axis] < 3:
            continue  # two numbers are soon in proportion by chance
        size = np.abs(right).max(axis, keepdims=True)
        at = np.abs(right).argmax(axis, keepdims=True)
        there, expected = (np.take_along_axis(array, at, axis) for array in (value, right))
        factor = np.where(size > 100 * atol, there / np.where(size > 0, expected, 1.0), 1.0)
        several = (np.abs(right) > 100 * atol).sum(axis, keepdims=True) > 1
        wrong = several & (np.abs(factor - 1) * size > 100 * atol)
        near = np.abs(value - factor * right) <= atol * np.maximum(np.abs(factor), 1)
        is_large = (np.abs(factor - 1) > _ROUNDING)[wrong].any()
        is_factor = near.all() and (np.abs(factor) > 100 * atol)[wrong].all()
        if wrong.sum() > 1 and is_large and is_factor:
            least, most = factor[wrong].min(), factor[wrong].max()
            yield (
                f"Each {each} is what is expected times a number of its own, from {least:.4g} to "
                f"{most:.4g}: is it divided by the right number?"
            )
        shift = there - expected
        if (np.abs(shift) > 100 * atol).sum() > 1 and is_close(value, right + shift, atol):
            yield f"Each {each} is what is expected plus a number of its own."
