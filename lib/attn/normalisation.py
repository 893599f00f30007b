"""Softmax: from scores to weights."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Array, as_float, as_mask, check_axis, compute_type


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
    given = as_float("scores", scores)
    wide = given.astype(compute_type(given.dtype), copy=False)
    axis = check_axis(axis, wide)
    if mask is not None:
        wide = _hide(wide, as_mask(mask))
    return _exponentials(wide, axis).astype(given.dtype, copy=False)


def _hide(scores: Array, mask: Array) -> Array:
    try:
        visible = np.broadcast_to(mask, scores.shape)
    except ValueError:
        raise ValueError(
            f"mask has shape {mask.shape}; expected one that broadcasts to {scores.shape}"
        ) from None
    return np.where(visible, scores, scores.dtype.type(-np.inf))


def _exponentials(scores: Array, axis: int) -> Array:
    # `initial` gives a row without keys the maximum of one in which nothing is visible.
    largest = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    if np.isposinf(largest).any():
        message = "a score is inf, so its row of weights is NaN: the scores overflowed"
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    with np.errstate(invalid="ignore"):
        weights = scores - np.where(np.isneginf(largest), 0, largest)
    np.exp(weights, out=weights)
    total = weights.sum(axis=axis, keepdims=True)
    weights /= np.where(total == 0, 1, total)
    return weights
