"""Torch's fused kernel, where it computes the same as the formula."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from attn._arguments import leading_axes, shape_of
from attn.formulas.namespace import is_true
from attn.masks import causal_mask
from attn.torch.nan_safe import all_finite


def is_faster(scores_shape: tuple[int, ...]) -> bool:
    """Return whether `attention` is to be tried: the kernel is faster, but wants some tokens."""
    return 0 not in scores_shape


def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scores_shape: tuple[int, ...],
    scale: float,
    mask: Tensor | None,
    causal: bool,
) -> Tensor | None:
    """Return the outputs, or None where the kernel would not be exact."""
    if not (is_faster(scores_shape) and value.shape[-1]):
        return None
    if mask is None and not causal:
        return _kernel(query, key, value, scale=scale)
    # The kernel multiplies what is hidden by 0 and adds -inf to its scores: both can make NaN.
    if not (all_finite(value) and _scores_are_finite(query, key, scale)):
        return None
    num_queries, num_keys = scores_shape[-2:]
    if mask is None and num_keys == num_queries:
        return _kernel(query, key, value, scale=scale, is_causal=True)
    visible = mask
    if causal:
        past = causal_mask(num_queries, num_keys, like=query)
        visible = past if mask is None else mask & past
    assert visible is not None
    empty = ~visible.any(-1, keepdim=True)  # (..., num_queries, 1)
    if not is_true(empty.any(), unknown=True):
        return _kernel(query, key, value, scale=scale, attn_mask=visible)
    # What the kernel makes of an empty row has differed between versions.
    output = _kernel(query, key, value, scale=scale, attn_mask=visible | empty)
    return output.masked_fill(empty, 0)


def _scores_are_finite(query: Tensor, key: Tensor, scale: float) -> bool:
    """Return whether no score can overflow, by the bound of Cauchy and Schwarz."""
    lengths = [torch.linalg.vector_norm(x.detach(), dim=-1).amax() for x in (query, key)]
    return is_true(torch.isfinite(lengths[0] * lengths[1] * scale), unknown=False)


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
