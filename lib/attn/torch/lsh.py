"""LSH attention with gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from attn._hints import explain_torch_names
from attn.formulas import softmax, unit_length, weighted_sum
from attn.lsh import hash_tokens
from attn.lsh_buckets import HashedTokens
from attn.torch._tensors import as_tensors, compute_type, on_host
from attn.torch.containment import contain_rows

#: Scores that are computed at once.
_GROUP = 1 << 18


@explain_torch_names
def lsh_attention(
    query_key: Tensor,
    value: Tensor,
    *,
    num_buckets: int | Sequence[int],
    num_hashes: int,
    chunk_length: int,
    rng: int | np.random.Generator | None = None,
    rotations: Any = None,
    is_causal: bool = False,
    mask: Any = None,
) -> Tensor:
    """Return attention of each token to tokens that hash alike in one of several rounds.

    Buckets are computed on the CPU, as in `attn.lsh_attention`. The attention within chunks has
    gradients; the choice of a bucket has none.

    Parameters
    ----------
    query_key : tensor, shape (..., heads, tokens, d)
    value : tensor, shape (..., heads, tokens, d_v)
    num_buckets, num_hashes, chunk_length, rng, rotations, is_causal, mask
        As in `attn.lsh_attention`.

    Returns
    -------
    tensor, shape (..., heads, tokens, d_v)

    Raises
    ------
    ValueError
        If a number of buckets is not even and positive, or shapes do not fit.

    References
    ----------
    Kitaev, Kaiser and Levskaya (2020), "Reformer: The Efficient Transformer", section 2.

    Examples
    --------
    >>> x = torch.randn(2, 3, 32, 8)
    >>> lsh_attention(x, x, num_buckets=4, num_hashes=2, chunk_length=8).shape
    torch.Size([2, 3, 32, 8])
    """
    (x, value), dtype = as_tensors(query_key=query_key, value=value)
    wide = compute_type(dtype)
    tokens = hash_tokens(
        on_host(x.detach()),
        on_host(value.detach()),
        num_buckets,
        num_hashes,
        chunk_length,
        rng,
        on_host(rotations),
        on_host(mask),
    )
    chunks = _Chunks(tokens, is_causal, x.device)

    def attend(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
        return (chunks.attend(query, key, value),)

    queries, values = chunks.fill(x.to(wide)), chunks.fill(value.to(wide))
    output = contain_rows(attend, (queries,), (unit_length(queries), values), chunks.sees)[0]
    shown = torch.where(chunks.real[..., None], output, 0)[..., : x.shape[-2], :]
    unbatched = x.ndim == 2 and value.ndim == 2
    return (shown[0] if unbatched else shown).to(dtype)


class _Chunks:
    """Chunks of sorted tokens as queries, and as keys the same with the chunk before."""

    def __init__(self, tokens: HashedTokens, is_causal: bool, device: torch.device) -> None:
        self.real = torch.from_numpy(tokens.real.copy()).to(device)
        self.order = torch.from_numpy(tokens.order).to(device=device, dtype=torch.int64)
        # (..., chunks of all rounds, chunk_length): one ring
        self.queries = self.order.flatten(-2).unflatten(-1, (-1, tokens.chunk_length))
        self.keys = torch.cat([self.queries.roll(1, dims=-2), self.queries], dim=-1)
        queries, keys = self.queries[..., :, None], self.keys[..., None, :]
        self.visible = (keys < queries) if is_causal else (keys != queries)
        self.visible = self.visible & self._take(self.real[..., None], self.keys).mT

    def fill(self, x: Tensor) -> Tensor:
        """Return ``x`` with zeros for the tokens that are hidden or were added."""
        padded = functional.pad(x, (0, 0, 0, self.real.shape[-1] - x.shape[-2]))
        return torch.where(self.real[..., None], padded, 0)

    def attend(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Return the outputs, (..., heads, padded, d_v)."""
        scores_of_chunk = math.prod(self.visible.shape) // max(1, self.visible.shape[-3])
        size = max(1, _GROUP // max(1, scores_of_chunk))
        groups = [slice(start, start + size) for start in range(0, self.queries.shape[-2], size)]
        if not groups:
            return value
        attended = [self._attend(query, key, value, group) for group in groups]
        sums, logs = (torch.cat(parts, dim=-3) for parts in zip(*attended, strict=True))
        rounds = self._unsorted(sums)  # (..., rounds, padded, d_v)
        totals = self._unsorted(logs)  # (..., rounds, padded, 1)
        alone = (totals == -torch.inf).all(-3)
        # A token that saw nothing else sees itself.
        return torch.where(alone, value, (softmax(totals, -3) * rounds).sum(-3))

    def _attend(
        self, query: Tensor, key: Tensor, value: Tensor, group: slice
    ) -> tuple[Tensor, Tensor]:
        """Return outputs and logsumexp of some chunks: few enough for the cache."""
        queries, keys = self.queries[..., group, :], self.keys[..., group, :]
        visible = self.visible[..., group, :, :]
        scores = self._take(query, queries) @ self._take(key, keys).mT
        scores = torch.where(visible, scores, -torch.inf)
        sums = weighted_sum(softmax(scores), self._take(value, keys), visible)
        empty = ~visible.any(-1, keepdim=True)
        logs = torch.logsumexp(scores.masked_fill(empty, 0), dim=-1, keepdim=True)
        return sums, logs.masked_fill(empty, -torch.inf)

    def sees(self, odd: Tensor) -> Tensor:
        """Return which tokens see one of the marked ones, or are marked, (..., heads, padded)."""
        rows = (self.visible & self._take(odd[..., None], self.keys).mT).any(-1, keepdim=True)
        return self._unsorted(rows).any(-3)[..., 0] | odd

    def _take(self, x: Tensor, indices: Tensor) -> Tensor:
        """Return the rows of ``x``, (..., tokens, f), at indices (..., chunks, n)."""
        rows = indices.flatten(-2)[..., None].expand(*indices.shape[:-2], -1, x.shape[-1])
        return x.gather(-2, rows).unflatten(-2, indices.shape[-2:])

    def _unsorted(self, x: Tensor) -> Tensor:
        """Return ``x``, (..., chunks, chunk_length, f), as (..., rounds, tokens, f)."""
        rounds = x.flatten(-3, -2).unflatten(-2, self.order.shape[-2:])
        places = self.order.argsort(dim=-1)[..., None].expand_as(rounds)
        return rounds.gather(-2, places)
