"""Softmax: from scores to weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attn import formulas
from attn._arguments import Array, as_float, check_axis, check_boolean, compute_type
from attn._hints import explain_torch_names


@explain_torch_names
def softmax(scores: ArrayLike, axis: int = -1, mask: ArrayLike | None = None) -> Array:
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

    Returns
    -------
    array, shape and type of ``scores``
        A row in which nothing is visible is all zeros. float16 is computed in float32.

    Raises
    ------
    ValueError
        If ``mask`` does not broadcast to the shape of ``scores``, or ``axis`` is not an axis of it.
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

    Examples
    --------
    >>> softmax([1.0, 0.0]).round(4)
    array([0.7311, 0.2689])
    >>> softmax([[1e4, 0.0, 0.0]], mask=[[False, True, True]])
    array([[0. , 0.5, 0.5]])
    """
    array = as_float("scores", scores)
    axis = check_axis(axis, array)
    wide = array.astype(compute_type(array.dtype), copy=False)
    if mask is not None:
        wide = np.where(_broadcast(mask, array.shape), wide, -np.inf)
    with np.errstate(invalid="ignore"):
        return formulas.softmax(wide, axis).astype(array.dtype, copy=False)


def _broadcast(mask: ArrayLike, shape: tuple[int, ...]) -> Array:
    array = np.asarray(mask)
    check_boolean("mask", array)
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(
            f"mask has shape {array.shape}; expected one that broadcasts to {shape}"
        ) from None
