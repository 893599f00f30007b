"""Luong's local attention: a window around a position for each query."""

from __future__ import annotations

from typing import Literal, Required, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from attn._arguments import (
    Array,
    as_float,
    as_floats,
    as_mask,
    check_number,
    check_per_token,
    check_tokens,
    leading_axes,
)
from attn._hints import explain_torch_names
from attn.attention import Score, attention_weights
from attn.formulas import gaussian, weighted_sum


class _Options(TypedDict, total=False):
    centers: Required[ArrayLike]
    window: Required[float]
    sigma: float | None
    mask: ArrayLike | None
    scale: float | None
    score: Literal["scaled_dot", "dot"] | Score


@overload
def centered_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    return_weights: Literal[False] = ...,
    **options: Unpack[_Options],
) -> Array: ...
@overload
def centered_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    return_weights: Literal[True],
    **options: Unpack[_Options],
) -> tuple[Array, Array]: ...
@overload
def centered_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    return_weights: bool,
    **options: Unpack[_Options],
) -> Array | tuple[Array, Array]: ...


@explain_torch_names
def centered_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    centers: ArrayLike,
    window: float,
    sigma: float | None = None,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    score: Literal["scaled_dot", "dot"] | Score = "scaled_dot",
    return_weights: bool = False,
) -> Array | tuple[Array, Array]:
    r"""Return the attention of each query to the keys with :math:`|j - p_i| \le D`.

    The weights are :math:`a_{ij} = \mathrm{softmax}_j(s_{ij})\, e^{-(j - p_i)^2 / 2 \sigma^2}`,
    the softmax taken within the window.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
    value : array_like, shape (..., num_keys, d_v)
    centers : array_like, broadcastable to (..., num_queries)
        :math:`p_i`, in positions of keys; any real number. The part of a window beyond the
        keys is cut off.
    window : float
        :math:`D`: how far the window reaches to each side, in keys.
    sigma : float, optional
        Width of the Gaussian, in keys. Without it there is no Gaussian, as in the paper's
        monotonic alignment; its predictive alignment takes ``sigma = window / 2``.
    mask : array_like of bool, broadcastable to (..., num_queries, num_keys), optional
    scale, score
        As in `attention_weights`. The paper's scores are not scaled.
    return_weights : bool

    Returns
    -------
    output : array, shape (..., num_queries, d_v)
    weights : array, shape (..., num_queries, num_keys)
        Only with ``return_weights``. With a Gaussian they sum to less than 1: the paper does not
        normalise again.

    Raises
    ------
    ValueError
        If shapes do not fit, ``window`` is negative, ``sigma`` is not positive, or a center is
        not finite.

    References
    ----------
    Luong, Pham and Manning (2015), section 3.2, equation 10.

    Examples
    --------
    >>> import numpy as np
    >>> query, key, value = np.ones((2, 8)), np.ones((6, 8)), np.eye(6)
    >>> centered_attention(query, key, value, centers=[0, 3.5], window=1).round(2)
    array([[0.5, 0.5, 0. , 0. , 0. , 0. ],
           [0. , 0. , 0. , 0.5, 0.5, 0. ]])
    """
    (query, key, value), result = as_floats(query=query, key=key, value=value)
    check_tokens(key, value)
    leading = leading_axes(query=query, key=key, value=value)
    distance = _distance(centers, (*leading, query.shape[-2]), key.shape[-2])
    visible = np.abs(distance) <= check_width_of("window", window)
    shown = as_mask(mask, (*leading, *distance.shape[-2:]))
    visible = visible if shown is None else visible & shown
    weights = attention_weights(query, key, mask=visible, scale=scale, score=score)
    if sigma is not None:
        spread = check_width_of("sigma", sigma, positive=True)
        weights = weights * gaussian(distance, spread).astype(weights.dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        output = weighted_sum(weights, value, visible).astype(result, copy=False)
    return (output, weights.astype(result, copy=False)) if return_weights else output


def _distance(centers: ArrayLike, queries: tuple[int, ...], num_keys: int) -> Array:
    """Return how far each key lies behind each query's center, (..., num_queries, num_keys)."""
    positions = as_float("centers", centers)
    check_per_token("centers", positions, queries)
    if not np.isfinite(positions).all():
        raise ValueError("centers contain NaN or inf; expected positions of keys")
    positions = np.broadcast_to(positions, (*positions.shape[:-1], queries[-1]))
    return np.arange(num_keys) - positions[..., None]


def check_width_of(name: str, width: float, positive: bool = False) -> float:
    """Return ``width``, or raise ValueError if it is negative, or zero where it must not be."""
    if check_number(name, width) < 0 or (positive and width == 0):
        raise ValueError(
            f"{name} is {width}; expected {'a positive number' if positive else 'at least 0'}"
        )
    return width
