"""The definitions again, one number at a time: slow, and nothing to get wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def attention(
    query: Array,
    key: Array,
    value: Array,
    visible: Callable[[int, int], bool] = lambda i, j: True,
    scale: float | None = None,
    bias: Array | None = None,
    sink: float = -math.inf,
    cap: float = math.inf,
) -> tuple[Array, Array]:
    """Return output and weights for two-dimensional arrays."""
    scale = 1 / math.sqrt(query.shape[1]) if scale is None else scale
    weights = np.zeros((len(query), len(key)))
    output = np.zeros((len(query), value.shape[1]))
    for i, q in enumerate(query):
        seen = [j for j in range(len(key)) if visible(i, j)]
        extra = np.zeros(len(key)) if bias is None else bias[i]
        scores = {j: scale * sum(a * b for a, b in zip(q, key[j], strict=True)) for j in seen}
        if cap < math.inf:
            scores = {j: cap * math.tanh(s / cap) for j, s in scores.items()}
        scores = {j: score + extra[j] for j, score in scores.items()}
        top = max(scores.values(), default=0.0)
        total = math.exp(sink - top) + sum(math.exp(s - top) for s in scores.values())
        for j, s in scores.items():
            weights[i, j] = math.exp(s - top) / total
            output[i] += weights[i, j] * value[j]
    return output, weights
