"""Numbers of *scaled-dot-product*: its four tokens, and the norms of derivatives."""

import numpy as np

import attn
from attnlab.experiments.scaling import jacobian_norm, norms, ratio

query = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [1.0, 0.0]])
key = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, -1.0], [0.0, 1.0]])
plain = attn.attention_weights(query, key, score="dot")
scaled = attn.attention_weights(query, key)


def norm(d_k: int, scale: float | None = None) -> float:
    """Return the median norm of the derivatives at a width, the mean of three seeds."""
    rngs = [np.random.default_rng((seed, d_k)) for seed in range(3)]
    return float(np.mean([np.median(norms(d_k, rng, scale)[0]) for rng in rngs]))
