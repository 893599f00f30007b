"""Luong's local attention with gradients, to the centers too."""

from __future__ import annotations

from typing import Any, Literal, Required, TypedDict, Unpack, overload

import torch
from torch import Tensor

from attn._arguments import check_per_token, check_tokens, leading_axes, shape_of
from attn._hints import explain_torch_names
from attn.centered import check_width_of
from attn.formulas import gaussian, weighted_sum
from attn.formulas.namespace import says
from attn.torch._tensors import as_mask, as_tensor, as_tensors
from attn.torch.attention import Score, attention_weights
from attn.torch.containment import contain


class _Options(TypedDict, total=False):
    centers: Required[Any]
    window: Required[float]
    sigma: float | None
    mask: Any
    scale: float | None
    score: Literal["scaled_dot", "dot"] | Score


@overload
def centered_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    return_weights: Literal[False] = ...,
    **options: Unpack[_Options],
) -> Tensor: ...
@overload
def centered_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    return_weights: Literal[True],
    **options: Unpack[_Options],
) -> tuple[Tensor, Tensor]: ...
@overload
def centered_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    return_weights: bool,
    **options: Unpack[_Options],
) -> Tensor | tuple[Tensor, Tensor]: ...


@explain_torch_names
def centered_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    centers: Any,
    window: float,
    sigma: float | None = None,
    mask: Any = None,
    scale: float | None = None,
    score: Literal["scaled_dot", "dot"] | Score = "scaled_dot",
    return_weights: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    r"""Return the attention of each query to the keys around its center; see `attn`'s.

    Parameters
    ----------
    query : tensor, shape (..., num_queries, d_k)
    key : tensor, shape (..., num_keys, d_k)
    value : tensor, shape (..., num_keys, d_v)
    centers : tensor, broadcastable to (..., num_queries)
        In positions of keys. With ``sigma`` they get a gradient, so a model can learn to predict
        them.
    window : float
        How far the window reaches to each side, in keys.
    sigma : float, optional
        Width of the Gaussian, in keys; none when not given.
    mask : bool tensor, broadcastable to (..., num_queries, num_keys), optional
    scale, score
        As in `attention_weights`.
    return_weights : bool

    Returns
    -------
    output : tensor, shape (..., num_queries, d_v)
    weights : tensor, shape (..., num_queries, num_keys)
        Only with ``return_weights``.

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
    >>> import torch
    >>> centers = torch.tensor([0.0, 3.5])
    >>> query, key, value = torch.ones(2, 8), torch.ones(6, 8), torch.eye(6)
    >>> centered_attention(query, key, value, centers=centers, window=1)
    tensor([[0.5000, 0.5000, 0.0000, 0.0000, 0.0000, 0.0000],
            [0.0000, 0.0000, 0.0000, 0.5000, 0.5000, 0.0000]])
    """
    (query, key, value), dtype = as_tensors(query=query, key=key, value=value)
    check_tokens(key, value)
    leading = leading_axes(query=query, key=key, value=value)
    distance = _distance(centers, (*leading, query.shape[-2]), key)  # (..., num_queries, num_keys)
    visible = distance.detach().abs() <= check_width_of("window", window)
    shown = as_mask(mask, (*leading, *shape_of(distance)[-2:]), query.device)
    visible = visible if shown is None else visible & shown
    spread = None if sigma is None else check_width_of("sigma", sigma, positive=True)

    def attend(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
        weights = attention_weights(query, key, mask=visible, scale=scale, score=score)
        if spread is not None:
            weights = weights * gaussian(distance, spread).to(weights)
        return weighted_sum(weights, value.to(weights), visible), weights

    output, weights = contain(attend, (query,), (key, value), visible)
    return (output.to(dtype), weights.to(dtype)) if return_weights else output.to(dtype)


def _distance(centers: Any, queries: tuple[int, ...], key: Tensor) -> Tensor:
    positions = as_tensor("centers", centers).to(key.device)
    check_per_token("centers", positions, queries)
    if not says(positions.isfinite().all(), True):
        raise ValueError("centers contain NaN or inf; expected positions of keys")
    positions = positions.expand(*positions.shape[:-1], queries[-1])
    return torch.arange(key.shape[-2], device=key.device) - positions[..., None]
