"""Two ways to keep facts until a question comes: in one vector, or all of them.

Both map things and places, (batch, num_facts), and the thing asked for, (batch,), to logits of
shape (batch, num_places).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn.torch import scaled_dot_product_attention

WIDTH = 32


class _Facts(nn.Module):
    """Each fact as one vector, the sum of its two words; the question as another."""

    def __init__(self, num_things: int, num_places: int) -> None:
        super().__init__()
        self.thing = nn.Embedding(num_things, WIDTH)
        self.place = nn.Embedding(num_places, WIDTH)
        self.question = nn.Embedding(num_things, WIDTH)

    def forward(self, things: Tensor, places: Tensor, asked: Tensor) -> tuple[Tensor, Tensor]:
        """Return the facts, (batch, num_facts, WIDTH), and the question, (batch, WIDTH)."""
        return self.thing(things) + self.place(places), self.question(asked)


class FixedVector(nn.Module):
    """A GRU reads the facts, one after the other; its last state is all that is left of them."""

    def __init__(self, num_things: int, num_places: int) -> None:
        super().__init__()
        self.facts = _Facts(num_things, num_places)
        self.read = nn.GRU(WIDTH, 2 * WIDTH, batch_first=True)
        self.answer = nn.Sequential(nn.Linear(3 * WIDTH, 64), nn.ReLU(), nn.Linear(64, num_places))

    def look(self, things: Tensor, places: Tensor, asked: Tensor) -> tuple[Tensor, None]:
        """Return logits; there are no weights."""
        facts, question = self.facts(things, places, asked)
        _, last = self.read(facts)  # (1, batch, 2 * WIDTH)
        return self.answer(torch.cat([last[0], question], dim=-1)), None

    def forward(self, things: Tensor, places: Tensor, asked: Tensor) -> Tensor:
        """Return logits."""
        return self.look(things, places, asked)[0]


class Attention(nn.Module):
    """The question is the query; every fact is a key and a value.

    One hop of the memory network of Sukhbaatar et al. (2015), with a learned slope in place of
    their embeddings of time: ``order`` adds ``slope`` times the distance to the end to the scores.
    """

    def __init__(self, num_things: int, num_places: int, *, order: bool) -> None:
        super().__init__()
        self.facts = _Facts(num_things, num_places)
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_value = nn.Linear(WIDTH, WIDTH, bias=False)
        self.slope = nn.Parameter(torch.zeros(1)) if order else None
        self.answer = nn.Sequential(nn.Linear(WIDTH, 64), nn.ReLU(), nn.Linear(64, num_places))

    def look(self, things: Tensor, places: Tensor, asked: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits, and the weights of the facts, (batch, num_facts)."""
        facts, question = self.facts(things, places, asked)
        distance = torch.arange(things.shape[1] - 1, -1, -1, dtype=torch.float32)
        bias = None if self.slope is None else self.slope * distance
        context, weights = scaled_dot_product_attention(
            question[:, None],
            self.to_key(facts),
            self.to_value(facts),
            bias=bias,
            return_weights=True,
        )
        return self.answer(context[:, 0]), weights[:, 0]

    def forward(self, things: Tensor, places: Tensor, asked: Tensor) -> Tensor:
        """Return logits."""
        return self.look(things, places, asked)[0]
