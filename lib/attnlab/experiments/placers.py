"""A model that is told where its tokens stand, in one of four ways: `Placer`."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn.torch import (
    alibi_bias,
    merge_heads,
    rotary,
    scaled_dot_product_attention,
    sinusoidal_positions,
    split_heads,
)

WIDTH, NUM_HEADS = 32, 4


class Placer(nn.Module):
    """One layer of attention: the last token asks, all tokens answer.

    It maps tokens of shape (batch, num_tokens) to logits of shape (batch, num_words).
    """

    def __init__(self, encoding: str, num_tokens: int, num_words: int) -> None:
        super().__init__()
        self.encoding = encoding
        self.embedding = nn.Embedding(num_tokens, WIDTH)
        self.project = nn.ModuleDict({name: nn.Linear(WIDTH, WIDTH) for name in "qkv"})
        self.answer = nn.Linear(WIDTH, num_words)

    def forward(self, tokens: Tensor, first: int = 0) -> Tensor:
        """Return logits; ``first`` is the place of the first token."""
        x = self.embedding(tokens)  # (batch, num_tokens, WIDTH)
        places = torch.arange(first, first + tokens.shape[1])
        if self.encoding == "sinusoidal":
            x = x + sinusoidal_positions(int(places[-1]) + 1, WIDTH, dtype=x.dtype)[places]
        query, key, value = (split_heads(self.project[name](x), NUM_HEADS) for name in "qkv")
        if self.encoding == "rotary":
            query, key = rotary(query, places), rotary(key, places)
        bias = None
        if self.encoding == "ALiBi":
            bias = alibi_bias(NUM_HEADS, 1, tokens.shape[1], dtype=x.dtype)
        found = scaled_dot_product_attention(query[:, :, -1:], key, value, bias=bias)
        return self.answer(merge_heads(found)[:, 0])
