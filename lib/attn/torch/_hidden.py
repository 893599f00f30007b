"""What is hidden stays hidden: in outputs and in gradients, also when it is NaN or inf."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import torch
from torch import Tensor

from attn._arrays import check_pairs
from attn.torch._tensors import all_finite, as_mask, as_tensor
from attn.torch.masks import causal_mask


def visible_pairs(
    shape: tuple[int, ...],
    device: torch.device,
    mask: Any = None,
    bias: Any = None,
    is_causal: bool = False,
) -> Tensor | None:
    """Return which query sees which key, broadcastable to scores of ``shape``; None is all."""
    visible = None
    if mask is not None:
        visible = as_mask(mask, device)
        check_pairs("mask", visible, shape)
    if is_causal:
        past = causal_mask(*shape[-2:], device=device)
        visible = past if visible is None else visible & past
    if bias is not None:
        shown = as_tensor("bias", bias).detach().to(device) != -torch.inf
        visible = shown if visible is None else visible & shown
    return visible


def contain(
    attend: Callable[..., list[Tensor]],
    of_queries: tuple[Tensor, ...],
    of_keys: tuple[Tensor, ...],
    mask: Any,
    bias: Any,
    is_causal: bool,
) -> list[Tensor]:
    """Return ``attend(*of_queries, *of_keys)``, whose gradients nothing hidden can make NaN."""
    if mask is None and bias is None and not is_causal:
        return attend(*of_queries, *of_keys)

    def sees(odd: Tensor, results: list[Tensor]) -> Tensor:
        pairs = (*results[0].shape[:-2], of_queries[0].shape[-2], of_keys[0].shape[-2])
        visible = visible_pairs(pairs, odd.device, mask, bias, is_causal)
        seen = odd[..., None, :] if visible is None else odd[..., None, :] & visible
        return seen.any(-1)  # (..., num_queries)

    return contain_rows(attend, of_queries, of_keys, sees)


def contain_rows(
    attend: Callable[..., list[Tensor]],
    of_queries: tuple[Tensor, ...],
    of_keys: tuple[Tensor, ...],
    sees: Callable[[Tensor, list[Tensor]], Tensor],
) -> list[Tensor]:
    """Return ``attend(*of_queries, *of_keys)``; ``sees`` says which rows see one of some keys.

    The derivative of a product is the other factor, and 0 * NaN is NaN. So when a number is not
    finite, gradients flow through a copy in which it is 0; rows that do see it get the result
    computed as it is, without gradient.
    """
    given = of_queries + of_keys
    if all_finite(*given):
        return attend(*given)
    results = attend(*(torch.where(t.isfinite(), t, 0) for t in given))
    with torch.no_grad():
        exact = attend(*given)
        odd_query, odd_key = (_odd(*tensors) for tensors in (of_queries, of_keys))
        rows = (odd_query | sees(odd_key, results))[..., None]
    return [torch.where(rows, e, r) for e, r in zip(exact, results, strict=True)]


def weighted_sum(weights: Tensor, value: Tensor, visible: Tensor | None) -> Tensor:
    """Return ``weights @ value`` in which a value that is NaN or inf reaches only who sees it."""
    if visible is None or all_finite(value):
        return weights @ value
    output = weights @ torch.where(value.isfinite(), value, 0)
    seen = visible.expand(torch.broadcast_shapes(visible.shape, weights.shape[-2:])).to(value)
    for kind in (torch.nan, torch.inf, -torch.inf):
        found = value.isnan() if kind != kind else value == kind
        output = output + torch.where(seen @ found.to(value) > 0, kind, 0.0).to(value)
    return output


def _odd(*tensors: Tensor) -> Tensor:
    """Return which tokens are not finite in one of the tensors."""
    marks = [~tensor.isfinite().all(-1) for tensor in tensors]
    return reduce(torch.logical_or, marks)
