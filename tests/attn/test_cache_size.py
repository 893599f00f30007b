"""Numbers in a cache, counted against caches that are there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import attn

TOKENS = 11


@pytest.mark.parametrize("kv_heads", [6, 3, 1])
def test_heads_are_what_a_cache_holds(kv_heads: int) -> None:
    cache = attn.KeyValueCache()
    stored = cache.append(*np.zeros((2, kv_heads, TOKENS, 5)))
    counted = attn.cache_size(TOKENS, num_kv_heads=kv_heads, head_dim=5)
    assert counted == sum(part.size for part in stored)


def test_latents_are_what_a_cache_holds() -> None:
    layer = attn.MultiHeadLatentAttention(12, 3, 7, rotary_dim=4, rng=0)
    stored = attn.KeyValueCache().append(*layer.compress(np.zeros((TOKENS, 12), np.float32)))
    numbers = attn.cache_size(TOKENS, d_latent=7, rotary_dim=4)
    assert numbers == sum(part.size for part in stored)
    in_bytes = attn.cache_size(TOKENS, d_latent=7, rotary_dim=4, bytes_per_number=4)
    assert in_bytes == sum(part.nbytes for part in stored)


@pytest.mark.parametrize("layers", [0, 1, 6, 7, 26])
@pytest.mark.parametrize("ratio", [1, 5])
def test_local_layers_stop_growing(layers: int, ratio: int) -> None:
    options: Any = {"num_layers": layers, "num_kv_heads": 2, "head_dim": 3}
    mixed = options | {"local_per_global": ratio, "local_tokens": 4}
    kinds = (["local"] * ratio + ["global"]) * layers
    for tokens in (0, 3, 4, 5, 100):
        kept = [min(tokens, 4) if kind == "local" else tokens for kind in kinds[:layers]]
        assert attn.cache_size(tokens, **mixed) == 12 * sum(kept)
        assert attn.cache_size(tokens, **options) == 12 * layers * tokens
