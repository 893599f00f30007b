"""Define one layer of attention with one of four position encodings."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn import (
    alibi_bias,
    merge_heads,
    rotary,
    scaled_dot_product_attention,
    sinusoidal_positions,
    split_heads,
)

WIDTH, NUM_HEADS = 32, 4


class PositionModel(nn.Module):
    """One layer of attention: the query of the last token attends to all tokens.

    It maps tokens of shape (batch, num_tokens) to logits of shape (batch, num_words). The heads
    share the ``width`` features: of 32, eight heads get 4 each, which gives rotary two hands.
    """

    def __init__(
        self,
        encoding: str,
        num_tokens: int,
        num_words: int,
        num_heads: int = NUM_HEADS,
        width: int = WIDTH,
    ) -> None:
        super().__init__()
        self.encoding, self.num_heads = encoding, num_heads
        self.embedding = nn.Embedding(num_tokens, width)
        self.project = nn.ModuleDict({name: nn.Linear(width, width) for name in "qkv"})
        self.to_logits = nn.Linear(width, num_words)

    def forward(self, tokens: Tensor, first: int = 0) -> Tensor:
        """Return logits; ``first`` is the position of the first token."""
        x = self.embedding(tokens)  # (batch, num_tokens, WIDTH)
        last = first + tokens.shape[1] - 1
        positions = torch.arange(first, last + 1)
        if self.encoding == "sinusoidal":
            x = x + sinusoidal_positions(last + 1, x.shape[-1], like=x)[positions]
        query, key, value = (split_heads(self.project[name](x), self.num_heads) for name in "qkv")
        if self.encoding == "rotary":
            query, key = rotary(query, positions), rotary(key, positions)
        bias = None
        if self.encoding == "ALiBi":
            bias = alibi_bias(self.num_heads, 1, tokens.shape[1], like=x)
        context = scaled_dot_product_attention(query[:, :, -1:], key, value, bias=bias)
        return self.to_logits(merge_heads(context)[:, 0])
