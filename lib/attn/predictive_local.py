"""Luong's local attention: a window around a position for each query."""

from __future__ import annotations

from typing import Any, Literal, Required, TypedDict, Unpack, overload

from attn._arguments import check_number, check_per_token, check_tokens, leading_axes
from attn._door import Door, enter
from attn._hints import explain_torch_names
from attn._types import Given, Nested, Numbers, Score, Strict
from attn.attention import attention_weights
from attn.formulas import gaussian, weighted_sum
from attn.formulas.namespace import is_true


class _Options(TypedDict, total=False):
    centers: Required[Given]
    window: Required[float]
    sigma: float | None
    mask: Given | None
    scale: float | None
    score: Score


@overload
def predictive_local_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    return_weights: Literal[False] = ...,
    **options: Unpack[_Options],
) -> Numbers: ...
@overload
def predictive_local_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    return_weights: Literal[True],
    **options: Unpack[_Options],
) -> tuple[Numbers, Numbers]: ...
@overload
def predictive_local_attention(
    query: Strict,
    key: Strict,
    value: Strict,
    *,
    return_weights: bool,
    **options: Unpack[_Options],
) -> Strict | tuple[Strict, Strict]: ...


@explain_torch_names
def predictive_local_attention(
    query: Any,
    key: Any,
    value: Any,
    *,
    centers: Given,
    window: float,
    sigma: float | None = None,
    mask: Given | None = None,
    scale: float | None = None,
    score: Score = "scaled_dot",
    return_weights: bool = False,
) -> Any:
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
        keys is cut off. With ``sigma`` they get a gradient, so a model can learn to predict them.
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
    >>> predictive_local_attention(query, key, value, centers=[0, 3.5], window=1).round(2)
    array([[0.5, 0.5, 0. , 0. , 0. , 0. ],
           [0. , 0. , 0. , 0.5, 0.5, 0. ]])
    """
    door, (query, key, value) = enter(query=query, key=key, value=value)
    check_tokens(key, value)
    leading = leading_axes(query=query, key=key, value=value)
    distance = _distance(door, centers, (*leading, query.shape[-2]), key.shape[-2])
    visible = abs(distance) <= check_width_of("window", window)
    shown = door.mask(mask, (*leading, *distance.shape[-2:]))
    visible = visible if shown is None else visible & shown
    spread = None if sigma is None else check_width_of("sigma", sigma, positive=True)

    def formula(query: Any, key: Any, value: Any) -> Any:
        weights = attention_weights(query, key, mask=visible, scale=scale, score=score)
        if spread is not None:
            weights = weights * door.framework.cast_like(gaussian(distance, spread), weights)
        return weighted_sum(weights, value, visible), weights

    with door.framework.quiet():
        results = door.framework.nan_safe(formula, (query,), (key, value), visible)
    output, weights = (door.leave(result) for result in results)
    return (output, weights) if return_weights else output


def _distance(door: Door, centers: Any, queries: tuple[int, ...], num_keys: int) -> Any:
    """Return how far each key lies behind each query's center, (..., num_queries, num_keys)."""
    framework = door.framework
    positions = framework.floats("centers", centers)
    check_per_token("centers", positions, queries)
    if not is_true(framework.xp.isfinite(positions).all(), unknown=True):
        raise ValueError("centers contain NaN or inf; expected positions of keys")
    positions = framework.expand(positions, (*positions.shape[:-1], queries[-1]))
    keys = framework.arange(num_keys, door.like)
    return keys - framework.on_device(positions, keys)[..., None]


def check_width_of(name: str, width: float, positive: bool = False) -> float:
    """Return ``width``, or raise ValueError if it is negative, or zero where it must not be."""
    if check_number(name, width) < 0 or (positive and width == 0):
        raise ValueError(
            f"{name} is {width}; expected {'a positive number' if positive else 'at least 0'}"
        )
    return width
