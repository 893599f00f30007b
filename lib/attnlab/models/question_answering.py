"""Define two models that answer questions: one keeps a single vector, one every fact.

Both map the things and places of the facts, (batch, num_facts), and the thing in the question,
(batch,), to logits of shape (batch, num_places).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn import scaled_dot_product_attention

WIDTH = 32


class _Facts(nn.Module):
    """Embeds each fact as one vector, the sum of its two words, and the question as another."""

    def __init__(self, num_things: int, num_places: int) -> None:
        super().__init__()
        self.thing = nn.Embedding(num_things, WIDTH)
        self.place = nn.Embedding(num_places, WIDTH)
        self.query = nn.Embedding(num_things, WIDTH)

    def forward(self, things: Tensor, places: Tensor, question: Tensor) -> tuple[Tensor, Tensor]:
        """Return the facts, (batch, num_facts, WIDTH), and the query, (batch, WIDTH)."""
        return self.thing(things) + self.place(places), self.query(question)


class GRUMemory(nn.Module):
    """A GRU that reads the facts one after the other; only its last state is used.

    ``keep`` is added to the bias of its update gate before training: with 2 a state first keeps
    seven eighths of what it was.
    """

    def __init__(self, num_things: int, num_places: int, keep: float = 0.0) -> None:
        super().__init__()
        self.facts = _Facts(num_things, num_places)
        self.read = nn.GRU(WIDTH, 2 * WIDTH, batch_first=True)
        with torch.no_grad():  # the second third of the biases is the update gate's
            dict(self.read.named_parameters())["bias_ih_l0"][2 * WIDTH : 4 * WIDTH] += keep
        self.to_logits = nn.Sequential(
            nn.Linear(3 * WIDTH, 64), nn.ReLU(), nn.Linear(64, num_places)
        )

    def forward_with_weights(
        self, things: Tensor, places: Tensor, question: Tensor
    ) -> tuple[Tensor, None]:
        """Return logits; there are no weights."""
        facts, query = self.facts(things, places, question)
        _, last = self.read(facts)  # (1, batch, 2 * WIDTH)
        return self.to_logits(torch.cat([last[0], query], dim=-1)), None

    def forward(self, things: Tensor, places: Tensor, question: Tensor) -> Tensor:
        """Return logits."""
        return self.forward_with_weights(things, places, question)[0]


class AttentionMemory(nn.Module):
    """Attention of the question to all facts: every fact is a key and a value.

    One hop of the memory network of Sukhbaatar et al. (2015), with a learned slope in place of
    their embeddings of time: ``order`` adds ``slope`` times the distance to the end to the scores.
    """

    def __init__(self, num_things: int, num_places: int, *, order: bool) -> None:
        super().__init__()
        self.facts = _Facts(num_things, num_places)
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_value = nn.Linear(WIDTH, WIDTH, bias=False)
        self.slope = nn.Parameter(torch.zeros(1)) if order else None
        self.to_logits = nn.Sequential(nn.Linear(WIDTH, 64), nn.ReLU(), nn.Linear(64, num_places))

    def forward_with_weights(
        self, things: Tensor, places: Tensor, question: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return logits, and the weights of the facts, (batch, num_facts)."""
        facts, query = self.facts(things, places, question)
        distance = torch.arange(things.shape[1] - 1, -1, -1, dtype=torch.float32)
        bias = None if self.slope is None else self.slope * distance
        context, weights = scaled_dot_product_attention(
            query[:, None],
            self.to_key(facts),
            self.to_value(facts),
            bias=bias,
            return_weights=True,
        )
        return self.to_logits(context[:, 0]), weights[:, 0]

    def forward(self, things: Tensor, places: Tensor, question: Tensor) -> Tensor:
        """Return logits."""
        return self.forward_with_weights(things, places, question)[0]
