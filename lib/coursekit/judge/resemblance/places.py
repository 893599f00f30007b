"""Recognise right numbers at wrong places, and say where numbers are wrong."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coursekit.judge.resemblance.arrays import Numbers, is_close


def of_order(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield how right numbers have changed places."""
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
        yield from _shifted(value, right, axis, along, atol)
    if right.ndim == 1:
        if is_close(np.sort(value), np.sort(right), atol):
            yield "The numbers are right, but in another order."
    elif is_close(_sorted_rows(value), _sorted_rows(right), atol):
        yield "The rows are right, but in another order."
    else:
        yield from of_arrangement(value, right, atol)


def _sorted_rows(array: Numbers) -> Numbers:
    rows = array.reshape(len(array), -1).round(9)
    return rows[np.lexsort(rows.T)]


def _shifted(value: Numbers, right: Numbers, axis: int, along: str, atol: float) -> Iterator[str]:
    """Yield whether all but the numbers at one end are the right ones of the place beside."""
    count = right.shape[axis]
    early, late = range(count - 1), range(1, count)
    for to, of in ((early, late), (late, early)):
        moved = right.take(of, axis)
        if count > 2 and _differ(moved) and is_close(value.take(to, axis), moved, atol):
            yield f"Everything is shifted by one place{along}."


def _differ(array: Numbers) -> bool:
    """Whether most numbers are different, so that their places can be told."""
    return len(np.unique(array.round(9))) > array.size // 2


def of_arrangement(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield whether the right numbers are all there, somewhere."""
    if not _differ(right) or value.size != right.size or right.size < 4:
        return
    if is_close(np.sort(value, axis=None), np.sort(right, axis=None), atol):
        yield "All the numbers are right, but not at their places: are axes mixed up?"


def of_repetition(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield whether all rows, or what else stands along an axis, are alike and should not be."""
    for axis in range(right.ndim) if right.ndim > 1 else ():
        if right.shape[axis] < 2 or np.ptp(value) <= atol:
            continue
        if np.ptp(value, axis).max() <= atol < np.ptp(right, axis).max():
            what = ("row", "column")[axis] if right.ndim == 2 else f"entry along axis {axis}"
            yield f"Every {what} is the same; those that are expected are not."


def of_triangles(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield whether the numbers on, above or below the diagonal are 0 and should not be."""
    if right.ndim < 2 or min(right.shape[-2:]) < 3:
        return
    square = np.ones(right.shape[-2:], bool)
    regions = {
        "on the diagonal": square & ~np.triu(square, 1) & ~np.tril(square, -1),
        "above the diagonal": np.triu(square, 1),
        "below the diagonal": np.tril(square, -1),
    }
    for where, region in regions.items():
        is_zero = (value[..., region] == 0).all() and (value[..., ~region] != 0).all()
        if is_zero and (np.abs(right[..., region]) > 10 * atol).all():
            yield f"All numbers {where} are 0; none of them should be."


def of_parts(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield which rows are wrong, if the others are right."""
    if right.ndim < 2 or len(right) < 2:
        return
    wrong = [i for i in range(len(right)) if not is_close(value[i], right[i], atol)]
    if 0 < len(wrong) <= len(right) // 2:
        names = ", ".join(map(str, wrong[:4])) + (", …" if len(wrong) > 4 else "")
        what = f"row {names} differs" if len(wrong) == 1 else f"rows {names} differ"
        yield f"Only {what}."


def of_not_finite(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield whether what is not NaN or infinite is right."""
    if value.shape != right.shape or not np.isfinite(right).all():
        return
    finite = np.isfinite(value)
    if finite.any() and is_close(value[finite], right[finite], atol):
        yield "Every other number is right."
