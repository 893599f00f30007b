"""Exact attention in memory linear in the tokens, also for the gradient."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from attn._arguments import check_attention, scale_or_default, shape_of
from attn._hints import explain_torch_names
from attn.blockwise import block_sizes
from attn.torch._tensors import as_mask, as_tensors
from attn.torch.attention import scaled_dot_product_attention
from attn.torch.fused import fused_attention

_ROWS = 256  # queries in a block


@explain_torch_names
def blockwise_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    mask: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    block: int | tuple[int, int] | None = None,
) -> Tensor:
    """Return what `scaled_dot_product_attention` returns, without an array of all scores.

    Torch's fused kernel does so where it is exact. Elsewhere the queries are taken in blocks, which
    the gradient computes a second time instead of keeping their scores.

    Parameters
    ----------
    query : tensor, shape (..., num_queries, d_k)
    key : tensor, shape (..., num_keys, d_k)
    value : tensor, shape (..., num_keys, d_v)
    mask : bool tensor, broadcastable to (..., num_queries, num_keys), optional
    is_causal : bool
        The last query sees the last key.
    scale : float, optional
    block : int or (int, int), optional
        Take this many queries at a time, and not the fused kernel. (A number of keys is accepted
        as in `attn.blockwise_attention`, and of no effect.)

    Returns
    -------
    tensor, shape (..., num_queries, d_v)

    Raises
    ------
    ValueError
        If shapes do not fit or a block is empty.
    TypeError
        If ``mask`` is not boolean.

    References
    ----------
    Rabe and Staats (2021), "Self-attention Does Not Need O(n^2) Memory".

    Examples
    --------
    >>> import torch
    >>> x = torch.ones(2, 6, 8)
    >>> blockwise_attention(x, x, x, is_causal=True, block=4).shape
    torch.Size([2, 6, 8])
    """
    (query, key, value), _ = as_tensors(query=query, key=key, value=value)
    mask = as_mask(mask, check_attention(query, key, value), query.device)
    scale, sizes = scale_or_default(query, scale), block_sizes(block)
    if sizes is None:
        output = fused_attention(query, key, value, scale, mask, is_causal)
        if output is not None:
            return output
    rows = _ROWS if sizes is None else sizes[0]

    def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        return scaled_dot_product_attention(
            query, key, value, mask=mask, is_causal=is_causal, scale=scale
        )

    past = key.shape[-2] - query.shape[-2]
    outputs = []
    for start in range(0, query.shape[-2], rows):
        stop = min(start + rows, query.shape[-2])
        end = max(0, stop + past) if is_causal else key.shape[-2]
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
