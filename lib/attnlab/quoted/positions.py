"""Numbers of *positions*."""

import numpy as np

import attn
from attnlab.experiments.positions import SHIFT

#: Curves of heads that are narrower.
THREE_BACK, LATEST = (f"rotary: {task}, heads of width 4" for task in ("three back", "latest"))


def change(depth: int, causal: bool) -> float:
    """Return how far the last output moves, after some layers, when earlier tokens are shuffled."""
    x = np.random.default_rng(0).normal(size=(5, 8))
    layers = [attn.MultiHeadAttention(8, num_heads=2, rng=seed) for seed in (1, 2)]
    outputs = []
    for tokens in (x, x[[2, 0, 3, 1, 4]]):
        for layer in layers[:depth]:
            tokens = layer(tokens[None], causal=causal)[0]
        outputs.append(tokens[-1])
    return float(np.abs(outputs[0] - outputs[1]).max())
