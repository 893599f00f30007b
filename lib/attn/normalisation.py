"""Softmax: from scores to weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attn import formulas
from attn._arguments import Array, as_float, boolean, check_axis, compute_type
from attn._hints import explain_torch_names
from attn._softmax_options import row_shape


@explain_torch_names
def softmax(
    scores: ArrayLike,
    axis: int = -1,
    mask: ArrayLike | None = None,
    *,
    sink: ArrayLike | None = None,
) -> Array:
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
        A row in which nothing is visible is all zeros. float16 is computed in float32.

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
    array = as_float("scores", scores)
    axis = check_axis(axis, array)
    wide = array.astype(compute_type(array.dtype), copy=False)
    if mask is not None:
        visible = _broadcast("mask", boolean("mask", mask), array.shape)
        wide = np.where(visible, wide, -np.inf)
    with np.errstate(invalid="ignore"):
        if sink is None:
            return formulas.softmax(wide, axis).astype(array.dtype, copy=False)
        one = _broadcast("sink", as_float("sink", sink), row_shape(array.shape, axis))
        rows = wide.swapaxes(axis, -1), one.astype(wide.dtype).swapaxes(axis, -1)
        weights = formulas.softmax_with_sink(*rows).swapaxes(axis, -1)
        return weights.astype(array.dtype, copy=False)


def _broadcast(name: str, array: Array, shape: tuple[int, ...]) -> Array:
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(
            f"{name} has shape {array.shape}; expected one that broadcasts to {shape}"
        ) from None
