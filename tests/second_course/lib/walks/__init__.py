"""Random walks on a line, one step of length 1 at a time."""

from __future__ import annotations

import numpy as np

__all__ = ["mean_square", "positions"]


def positions(num_walks: int, num_steps: int, rng: np.random.Generator) -> np.ndarray:
    """Return the positions of walks that start at 0, shape (num_walks, num_steps + 1)."""
    steps = rng.choice([-1, 1], size=(num_walks, num_steps))
    return np.concatenate([np.zeros((num_walks, 1), int), steps.cumsum(axis=1)], axis=1)


def mean_square(positions: np.ndarray) -> np.ndarray:
    """Return the mean of the squared positions over all walks, shape (num_steps + 1,)."""
    return np.mean(np.square(positions), axis=0)
