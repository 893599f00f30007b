"""Softmax: from scores to weights."""

from __future__ import annotations

import math
from typing import Any

from attn import formulas
from attn._arguments import check_axis, shape_of
from attn._door import Door, enter
from attn._hints import explain_torch_names
from attn._types import Given, Nested, Numbers


@explain_torch_names
def softmax(
    scores: Numbers | Nested,
    axis: int = -1,
    mask: Given | None = None,
    *,
    sink: Given | None = None,
) -> Numbers:
    r"""Return :math:`w_j = e^{s_j} / \sum_k e^{s_k}`: weights that are positive and sum to 1.

    Parameters
    ----------
    scores : array_like, any shape
        In nats: one more is e times the weight. ``-inf`` means weight 0.
    axis : int
        The axis along which the weights sum to 1.
    mask : array_like of bool, optional
        Broadcastable to the shape of ``scores``; where False the weight is 0, whatever the score,
        NaN included.
    sink : array_like, optional
        One score more for each row, in nats, whose weight is left out:
        :math:`w_j = e^{s_j} / (e^{\mathrm{sink}} + \sum_k e^{s_k})`, so that the row sums to less
        than 1. With 0 it is the "softmax-off-by-one"; ``-inf`` changes nothing. Broadcastable to
        the shape of ``scores`` with ``axis`` of length 1.

    Returns
    -------
    array, shape and type of ``scores``
        A row in which nothing is visible is all zeros, with zero gradient. float16 is computed in
        float32.

    Raises
    ------
    ValueError
        If ``mask`` or ``sink`` does not broadcast to the shape of ``scores``, or ``axis`` is not an
        axis of it.
    TypeError
        If ``scores`` are not real numbers or ``mask`` is not boolean.

    Warns
    -----
    RuntimeWarning
        If a visible score is ``+inf`` (as after an overflow): its row is NaN.

    Notes
    -----
    The weights do not change when a number is added to all scores, so the largest score is
    subtracted first: no exponential exceeds 1, and nothing overflows.

    References
    ----------
    Goodfellow, Bengio and Courville (2016), *Deep Learning*, section 4.1 (the stable form).
    Miller (2023), "Attention Is Off By One", for a sink of 0; Xiao et al. (2024), "Efficient
    Streaming Language Models with Attention Sinks", section 3.3, compare it with a learned one.

    Examples
    --------
    >>> softmax([1.0, 0.0]).round(4)
    array([0.7311, 0.2689])
    >>> softmax([[1e4, 0.0, 0.0]], mask=[[False, True, True]])
    array([[0. , 0.5, 0.5]])
    >>> softmax([-9.0, -9.0], sink=0.0).round(4)
    array([0.0001, 0.0001])
    """
    door, (numbers,) = enter(0, scores=scores)
    axis, shape = check_axis(axis, numbers), shape_of(numbers)
    visible = door.boolean("mask", mask)
    if visible is not None:
        visible = _broadcast(door, "mask", visible, shape)
        numbers = door.framework.xp.where(visible, numbers, -math.inf)
    with door.framework.quiet():
        if sink is None:
            return door.leave(formulas.softmax(numbers, axis))
        one = door.floats("sink", sink)
        row = [1 if n == axis % len(shape) else length for n, length in enumerate(shape)]
        one = _broadcast(door, "sink", one, tuple(row))
        rows = numbers.swapaxes(axis, -1), one.swapaxes(axis, -1)
        return door.leave(formulas.softmax_with_sink(*rows).swapaxes(axis, -1))


def _broadcast(door: Door, name: str, array: Any, shape: tuple[int, ...]) -> Any:
    try:
        return door.framework.expand(array, shape)
    except ValueError:
        raise ValueError(
            f"{name} has shape {shape_of(array)}; expected one that broadcasts to {shape}"
        ) from None
