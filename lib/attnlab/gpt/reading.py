"""Compute what the trained GPT looks at while it reads, for figures only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from attnlab.gpt.parts import Array, block, causal_mask, layer_norm, softmax


def attention_maps(tokens: Array, model: Mapping[str, Any]) -> Array:
    """Return the weights of all heads, (num_blocks, num_heads, tokens, tokens)."""
    x = model["embeddings"][tokens] + model["positions"][: len(tokens)]
    maps = []
    for weights in model["blocks"]:
        read = layer_norm(x, weights["norm1_gain"], weights["norm1_bias"])
        query, key = (
            (read @ weights[f"w_{name}"] + weights[f"b_{name}"])
            .reshape(len(tokens), model["num_heads"], -1)
            .swapaxes(0, 1)  # (num_heads, tokens, head_dim)
            for name in ("query", "key")
        )
        scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
        maps.append(softmax(np.where(causal_mask(len(tokens)), scores, -np.inf)))
        x = block(x, weights, model["num_heads"])
    return np.array(maps)
