"""Define a classifier of word vectors with none, one or two layers of attention."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from attn import scaled_dot_product_attention, sinusoidal_positions
from attn.torch import MultiHeadAttention


class WordVectorClassifier(nn.Module):
    """Word vectors, optionally self-attention, pooling by one learned query, and two classes.

    Parameters
    ----------
    table : array, shape (num_words, d_model)
        The word vectors; they are not trained.
    pooled : bool
        Pool by attention; otherwise by the plain mean, which is attention with equal weights.
    mixed : bool
        Before that, a layer of self-attention: three heads of width 16, with positions.
    placed : bool
        Add positions to the words themselves, so that pooling sees them as well.
    """

    table: Tensor

    def __init__(
        self, table: NDArray[np.float32], *, pooled: bool, mixed: bool, placed: bool = False
    ) -> None:
        super().__init__()
        self.placed = placed
        width = table.shape[1]
        self.register_buffer("table", torch.from_numpy(table))
        self.mix = MultiHeadAttention(width, num_heads=3, head_dim=16) if mixed else None
        self.query = nn.Parameter(torch.randn(1, width) / width**0.5) if pooled else None
        self.to_key = nn.Linear(width, width, bias=False)
        self.to_logits = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward_with_weights(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits, (batch, 2), and the weights of the pooling, (batch, num_words)."""
        x = self.table[words]  # (batch, num_words, width)
        positions = sinusoidal_positions(x.shape[1], x.shape[2], like=x)
        if self.placed:
            x = x + positions
        if self.mix is not None:
            x = x + self.mix(x + positions)
        query = torch.zeros(1, x.shape[2]) if self.query is None else self.query
        context, weights = scaled_dot_product_attention(
            query, self.to_key(x), x, return_weights=True
        )
        return self.to_logits(context[:, 0]), weights[:, 0]

    def forward(self, words: Tensor) -> Tensor:
        """Return logits."""
        return self.forward_with_weights(words)[0]
