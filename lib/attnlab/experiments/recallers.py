"""Two models that read pairs and are asked for one: `FixedVector` and `Attention`.

Each maps keys and values of shape (batch, num_pairs) and the asked keys, (batch,), to logits of
shape (batch, num_words). Both are given the same vectors: a key's beside its value's.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn.torch import scaled_dot_product_attention

WIDTH = 32


class FixedVector(nn.Module):
    """A GRU reads the pairs one after the other, and last the question."""

    def __init__(self, num_words: int, width: int) -> None:
        super().__init__()
        self.key, self.value = (nn.Embedding(num_words + 1, WIDTH // 2) for _ in range(2))
        self.read = nn.GRU(WIDTH, width, batch_first=True)
        self.answer = nn.Linear(width, num_words)
        self.blank = num_words

    def forward(self, keys: Tensor, values: Tensor, asked: Tensor) -> Tensor:
        """Return logits."""
        # The question is a pair without a value.
        keys = torch.cat([keys, asked[:, None]], dim=1)
        values = torch.cat([values, torch.full_like(asked, self.blank)[:, None]], dim=1)
        _, last = self.read(torch.cat([self.key(keys), self.value(values)], dim=-1))
        return self.answer(last[0])


class Attention(nn.Module):
    """The question looks at all pairs; order does not matter, so positions are not needed."""

    def __init__(self, num_words: int) -> None:
        super().__init__()
        self.key, self.value = (nn.Embedding(num_words, WIDTH // 2) for _ in range(2))
        self.to_query = nn.Linear(WIDTH // 2, WIDTH, bias=False)
        self.to_key, self.to_value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.answer = nn.Linear(WIDTH, num_words)

    def forward(self, keys: Tensor, values: Tensor, asked: Tensor) -> Tensor:
        """Return logits."""
        pairs = torch.cat([self.key(keys), self.value(values)], dim=-1)  # (batch, num_pairs, WIDTH)
        query = self.to_query(self.key(asked))[:, None]
        found = scaled_dot_product_attention(query, self.to_key(pairs), self.to_value(pairs))
        return self.answer(found[:, 0])
