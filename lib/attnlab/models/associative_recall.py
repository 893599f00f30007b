"""Define two models that read pairs and look one up: by a GRU and by attention.

Each maps keys and values of shape (batch, num_pairs) and the keys to look up, (batch,), to logits
of shape (batch, num_words). Both see a pair as the key's vector beside its value's.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn import scaled_dot_product_attention

WIDTH = 32


class GRURecall(nn.Module):
    """A GRU that reads the pairs one after the other, and the key to look up last."""

    def __init__(self, num_words: int, width: int) -> None:
        super().__init__()
        self.key, self.value = (nn.Embedding(num_words + 1, WIDTH // 2) for _ in range(2))
        self.read = nn.GRU(WIDTH, width, batch_first=True)
        self.to_logits = nn.Linear(width, num_words)
        self.blank = num_words

    def forward(self, keys: Tensor, values: Tensor, query_keys: Tensor) -> Tensor:
        """Return logits."""
        # The key to look up comes as a pair with a blank value.
        keys = torch.cat([keys, query_keys[:, None]], dim=1)
        values = torch.cat([values, torch.full_like(query_keys, self.blank)[:, None]], dim=1)
        _, last = self.read(torch.cat([self.key(keys), self.value(values)], dim=-1))
        return self.to_logits(last[0])


class AttentionRecall(nn.Module):
    """A query that attends to all pairs. Their order does not matter, so there are no positions."""

    def __init__(self, num_words: int) -> None:
        super().__init__()
        self.key, self.value = (nn.Embedding(num_words, WIDTH // 2) for _ in range(2))
        self.to_query = nn.Linear(WIDTH // 2, WIDTH, bias=False)
        self.to_key, self.to_value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.to_logits = nn.Linear(WIDTH, num_words)

    def forward(self, keys: Tensor, values: Tensor, query_keys: Tensor) -> Tensor:
        """Return logits."""
        pairs = torch.cat([self.key(keys), self.value(values)], dim=-1)  # (batch, num_pairs, WIDTH)
        query = self.to_query(self.key(query_keys))[:, None]
        context = scaled_dot_product_attention(query, self.to_key(pairs), self.to_value(pairs))
        return self.to_logits(context[:, 0])
