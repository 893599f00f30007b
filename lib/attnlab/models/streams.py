"""Define a layer of causal attention that reads a stream: sometimes it must copy, mostly not."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

from attn import rotary, scaled_dot_product_attention

Abstention = Literal["plain", "sink", "gate"]
WIDTH = 32


class StreamModel(nn.Module):
    """Embeddings, one head of causal attention, a feed-forward network.

    Half of the features of queries and keys are turned by their positions, so that a score may
    depend on the distance, on what the tokens are, or on both.

    It maps tokens of shape (batch, num_tokens) to logits of the next ones, (batch, num_tokens,
    num_words).

    Parameters
    ----------
    num_words : int
    abstention : "plain", "sink" or "gate"
        How the head may return nothing: not at all, by a learned score beside those of the keys, or
        by a sigmoid of the query's token that multiplies its output.
    sink : float
        Where that score starts.
    """

    def __init__(self, num_words: int, abstention: Abstention, sink: float = 0.0) -> None:
        super().__init__()
        self.embedding = nn.Embedding(num_words, WIDTH)
        self.to_query, self.to_key, self.to_value, self.to_output = (
            nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4)
        )
        self.sink = nn.Parameter(torch.full((1,), float(sink))) if abstention == "sink" else None
        self.to_gate = nn.Linear(WIDTH, 1) if abstention == "gate" else None
        self.norm = nn.LayerNorm(WIDTH)
        self.feed_forward = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, num_words)
        )

    def forward_with_weights(
        self, tokens: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return logits, and the weights of the head, (batch, num_tokens, num_tokens).

        ``mask``, (num_tokens, num_tokens), hides what a cache no longer holds.
        """
        x = self.embedding(tokens)  # (batch, num_tokens, WIDTH)
        query, key = (_half_turned(project(x)) for project in (self.to_query, self.to_key))
        output, weights = scaled_dot_product_attention(
            query,
            key,
            self.to_value(x),
            mask=mask,
            causal=True,
            sink=self.sink,
            return_weights=True,
        )
        if self.to_gate is not None:
            output = output * self.to_gate(x).sigmoid()
        return self.feed_forward(self.norm(x + self.to_output(output))), weights

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits."""
        return self.forward_with_weights(tokens)[0]


def _half_turned(x: Tensor) -> Tensor:
    return torch.cat([rotary(x[..., : WIDTH // 2]), x[..., WIDTH // 2 :]], dim=-1)
