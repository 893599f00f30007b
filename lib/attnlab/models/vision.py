"""Models that attend to pictures: cells are keys and values, words or objects are queries."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from attn.torch import scaled_dot_product_attention
from attnlab.data import glyphs
from attnlab.data.glyphs import SIDE
from attnlab.models import training

WIDTH = 32
#: Cells of the pictures that get captions.
NUM_CELLS = 16
#: Glyphs in each picture that a detector is trained on.
NUM_GLYPHS = 4


def _features(width: int = WIDTH) -> nn.Sequential:
    """Return the network that turns the pixels of one cell into a vector."""
    return nn.Sequential(nn.Linear(SIDE * SIDE, 64), nn.ReLU(), nn.Linear(64, width))


class GlyphDetector(nn.Module):
    """One learned query for each kind of object; its context tells whether the object is there.

    As the object queries of Carion et al. (2020), "End-to-End Object Detection with Transformers",
    but for known kinds, without boxes, and in one layer.

    Parameters
    ----------
    num_names : int
    width : int
    spread : float
        The standard deviation of the queries' components before training.
    """

    def __init__(self, num_names: int, width: int = WIDTH, spread: float = 1.0) -> None:
        super().__init__()
        self.encode = _features(width)
        self.query = nn.Parameter(spread * torch.randn(num_names, width))
        self.to_key = nn.Linear(width, width, bias=False)
        self.to_value = nn.Linear(width, width, bias=False)
        self.to_logits = nn.Linear(width, num_names)

    def forward_with_weights(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits, (batch, num_names), and the weights, (batch, num_names, num_cells)."""
        encoded = self.encode(cells)  # (batch, num_cells, width)
        context, weights = scaled_dot_product_attention(
            self.query, self.to_key(encoded), self.to_value(encoded), return_weights=True
        )  # (batch, num_names, width)
        return (context * self.to_logits.weight).sum(dim=-1) + self.to_logits.bias, weights

    def forward(self, cells: Tensor) -> Tensor:
        """Return logits."""
        return self.forward_with_weights(cells)[0]


def train_detector(
    seed: int = 0,
    steps: int = 600,
    learning_rate: float = 0.01,
    width: int = WIDTH,
    spread: float = 1.0,
) -> GlyphDetector:
    """Return a trained detector; its pictures are grids of 4 by 4 cells with `NUM_GLYPHS`."""
    batches = training.batches(seed, steps, lambda rng: glyphs.draw(rng, 32, NUM_GLYPHS))
    with training.one_thread(seed):
        model = GlyphDetector(len(glyphs.NAMES), width, spread)
        training.fit(model, batches, _loss, learning_rate=learning_rate, decay_steps=steps)
    return model


def there_in(pictures: glyphs.Pictures) -> NDArray[np.float32]:
    """Return 1 for each glyph that a picture has, else 0: (batch, num_names)."""
    there = np.zeros((len(pictures.cells), len(glyphs.NAMES)), dtype=np.float32)
    np.put_along_axis(there, pictures.glyphs, 1, axis=1)
    return there


def _loss(model: nn.Module, batch: glyphs.Pictures) -> Tensor:
    logits = model(training.tensor(batch.cells))
    return binary_cross_entropy_with_logits(logits, training.tensor(there_in(batch)))


class CaptionDecoder(nn.Module):
    """A GRU that writes a caption word by word and attends to the picture before each.

    After Xu et al. (2015), "Show, Attend and Tell", with soft attention. Without ``attends`` it
    gets the mean of the cells at every word, as if all weights were equal.
    """

    def __init__(self, num_words: int, *, attends: bool) -> None:
        super().__init__()
        self.attends = attends
        self.encode = _features()
        self.embed = nn.Embedding(num_words, WIDTH)
        self.position = nn.Parameter(torch.randn(NUM_CELLS, WIDTH))
        self.step = nn.GRUCell(2 * WIDTH, 2 * WIDTH)
        self.to_query = nn.Linear(2 * WIDTH, WIDTH, bias=False)
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_logits = nn.Linear(3 * WIDTH, num_words)

    def forward_with_weights(self, cells: Tensor, before: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits, (batch, length, num_words), and the weights, (batch, length, num_cells).

        ``before`` has the word before each step, shape (batch, length).
        """
        encoded = self.encode(cells)
        encoded = encoded + self.position
        key = self.to_key(encoded)
        state = encoded.new_zeros(len(cells), 2 * WIDTH)
        logits, all_weights = [], []
        for word in self.embed(before).unbind(dim=1):
            query = self.to_query(state)[:, None]
            context, weights = scaled_dot_product_attention(
                query if self.attends else torch.zeros_like(query),
                key,
                encoded,
                return_weights=True,
            )
            state = self.step(torch.cat([word, context[:, 0]], dim=-1), state)
            logits.append(self.to_logits(torch.cat([state, context[:, 0]], dim=-1)))
            all_weights.append(weights[:, 0])
        return torch.stack(logits, dim=1), torch.stack(all_weights, dim=1)

    def forward(self, cells: Tensor, before: Tensor) -> Tensor:
        """Return logits."""
        return self.forward_with_weights(cells, before)[0]
