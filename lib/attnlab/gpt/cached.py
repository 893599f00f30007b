"""Read one more token with a GPT whose keys and values of the earlier tokens are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attnlab.gpt.parts import Array, feed_forward, layer_norm, softmax

#: The keys and the values of one block, each (num_heads, tokens so far, head_dim).
Cache = tuple[Array, Array]


def empty_caches(model: Mapping[str, Any]) -> list[Cache]:
    """Return a cache of no tokens for each block."""
    caches = []
    for weights in model["blocks"]:
        heads, width = model["num_heads"], weights["w_key"].shape[1]
        nothing = np.zeros((heads, 0, width // heads), weights["w_key"].dtype)
        caches.append((nothing, nothing))
    return caches


def attend_next(
    x: Array, weights: Mapping[str, Array], num_heads: int, cache: Cache
) -> tuple[Array, Cache]:
    """Return the attention of one new token, (1, d_model), and the cache with the token in it."""
    query, key, value = (
        (x @ weights[f"w_{name}"] + weights[f"b_{name}"]).reshape(num_heads, 1, -1)
        for name in ("query", "key", "value")
    )
    keys, values = (
        np.concatenate([kept, new], axis=1)  # (num_heads, tokens, head_dim)
        for kept, new in zip(cache, (key, value), strict=True)
    )
    scores = query @ keys.swapaxes(-1, -2) / np.sqrt(query.shape[-1])  # (num_heads, 1, tokens)
    heads = (softmax(scores) @ values).reshape(1, -1)
    return np.asarray(heads @ weights["w_output"] + weights["b_output"]), (keys, values)


def gpt_next(
    token: int, model: Mapping[str, Any], caches: Sequence[Cache]
) -> tuple[Array, list[Cache]]:
    """Return the logits after one more token, (num_words,), and the caches with the token in them.

    What `attnlab.gpt.gpt` gives for the last of all tokens.
    """
    place = caches[0][0].shape[1]
    x = model["embeddings"][[token]] + model["positions"][place]  # (1, d_model)
    kept = []
    for weights, cache in zip(model["blocks"], caches, strict=True):
        read = layer_norm(x, weights["norm1_gain"], weights["norm1_bias"])
        added, cache = attend_next(read, weights, model["num_heads"], cache)
        x = x + added
        read = layer_norm(x, weights["norm2_gain"], weights["norm2_bias"])
        x = x + feed_forward(read, weights)
        kept.append(cache)
    x = layer_norm(x, model["norm_gain"], model["norm_bias"])
    return np.asarray((x @ model["embeddings"].T)[0]), kept
