"""The fast path of torch: its fused kernel, where it computes the same as the formula."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from attn._arguments import leading_axes, shape_of
from attn.formulas.namespace import says
from attn.masking import visible_pairs
from attn.torch._tensors import all_finite, compute_type
from attn.torch.masks import causal_on


def fused_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scale: float,
    mask: Tensor | None,
    is_causal: bool,
    bias: Tensor | None = None,
) -> Tensor | None:
    """Return the outputs, or None where the kernel would not be exact."""
    leading = leading_axes(query=query, key=key, value=value)
    pairs = (*leading, query.shape[-2], key.shape[-2])
    if bias is not None:
        return None
    if 0 in pairs or 0 in value.shape:
        return None
    if mask is None and not is_causal:
        return _kernel(query, key, value, scale=scale)
    # The kernel multiplies what is hidden by 0 and adds -inf to its scores: both can make NaN.
    if not (all_finite(value) and _scores_are_finite(query, key, scale)):
        return None
    if mask is None and pairs[-1] == pairs[-2]:
        return _kernel(query, key, value, scale=scale, is_causal=True)
    visible = visible_pairs(pairs, mask, is_causal, causal=causal_on(query.device))
    assert visible is not None
    empty = ~visible.any(-1, keepdim=True)  # (..., num_queries, 1)
    if not says(empty.any(), True):
        return _kernel(query, key, value, scale=scale, attn_mask=visible)
    # What the kernel makes of an empty row has differed between versions.
    output = _kernel(query, key, value, scale=scale, attn_mask=visible | empty)
    return output.masked_fill(empty, 0)


def _scores_are_finite(query: Tensor, key: Tensor, scale: float) -> bool:
    """Return whether no score can overflow, by the bound of Cauchy and Schwarz."""
    wide = compute_type(query.dtype)
    lengths = [
        torch.linalg.vector_norm(x.detach(), dim=-1, dtype=wide).amax() for x in (query, key)
    ]
    return says(torch.isfinite(lengths[0] * lengths[1] * scale), False)


def _kernel(query: Tensor, key: Tensor, value: Tensor, **options: Any) -> Tensor:
    """Call the kernel with four axes each: with fewer or more it takes a slow path."""
    leading = leading_axes(query=query, key=key, value=value)
    mask = options.get("attn_mask")
    if mask is not None:
        leading = torch.broadcast_shapes(leading, mask.shape[:-2])
        options["attn_mask"] = _small_mask(mask, leading, key.shape[-2])
    query, key, value = (_four_axes(t.expand(*leading, *t.shape[-2:])) for t in (query, key, value))
    output = functional.scaled_dot_product_attention(query, key, value, **options)
    return output.reshape(*leading, *shape_of(output)[-2:])


def _small_mask(mask: Tensor, leading: tuple[int, ...], num_keys: int) -> Tensor:
    """Return the mask with four axes, no larger than needed: the kernel makes numbers of it."""
    mask = mask.reshape((1,) * (len(leading) + 2 - mask.ndim) + shape_of(mask))
    mask = mask.expand(*mask.shape[:-1], num_keys)
    # More than two leading axes become two, which a mask shared by some of them cannot follow.
    return _four_axes(mask.expand(*leading, *mask.shape[-2:]) if len(leading) > 2 else mask)


def _four_axes(tensor: Tensor) -> Tensor:
    leading, last = tensor.shape[:-2], tensor.shape[-2:]
    first = leading[0] if leading else 1
    return tensor if len(leading) == 2 else tensor.reshape(first, -1, *last)
