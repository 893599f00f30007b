"""Define one layer of attention for associative recall, with today's relatives of the softmax."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn import linear_attention, merge_heads, rms_norm, scaled_dot_product_attention, split_heads

WIDTH = 32


class Lookup(nn.Module):
    """Pairs of key and value are tokens; the query of one more key attends to all of them.

    It maps keys and values of shape (batch, num_pairs) and the keys to look up, (batch,), to logits
    of shape (batch, num_words), as the models of `associative_recall` do.

    Parameters
    ----------
    num_words : int
    num_heads : int
    qk_norm : bool
        Normalise each head's queries and keys, with learned gains.
    soft_cap : float, optional
        Squeezes the scores between minus and plus this number.
    """

    def __init__(
        self,
        num_words: int,
        num_heads: int = 2,
        qk_norm: bool = False,
        soft_cap: float | None = None,
    ) -> None:
        super().__init__()
        self.key, self.value = (nn.Embedding(num_words, WIDTH // 2) for _ in range(2))
        self.to_query = nn.Linear(WIDTH // 2, WIDTH, bias=False)
        self.to_key, self.to_value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.to_logits = nn.Linear(WIDTH, num_words)
        self.num_heads, self.soft_cap = num_heads, soft_cap
        gains = [nn.Parameter(torch.ones(WIDTH // num_heads)) for _ in range(2)]
        self.gains = nn.ParameterList(gains) if qk_norm else None

    def heads(
        self, keys: Tensor, values: Tensor, query_keys: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries (batch, heads, 1, width), and keys and values of all pairs."""
        pairs = torch.cat([self.key(keys), self.value(values)], dim=-1)  # (batch, num_pairs, WIDTH)
        query = self.to_query(self.key(query_keys))[:, None]
        parts = (query, self.to_key(pairs), self.to_value(pairs))
        query, key, value = (split_heads(part, self.num_heads) for part in parts)
        if self.gains is not None:
            query, key = rms_norm(query, self.gains[0]), rms_norm(key, self.gains[1])
        return query, key, value

    def forward(self, keys: Tensor, values: Tensor, query_keys: Tensor) -> Tensor:
        """Return logits."""
        query, key, value = self.heads(keys, values, query_keys)
        context = scaled_dot_product_attention(query, key, value, soft_cap=self.soft_cap)
        return self.to_logits(merge_heads(context)[:, 0])


class LinearLookup(Lookup):
    """The same without softmax: the pairs are summed into a state before a key is looked up.

    Parameters
    ----------
    num_words : int
    d_features : int
        Width of queries and keys; the state has ``d_features * WIDTH`` numbers and as many totals.
    """

    def __init__(self, num_words: int, d_features: int) -> None:
        super().__init__(num_words, num_heads=1)
        self.to_query = nn.Linear(WIDTH // 2, d_features, bias=False)
        self.to_key = nn.Linear(WIDTH, d_features, bias=False)

    def forward(self, keys: Tensor, values: Tensor, query_keys: Tensor) -> Tensor:
        """Return logits."""
        context = linear_attention(*self.heads(keys, values, query_keys))
        return self.to_logits(merge_heads(context)[:, 0])


class DecayedLookup(LinearLookup):
    """The same with a state that shrinks by a factor before each pair is added to it.

    Parameters
    ----------
    num_words : int
    d_features : int
    decay : float, optional
        The factor, above 0, at most 1. None: each pair computes one, which begins near 1.
    """

    def __init__(self, num_words: int, d_features: int, decay: float | None) -> None:
        super().__init__(num_words, d_features)
        self.decay = decay
        self.to_decay = nn.Linear(WIDTH, 1) if decay is None else None
        if self.to_decay is not None:
            nn.init.constant_(self.to_decay.bias, 4.0)

    def factors(self, keys: Tensor, values: Tensor) -> Tensor:
        """Return by how much each pair shrinks what was read before, (batch, 1, num_pairs)."""
        if self.to_decay is None:
            assert self.decay is not None
            return torch.full((len(keys), 1, keys.shape[1]), self.decay)
        pairs = torch.cat([self.key(keys), self.value(values)], dim=-1)
        # A sigmoid can round to 0, which no state comes back from.
        return self.to_decay(pairs).mT.sigmoid().clamp(min=1e-4)

    def forward(self, keys: Tensor, values: Tensor, query_keys: Tensor) -> Tensor:
        """Return logits."""
        query, key, value = self.heads(keys, values, query_keys)
        # What the query gets from the state at every pair; the last one has read them all.
        contexts = linear_attention(
            query.expand_as(key), key, value, causal=True, decay=self.factors(keys, values)
        )
        return self.to_logits(merge_heads(contexts[..., -1:, :])[:, 0])
