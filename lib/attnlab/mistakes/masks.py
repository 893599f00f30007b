"""Compute mistakes in masks: True and False in the wrong places."""

from __future__ import annotations

import numpy as np

from attnlab.mistakes.explanations import Compute, Mistake, explained


def of_causal_mask(num_queries: int, num_keys: int) -> dict[str, Mistake]:
    """Return what mistakes in a causal mask give, shape (num_queries, num_keys)."""
    offset, square = num_keys - num_queries, np.ones((num_queries, num_keys), bool)
    wrong: dict[str, Compute] = {
        "mask-inverted": lambda: ~np.tril(square, offset),
        "one-key-too-few": lambda: np.tril(square, offset - 1),
        "one-key-too-many": lambda: np.tril(square, offset + 1),
        "sees-only-future": lambda: np.triu(square, offset),
        "no-mask": lambda: square,
    }
    if offset:
        wrong["top-left"] = lambda: np.tril(square)
    return explained(wrong)
