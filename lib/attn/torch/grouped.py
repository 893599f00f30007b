"""Grouped-query attention with gradients."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

from torch import Tensor

from attn._arguments import check_tokens
from attn._hints import explain_torch_names
from attn._softmax_options import SoftmaxOptions
from attn.grouped import group_size, merge_groups, split_groups
from attn.torch._tensors import as_bias, as_mask, as_sink, as_tensors
from attn.torch.attention import scaled_dot_product_attention


@overload
def grouped_query_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    return_weights: Literal[False] = ...,
    **options: Unpack[SoftmaxOptions[Any]],
) -> Tensor: ...
@overload
def grouped_query_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    return_weights: Literal[True],
    **options: Unpack[SoftmaxOptions[Any]],
) -> tuple[Tensor, Tensor]: ...
@overload
def grouped_query_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    return_weights: bool,
    **options: Unpack[SoftmaxOptions[Any]],
) -> Tensor | tuple[Tensor, Tensor]: ...


@explain_torch_names
def grouped_query_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    mask: Any = None,
    bias: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    sink: Any = None,
    soft_cap: float | None = None,
    return_weights: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return attention in which several query heads in a row use the same keys and values.

    Parameters
    ----------
    query : tensor, shape (..., num_heads, num_queries, d_k)
    key : tensor, shape (..., num_kv_heads, num_keys, d_k)
    value : tensor, shape (..., num_kv_heads, num_keys, d_v)
    mask, bias, is_causal, scale, sink, soft_cap, return_weights
        As in `attn.grouped_query_attention`.

    Returns
    -------
    output : tensor, shape (..., num_heads, num_queries, d_v)
    weights : tensor, shape (..., num_heads, num_queries, num_keys)
        Only with ``return_weights``.

    Raises
    ------
    ValueError
        If ``num_kv_heads`` does not divide ``num_heads``, or shapes do not fit.

    References
    ----------
    Ainslie et al. (2023), "GQA", section 2.2.

    Examples
    --------
    >>> import torch
    >>> query, key = torch.ones(2, 6, 4, 8), torch.ones(2, 3, 5, 8)
    >>> grouped_query_attention(query, key, key).shape
    torch.Size([2, 6, 4, 8])
    """
    (query, key, value), _ = as_tensors(3, query=query, key=key, value=value)
    check_tokens(key, value)
    groups = group_size(query, key, value)
    pairs = (*query.shape[:-1], key.shape[-2])
    mask, bias = as_mask(mask, pairs, query.device), as_bias(bias, pairs, query)
    sink = as_sink(sink, pairs, query)
    attended = scaled_dot_product_attention(
        split_groups(query, groups),  # (..., num_kv_heads, groups, num_queries, d_k)
        key[..., :, None, :, :],
        value[..., :, None, :, :],
        mask=None if mask is None else split_groups(mask, groups),
        bias=None if bias is None else split_groups(bias, groups),
        is_causal=is_causal,
        scale=scale,
        sink=None if sink is None else split_groups(sink, groups),
        soft_cap=soft_cap,
        return_weights=return_weights,
    )
    if isinstance(attended, tuple):
        return merge_groups(attended[0]), merge_groups(attended[1])
    return merge_groups(attended)
