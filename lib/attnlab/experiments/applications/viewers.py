"""Models that look at pictures: cells are keys and values, words or objects are queries."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn.torch import scaled_dot_product_attention
from attnlab.experiments.applications.glyphs import SIDE

WIDTH = 32
#: Cells of the pictures that get captions.
NUM_CELLS = 16


def _features() -> nn.Sequential:
    """Return what makes a vector of one cell's pixels; it sees no other cell."""
    return nn.Sequential(nn.Linear(SIDE * SIDE, 64), nn.ReLU(), nn.Linear(64, WIDTH))


class Finder(nn.Module):
    """One learned query for each kind of object; its context decides whether the object is there.

    As the object queries of Carion et al. (2020), "End-to-End Object Detection with Transformers",
    but for known kinds, without boxes, and in one layer.
    """

    def __init__(self, num_names: int) -> None:
        super().__init__()
        self.see = _features()
        self.query = nn.Parameter(torch.randn(num_names, WIDTH))
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_value = nn.Linear(WIDTH, WIDTH, bias=False)
        self.answer = nn.Linear(WIDTH, num_names)

    def look(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits, (batch, num_names), and the weights, (batch, num_names, num_cells)."""
        seen = self.see(cells)  # (batch, num_cells, WIDTH)
        context, weights = scaled_dot_product_attention(
            self.query, self.to_key(seen), self.to_value(seen), return_weights=True
        )  # (batch, num_names, WIDTH)
        return (context * self.answer.weight).sum(dim=-1) + self.answer.bias, weights

    def forward(self, cells: Tensor) -> Tensor:
        """Return logits."""
        return self.look(cells)[0]


class Writer(nn.Module):
    """A GRU that writes a caption word by word, and looks at the picture before each.

    After Xu et al. (2015), "Show, Attend and Tell", with soft attention. Without ``looks`` it gets
    the mean of the cells at every word, as if all weights were equal.
    """

    def __init__(self, num_words: int, *, looks: bool) -> None:
        super().__init__()
        self.looks = looks
        self.see = _features()
        self.embed = nn.Embedding(num_words, WIDTH)
        self.place = nn.Parameter(torch.randn(NUM_CELLS, WIDTH))
        self.step = nn.GRUCell(2 * WIDTH, 2 * WIDTH)
        self.to_query = nn.Linear(2 * WIDTH, WIDTH, bias=False)
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.answer = nn.Linear(3 * WIDTH, num_words)

    def look(self, cells: Tensor, before: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits, (batch, length, num_words), and the weights, (batch, length, num_cells).

        ``before`` has the word before each step, shape (batch, length).
        """
        seen = self.see(cells)
        seen = seen + self.place
        key = self.to_key(seen)
        state = seen.new_zeros(len(cells), 2 * WIDTH)
        logits, given = [], []
        for word in self.embed(before).unbind(dim=1):
            query = self.to_query(state)[:, None]
            context, weights = scaled_dot_product_attention(
                query if self.looks else torch.zeros_like(query), key, seen, return_weights=True
            )
            state = self.step(torch.cat([word, context[:, 0]], dim=-1), state)
            logits.append(self.answer(torch.cat([state, context[:, 0]], dim=-1)))
            given.append(weights[:, 0])
        return torch.stack(logits, dim=1), torch.stack(given, dim=1)

    def forward(self, cells: Tensor, before: Tensor) -> Tensor:
        """Return logits."""
        return self.look(cells, before)[0]
