"""Exact attention in memory linear in the tokens, also for the gradient."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from attn._arguments import leading_axes, shape_of
from attn._types import Options
from attn.attention import scaled_dot_product_attention
from attn.torch.fast.fused import attention

_ROWS = 256  # queries in a block


def blockwise_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scale: float,
    mask: Tensor | None,
    causal: bool,
    block: tuple[int, int] | None = None,
) -> Tensor:
    """Return the outputs; without ``block``, by the fused kernel where that is exact."""
    num_queries, num_keys = query.shape[-2], key.shape[-2]
    if block is None:
        shape = (*leading_axes(query=query, key=key, value=value), num_queries, num_keys)
        output = attention(query, key, value, shape, scale, mask, causal)
        if output is not None:
            return output
    rows = _ROWS if block is None else block[0]

    def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        options: Options = {"mask": mask, "causal": causal, "scale": scale}
        return scaled_dot_product_attention(query, key, value, **options)

    outputs = []
    for start in range(0, num_queries, rows):
        stop = min(start + rows, num_queries)
        end = max(0, stop + num_keys - num_queries) if causal else num_keys
        part = _part(mask, slice(start, stop), end)
        keys, values = key[..., :end, :], value[..., :end, :]
        outputs.append(
            checkpoint(attend, query[..., start:stop, :], keys, values, part, use_reentrant=False)
        )
    return torch.cat(outputs, dim=-2) if outputs else attend(query, key, value, mask)


def _part(mask: Tensor | None, rows: slice, end: int) -> Tensor | None:
    if mask is None:
        return None
    shape = (1, 1, *shape_of(mask))[-2:]
    mask = mask.expand(*mask.shape[:-2], *shape) if mask.ndim < 2 else mask
    mask = mask[..., rows, :] if shape[0] > 1 else mask
    return mask[..., :end] if shape[1] > 1 else mask
