"""Train the detector of glyphs: on which of them a picture has, and never on where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnlab.data import glyphs

if TYPE_CHECKING:
    from torch import Tensor, nn

    from attnlab.models.vision import GlyphDetector

NAME = "detector"
TRAINED_SIDE, NUM_GLYPHS = 4, 4


def train(
    seed: int = 0,
    steps: int = 600,
    learning_rate: float = 0.01,
    width: int = 32,
    spread: float = 1.0,
) -> GlyphDetector:
    """Return a trained model; its pictures are grids of `TRAINED_SIDE` by as many cells."""
    from attnlab.models import training
    from attnlab.models.vision import GlyphDetector

    batches = training.batches(
        seed, steps, lambda rng: glyphs.draw(rng, 32, NUM_GLYPHS, TRAINED_SIDE)
    )

    with training.one_thread(seed):
        model = GlyphDetector(len(glyphs.NAMES), width, spread)
        training.fit(model, batches, _loss, learning_rate=learning_rate, decay_steps=steps)
    return model


def _loss(model: nn.Module, batch: glyphs.Pictures) -> Tensor:
    from torch.nn.functional import binary_cross_entropy_with_logits

    from attnlab.models.training import tensor

    return binary_cross_entropy_with_logits(model(tensor(batch.cells)), tensor(glyphs.there(batch)))
