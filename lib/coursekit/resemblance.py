"""How a wrong value is related to the right one: sentences that are true of this very value.

A misconception's explanation says what a learner may have thought. What stands here says less, and
is always true, because each sentence is said only after its relation has been computed: "It is the
transpose of what is expected."
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.floating]

#: What the right numbers may have become, one by one.
_FUNCTIONS: Mapping[str, Callable[[Numbers], Numbers]] = {
    "They are the exponentials of what is expected.": np.exp,
    "They are the logarithms of what is expected.": np.log,
    "They are the squares of what is expected.": np.square,
    "They are the square roots of what is expected.": np.sqrt,
    "They are the reciprocals of what is expected.": np.reciprocal,
    "They are 1 minus what is expected.": lambda right: 1 - right,
    "They are the absolute values of what is expected.": np.abs,
    "Negative numbers became 0; the others are right.": lambda right: np.maximum(right, 0),
}
#: What an axis may have been reduced to.
_REDUCED: Mapping[str, Callable[[Numbers, int], Any]] = {
    "the sum": np.sum,
    "the mean": np.mean,
    "only the first entry": lambda array, axis: array.take(0, axis),
    "only the last entry": lambda array, axis: array.take(-1, axis),
}
#: Factors with a name, for a single number; an array's factor can be told whatever it is.
_FACTORS = {100: "100", 1000: "1000", 1024: "1024", 1024**2: "1024²"}
_PERCENT = {
    "large": ": is it in percent?",
    "small": ": is it a fraction where percent are asked for?",
}
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MOST_AXES = 4  # that are tried in all orders


def is_close(value: NDArray[Any], other: NDArray[Any], atol: float, rtol: float = 0.0) -> bool:
    """Return whether two arrays have one shape and, within tolerance, the same numbers."""
    return value.shape == other.shape and bool(np.allclose(value, other, atol=atol, rtol=rtol))


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
    if not value.size or not expected.size or "c" in (value.dtype.kind, expected.dtype.kind):
        return ""
    given, right = np.asarray(value, float), np.asarray(expected, float)
    with np.errstate(all="ignore"):
        if value.dtype.kind == "b" and expected.dtype.kind == "b":
            sentences = _of_booleans(given, right)
        elif np.isfinite(given).all() and np.isfinite(right).all():
            sentences = _of_numbers(given, right, atol)
        else:
            sentences = _of_not_finite(given, right, atol)
        return next(sentences, "")


def _of_booleans(value: Numbers, right: Numbers) -> Iterator[str]:
    # Of a single value, or the same value everywhere, "exchanged" would say no more than "wrong".
    if value.shape == right.shape and (value != right).all() and np.ptp(right):
        yield "True and False are exchanged everywhere."
    yield from _of_axes(value, right, 0.0)


def _of_not_finite(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    if value.shape != right.shape or not np.isfinite(right).all():
        return
    finite = np.isfinite(value)
    if finite.any() and is_close(value[finite], right[finite], atol):
        yield "Every other number is right."


def _of_numbers(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    yield from _of_axes(value, right, atol)
    if value.shape != right.shape:
        yield from _of_reduced(value, right, atol)
        yield from _of_cut(value, right, atol)
        yield from _of_places(value, right, atol)
        return
    yield from _of_scale(value, right, atol)
    yield from _of_precision(value, right)
    if np.ptp(right) > atol:  # else any number is a function of it, and stands at any place
        yield from _of_order(value, right, atol)
        for sentence, function in _FUNCTIONS.items():
            if is_close(value, function(right), atol):
                yield sentence
        yield from _of_rows(value, right, atol)
    yield from _of_sums(value, right)
    yield from _of_regions(value, right, atol)


def _of_axes(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield how axes are exchanged, or that the shape alone is wrong."""
    if value.size != right.size or np.ptp(right) <= atol:
        return  # where all numbers are alike, any arrangement of them looks right
    if value.ndim == right.ndim <= _MOST_AXES:
        for order in [*permutations(range(value.ndim))][1:]:
            if is_close(value.transpose(order), right, atol):
                yield (
                    "It is the transpose of what is expected."
                    if order == (1, 0)
                    else f"Its axes are in another order: transpose{order} would make it right."
                )
    if value.shape != right.shape and is_close(value.reshape(right.shape), right, atol):
        yield "The numbers are right and in the right order; only the shape differs."


def _of_reduced(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield how a value of one axis less, or more, comes from the right one: summed, cut out."""
    more, less = (right, value) if right.ndim > value.ndim else (value, right)
    for axis in range(more.ndim):
        if more.shape[axis] == 1 or less.shape != more.shape[:axis] + more.shape[axis + 1 :]:
            continue
        for what, reduce in _REDUCED.items():
            if is_close(np.asarray(reduce(more, axis)), less, atol):
                if more is right:
                    yield f"It is {what} of what is expected along axis {axis}."
                else:
                    name = what.partition("the ")[2]
                    yield f"Its {name} along axis {axis} is what is expected."


def _of_cut(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield which entries are missing or too many along one axis."""
    other = [i for i, (a, b) in enumerate(zip(value.shape, right.shape, strict=False)) if a != b]
    if value.ndim != right.ndim or len(other) != 1:
        return
    (axis,) = other
    short, long = sorted((value, right), key=lambda array: array.shape[axis])
    count, more = short.shape[axis], long.shape[axis] - short.shape[axis]
    what = "missing" if short is value else "too many"
    number = "entry is" if more == 1 else f"{more} entries are"
    for which, start in (("last", 0), ("first", more)):
        if is_close(short, long.take(range(start, start + count), axis), atol):
            yield f"The {which} {number} {what} along axis {axis}; the others are right."


def _of_places(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield whether the right numbers are all there, somewhere."""
    if not _differ(right) or right.size < 4:
        return
    if is_close(np.sort(value, axis=None), np.sort(right, axis=None), atol):
        yield "All the numbers are right, but not at their places: are axes mixed up?"


def _differ(array: Numbers) -> bool:
    """Return whether most numbers are different, so that their places can be told."""
    return len(np.unique(array.round(9))) > array.size // 2


def _of_scale(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield by which factor or shift all numbers are wrong."""
    at = np.unravel_index(int(np.abs(right).argmax()), right.shape)
    size = float(abs(right[at]))
    if size <= 10 * atol:
        return
    factor, shift = float(value[at] / right[at]), float(value[at] - right[at])
    tolerance = atol * max(abs(factor), 1.0)
    if factor and is_close(value, factor * right, tolerance):
        yield from _of_factor(factor, right.size == 1, tolerance / size)
    if right.size > 1 and abs(shift) > 10 * atol and is_close(value, right + shift, atol):
        yield f"Every number is too {'large' if shift > 0 else 'small'} by {abs(shift):.4g}."


def _of_factor(factor: float, is_single: bool, error: float) -> Iterator[str]:
    way = "large" if abs(factor) > 1 else "small"
    ratio = factor if way == "large" else 1 / factor
    within = max(error, 5e-3 if is_single else 0.0)
    known = [text for named, text in _FACTORS.items() if abs(ratio / named - 1) <= within]
    if abs(factor + 1) <= error:
        yield "Only the sign is wrong." if is_single else "Every sign is the opposite."
    elif known:
        yield f"It is {known[0]} times too {way}{_PERCENT[way] if known[0] == '100' else '.'}"
    elif is_single:
        return
    elif abs(factor - 1) >= 1e-3:
        root = round(min(ratio**2, 1e4))
        is_root = math.isqrt(root) ** 2 != root and abs(abs(ratio) - math.sqrt(root)) < 1e-5
        square = f" ({abs(ratio):.4g} is √{root})" if is_root else ""
        yield f"Every number is {ratio:.4g} times too {way}{square}."
    elif abs(factor - 1) > 10 * error:
        yield f"Every number is {100 * abs(factor - 1):.2g} % too {way}."


def _of_precision(value: Numbers, right: Numbers) -> Iterator[str]:
    """Yield in which way right numbers lost digits."""
    for decimals in range(right.size > 1, 7):  # whole numbers look rounded by chance
        is_short = is_close(value, value.round(decimals), 1e-9)
        if is_short and value.any() and is_close(value, right, 0.5 / 10**decimals + 1e-9):
            yield f"It is right, but rounded to {counted_decimals(decimals)}; give more of them."
    for kind, digits in ((np.float32, 7), (np.float16, 3)):
        # Where the kind can hold what is expected, rounding to it would have changed nothing.
        is_of_kind = (value == value.astype(kind)).all() and (right.astype(kind) != right).any()
        if is_of_kind and np.allclose(value, right, rtol=4 * float(np.finfo(kind).eps), atol=0):
            yield f"It is right to about {digits} digits only: was it computed in {kind.__name__}?"
    cut = np.trunc(right)
    if len(np.unique(cut)) > 2 and np.array_equal(value, cut):
        yield "Everything after the decimal point is cut off: is it stored as whole numbers?"


def counted_decimals(count: int) -> str:
    """Return "two decimals"."""
    number = _COUNTS[count] if count < len(_COUNTS) else str(count)
    return f"{number} decimal{'' if count == 1 else 's'}"


def _of_order(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield what was done along an axis, or how right numbers have changed places."""
    for axis in range(right.ndim):
        along = "" if right.ndim == 1 else f" along axis {axis}"
        if is_close(value, np.flip(right, axis), atol):
            yield f"Its order is reversed{along}."
        if any(is_close(value, np.roll(right, step, axis), atol) for step in (1, -1)):
            yield f"Everything is shifted by one place{along}, and wraps around."
        if right.shape[axis] > 2 and is_close(value, right.cumsum(axis), atol):
            yield f"They are the running sums of what is expected{along}."
        early, late = range(right.shape[axis] - 1), range(1, right.shape[axis])
        for to, of in ((early, late), (late, early)):
            moved = right.take(of, axis)
            is_told = len(of) > 1 and _differ(moved)
            if is_told and is_close(value.take(to, axis), moved, atol):
                yield f"Everything is shifted by one place{along}."
    if right.ndim and is_close(_sorted_rows(value), _sorted_rows(right), atol):
        what = "numbers" if right.ndim == 1 else "rows"
        yield f"The {what} are right, but in another order."
    if right.ndim > 1:
        yield from _of_places(value, right, atol)


def _sorted_rows(array: Numbers) -> Numbers:
    rows = array.reshape(len(array), -1).round(9)
    return rows[np.lexsort(rows.T)]


def _of_rows(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield whether each row or column is wrong by a factor or a shift of its own."""
    for axis, each in ((-1, "row"), (-2, "column")) if right.ndim > 1 else ():
        if right.shape[axis] < 3:
            continue  # two numbers are soon in proportion by chance
        at = np.abs(right).argmax(axis, keepdims=True)
        there, expected = (np.take_along_axis(array, at, axis) for array in (value, right))
        size, shift = np.abs(expected), there - expected
        factor = np.where(size > 100 * atol, there / expected, 1.0)
        several = (np.abs(right) > 100 * atol).sum(axis, keepdims=True) > 1
        wrong = factor[several & (np.abs(factor - 1) * size > 100 * atol)]
        is_large = (np.abs(wrong - 1) > 1e-2).any()  # below it comes from rounding
        near = np.abs(value - factor * right) <= atol * np.maximum(np.abs(factor), 1)
        if len(wrong) > 1 and is_large and near.all() and (np.abs(wrong) > 100 * atol).all():
            yield (
                f"Each {each} is what is expected times a number of its own, from "
                f"{wrong.min():.4g} to {wrong.max():.4g}: is it divided by the right number?"
            )
        if (np.abs(shift) > 100 * atol).sum() > 1 and is_close(value, right + shift, atol):
            yield f"Each {each} is what is expected plus a number of its own."


def _of_sums(value: Numbers, right: Numbers) -> Iterator[str]:
    """Yield whether the numbers could be weights where others are asked for."""
    if not right.ndim or right.shape[-1] < 2 or np.isclose(right.sum(axis=-1), 1).any():
        return  # weights are what is asked for; a hidden row of them sums to 0
    if (value == value.round()).all():
        return  # whole numbers, such as those of tokens, sum to 1 by chance
    if np.allclose(value.sum(axis=-1), 1) and (value >= 0).all():
        subject = "The numbers sum" if right.ndim == 1 else "Each row sums"
        yield f"{subject} to 1, as weights do: are these the weights?"


def _of_regions(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield which rows are alike, which triangle is 0, or which rows are wrong."""
    if right.ndim < 2:
        return
    for axis in range(right.ndim):
        if np.ptp(value, axis).max() <= atol < min(np.ptp(right, axis).max(), np.ptp(value)):
            what = ("row", "column")[axis] if right.ndim == 2 else f"entry along axis {axis}"
            yield f"Every {what} is the same; those that are expected are not."
    offset = np.subtract.outer(*map(np.arange, right.shape[-2:]))
    triangles = {"on": offset == 0, "above": offset < 0, "below": offset > 0}
    for where, region in triangles.items() if min(offset.shape) > 2 else ():
        is_zero = (value[..., region] == 0).all() and (value[..., ~region] != 0).all()
        if is_zero and (np.abs(right[..., region]) > 10 * atol).all():
            yield f"All numbers {where} the diagonal are 0; none of them should be."
    wrong = [i for i in range(len(right)) if not is_close(value[i], right[i], atol)]
    if 0 < len(wrong) <= len(right) // 2:
        names = ", ".join(map(str, wrong[:4])) + (", …" if len(wrong) > 4 else "")
        yield f"Only row {names} differs." if len(wrong) == 1 else f"Only rows {names} differ."
