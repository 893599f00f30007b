"""Explain values of another shape than the right one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from coursekit.judge.resemblance.arrays import Numbers, is_close

_MOST_AXES = 4


def of_axes(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield how axes are exchanged, or that the shape alone is wrong."""
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


def of_shapes(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield how a value of another shape comes from the right one: summed, repeated, cut off."""
    for axis in range(right.ndim):
        if right.shape[axis] > 1 and value.shape == right.shape[:axis] + right.shape[axis + 1 :]:
            yield from _lost(value, right, axis, atol)
    for axis in range(value.ndim):
        if value.shape[axis] > 1 and right.shape == value.shape[:axis] + value.shape[axis + 1 :]:
            yield from _added(value, right, axis, atol)
    if value.ndim == right.ndim:
        other = [axis for axis in range(right.ndim) if value.shape[axis] != right.shape[axis]]
        if len(other) == 1:
            yield from _cut(value, right, other[0], atol)


def _lost(value: Numbers, right: Numbers, axis: int, atol: float) -> Iterator[str]:
    along = f"along axis {axis}"
    if is_close(value, np.asarray(right.sum(axis)), atol):
        yield f"It is the sum of what is expected {along}."
    if is_close(value, np.asarray(right.mean(axis)), atol):
        yield f"It is the mean of what is expected {along}."
    for index, which in ((0, "first"), (-1, "last")):
        if is_close(value, np.asarray(right.take(index, axis)), atol):
            yield f"It is only the {which} entry of what is expected {along}."


def _added(value: Numbers, right: Numbers, axis: int, atol: float) -> Iterator[str]:
    along = f"along axis {axis}"
    if is_close(np.asarray(value.sum(axis)), right, atol):
        yield f"Its sum {along} is what is expected."
    if is_close(np.asarray(value.mean(axis)), right, atol):
        yield f"Its mean {along} is what is expected."
    for index, which in ((0, "first"), (-1, "last")):
        if is_close(np.asarray(value.take(index, axis)), right, atol):
            yield f"Its {which} entry {along} is what is expected."


def _cut(value: Numbers, right: Numbers, axis: int, atol: float) -> Iterator[str]:
    (short, long) = sorted((value, right), key=lambda array: array.shape[axis])
    count, more = short.shape[axis], long.shape[axis] - short.shape[axis]
    what = "missing" if short is value else "too many"
    number = "entry is" if more == 1 else f"{more} entries are"
    if is_close(short, long.take(range(count), axis), atol):
        yield f"The last {number} {what} along axis {axis}; the others are right."
    if is_close(short, long.take(range(more, more + count), axis), atol):
        yield f"The first {number} {what} along axis {axis}; the others are right."
