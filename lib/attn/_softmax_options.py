"""What a softmax over keys may take besides scores: a sink, and a cap."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike, DTypeLike

from attn._arguments import Array, Mask, Options, as_float, check_number, check_pairs


class SoftmaxOptions(Options[Mask], total=False):
    """Those of a mechanism that turns scores into weights by a softmax."""

    sink: Mask | float | None
    soft_cap: float | None


def as_sink(sink: ArrayLike | None, pairs: tuple[int, ...], dtype: DTypeLike) -> Array | None:
    """Return ``sink`` as scores for rows of weights of shape ``pairs``; None stays None."""
    if sink is None:
        return None
    array = as_float("sink", sink)
    check_pairs("sink", array, (*pairs[:-1], 1))
    return array.astype(dtype, copy=False)


def check_soft_cap(soft_cap: float | None) -> float | None:
    """Return ``soft_cap`` as a Python float, or raise ValueError unless it is positive."""
    if soft_cap is None:
        return None
    if not 0 < check_number("soft_cap", soft_cap) < math.inf:
        raise ValueError(f"soft_cap is {soft_cap}; expected a positive, finite number")
    return float(soft_cap)


def row_shape(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """Return the shape of one number for each row of scores along ``axis``."""
    lengths = list(shape)
    lengths[axis] = 1
    return tuple(lengths)
