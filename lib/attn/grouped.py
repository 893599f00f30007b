"""Grouped-query attention: several query heads share one head of keys and values."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

import numpy as np

from attn._arguments import (
    check_soft_cap,
    check_tokens,
    check_width,
    leading_axes,
    scale_or_default,
    shape_of,
)
from attn._door import enter
from attn._hints import explain_torch_names
from attn._types import Given, Nested, Numbers, SoftmaxOptions, Strict
from attn.attention import attend


@overload
def grouped_query_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    return_weights: Literal[False] = ...,
    **options: Unpack[SoftmaxOptions],
) -> Numbers: ...
@overload
def grouped_query_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    return_weights: Literal[True],
    **options: Unpack[SoftmaxOptions],
) -> tuple[Numbers, Numbers]: ...
@overload
def grouped_query_attention(
    query: Strict,
    key: Strict,
    value: Strict,
    *,
    return_weights: bool,
    **options: Unpack[SoftmaxOptions],
) -> Strict | tuple[Strict, Strict]: ...


@explain_torch_names
def grouped_query_attention(
    query: Any,
    key: Any,
    value: Any,
    *,
    mask: Given | None = None,
    bias: Given | None = None,
    causal: bool = False,
    scale: float | None = None,
    sink: Given | None = None,
    soft_cap: float | None = None,
    return_weights: bool = False,
) -> Any:
    """Return attention in which several query heads in a row use the same keys and values.

    Parameters
    ----------
    query : array_like, shape (..., num_heads, num_queries, d_k)
    key : array_like, shape (..., num_kv_heads, num_keys, d_k)
    value : array_like, shape (..., num_kv_heads, num_keys, d_v)
        ``num_kv_heads`` divides ``num_heads``: equal is multi-head, 1 is multi-query attention.
    mask, bias, causal, scale, sink, soft_cap, return_weights
        As in `scaled_dot_product_attention`; mask and bias broadcast to (..., num_heads,
        num_queries, num_keys), the sink to (..., num_heads, num_queries, 1).

    Returns
    -------
    output : array, shape (..., num_heads, num_queries, d_v)
    weights : array, shape (..., num_heads, num_queries, num_keys)
        Only with ``return_weights``.

    Raises
    ------
    ValueError
        If ``num_kv_heads`` does not divide ``num_heads``, or shapes do not fit.

    References
    ----------
    Ainslie et al. (2023), "GQA", section 2.2; with one key/value head Shazeer (2019), "Fast
    Transformer Decoding: One Write-Head is All You Need".

    Examples
    --------
    >>> import numpy as np
    >>> query, key, value = np.ones((2, 6, 4, 8)), np.ones((2, 3, 5, 8)), np.ones((2, 3, 5, 7))
    >>> grouped_query_attention(query, key, value).shape
    (2, 6, 4, 7)
    """
    door, (query, key, value) = enter(3, query=query, key=key, value=value)
    check_tokens(key, value)
    groups = group_size(query, key, value)
    check_width(query, key)
    shape = (*query.shape[:-1], key.shape[-2])
    # (..., num_kv_heads, groups, num_queries, d_k), and one head of keys for each group
    parts = split_groups(query, groups), key[..., :, None, :, :], value[..., :, None, :, :]
    leading = leading_axes(query=parts[0], key=parts[1], value=parts[2])
    output, weights = attend(
        *(door, *parts, (*leading, *shape[-2:]), scale_or_default(query, scale)),
        mask=split_groups(door.mask(mask, shape), groups),
        causal=causal,
        bias=split_groups(door.added("bias", bias, shape), groups),
        sink=split_groups(door.sink(sink, shape), groups),
        soft_cap=check_soft_cap(soft_cap),
        return_weights=return_weights,
    )
    output = door.leave(merge_groups(output))
    return (output, door.leave(merge_groups(weights))) if return_weights else output


def split_groups(x: Any, groups: int) -> Any:
    """Return ``x`` with its axis of heads, if it has one, divided into groups that share keys."""
    if x is None or x.ndim < 3:
        return x
    *leading, heads, rows, columns = x.shape
    # A mask may have one head for all.
    shared = (1, 1) if heads == 1 else (heads // groups, groups)
    return x.reshape(*leading, *shared, rows, columns)


def merge_groups(x: Any) -> Any:
    """Return ``x`` with its groups as one axis of heads."""
    *leading, kv_heads, groups, rows, columns = x.shape
    return x.reshape(*leading, kv_heads * groups, rows, columns)


def group_size(query: Any, key: Any, value: Any) -> int:
    """Return how many query heads share a key head, or raise ValueError."""
    num_heads, num_kv_heads = query.shape[-3], key.shape[-3]
    if value.shape[-3] != num_kv_heads:
        raise ValueError(
            f"value has shape {shape_of(value)}; expected {num_kv_heads} heads, as many as key "
            f"of shape {shape_of(key)}"
        )
    if num_kv_heads == 0 or num_heads % num_kv_heads:
        raise ValueError(
            f"key has shape {shape_of(key)}; expected a number of heads that divides the "
            f"{num_heads} of query of shape {shape_of(query)}"
        )
    # Checked before the heads are split, so that the message shows the shapes of the arguments.
    shapes = [shape_of(array) for array in (query, key, value)]
    try:
        np.broadcast_shapes(*(shape[:-3] for shape in shapes))
    except ValueError:
        raise ValueError(
            "leading axes do not broadcast: query {}, key {}, value {}; expected the same before "
            "the last three, or 1".format(*shapes)
        ) from None
    return num_heads // num_kv_heads
