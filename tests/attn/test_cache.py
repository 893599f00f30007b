"""Decoding with a cache of keys or latents equals the full pass; what a cache holds is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import attention

import attn

Latent = attn.MultiHeadLatentAttention
OPTIONS = [
    lambda n, m: {},
    lambda n, m: {"mask": attn.sliding_window_mask(n, m, 2)},
    lambda n, m: {"bias": attn.alibi_bias(3, n, m)},
]


@pytest.mark.parametrize("options", OPTIONS)
@given(steps=st.lists(st.integers(0, 4), min_size=1, max_size=6))
def test_steps_of_any_length_equal_the_full_pass(
    options: Callable[[int, int], dict[str, Any]], steps: list[int]
) -> None:
    rng = np.random.default_rng(0)
    total = sum(steps)
    query, key, value = (rng.normal(size=(2, 3, total, w)) for w in (8, 8, 5))
    full = attn.scaled_dot_product_attention(
        attn.rotary(query), attn.rotary(key), value, is_causal=True, **options(total, total)
    )
    cache, start = attn.KeyValueCache(), 0
    for step in steps:
        new = slice(start, start + step)
        places = np.arange(start, start + step)
        keys, values = cache.append(attn.rotary(key[..., new, :], places), value[..., new, :])
        output = attn.scaled_dot_product_attention(
            attn.rotary(query[..., new, :], places),
            keys,
            values,
            is_causal=True,
            **options(step, start + step),
        )
        np.testing.assert_allclose(output, full[..., new, :], atol=1e-13)
        start += step
    assert repr(cache) == f"KeyValueCache(num_tokens={total})"


def test_what_was_returned_stays_as_it_was() -> None:
    cache = attn.KeyValueCache()
    given = np.ones((1, 1, 3))
    first, _ = cache.append(given, given)
    given[:] = 7
    for step in range(2, 9):
        keys, values = cache.append(np.full((1, 1, 3), step), np.full((1, 1, 3), step))
    np.testing.assert_array_equal(first, np.ones((1, 1, 3)))
    assert keys[0, :, 0].tolist() == list(range(1, 9))
    with pytest.raises(ValueError, match="read-only"):
        values[0, 0, 0] = 9


# --- numbers in a cache, counted against caches that are there ------------------------------------


def test_latents_are_what_a_cache_holds() -> None:
    layer = Latent(12, 3, 7, rotary_dim=4, rng=0)
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


HEADS, HEAD_DIM, LATENT, TURNED, WIDTH, TOKENS = 3, 5, 7, 4, 11, 6


@pytest.fixture
def attend() -> Latent:
    layer = Latent(WIDTH, HEADS, LATENT, HEAD_DIM, TURNED, rng=0, base=50.0, dtype=np.float64)
    layer.g_latent = np.random.default_rng(1).normal(size=LATENT)
    return layer


def by_hand(layer: Latent, x: np.ndarray) -> np.ndarray:
    """Return causal attention of tokens (tokens, d_model), head after head."""
    latents = attn.rms_norm(x @ layer.w_latent, layer.g_latent)
    shared = attn.rotary(x @ layer.w_rotary_key, base=layer.base)
    outputs = []
    for h in range(HEADS):
        mine = slice(h * HEAD_DIM, (h + 1) * HEAD_DIM)
        query = (x @ layer.w_query)[:, h * (HEAD_DIM + TURNED) : (h + 1) * (HEAD_DIM + TURNED)]
        place = attn.rotary(query[:, HEAD_DIM:], base=layer.base)
        query = np.concatenate([query[:, :HEAD_DIM], place], axis=1)
        key = np.concatenate([latents @ layer.w_key[:, mine], shared], axis=1)
        outputs.append(attention(query, key, latents @ layer.w_value[:, mine], lambda i, j: j <= i))
    return np.concatenate([output for output, _ in outputs], axis=1) @ layer.w_output


@pytest.mark.parametrize("absorbed", [False, True])
def test_equals_the_definition(attend: Latent, rng: np.random.Generator, absorbed: bool) -> None:
    x = rng.normal(size=(2, TOKENS, WIDTH))
    expected = [by_hand(attend, tokens) for tokens in x]
    np.testing.assert_allclose(attend(x, is_causal=True, absorbed=absorbed), expected, atol=1e-12)
    alone = attend(x[0], is_causal=True, absorbed=absorbed)
    np.testing.assert_allclose(alone, expected[0], atol=1e-12)


@pytest.mark.parametrize("absorbed", [False, True])
def test_steps_with_a_cache_equal_the_whole(
    attend: Latent, rng: np.random.Generator, absorbed: bool
) -> None:
    x = rng.normal(size=(2, TOKENS, WIDTH))
    cache, outputs = attn.KeyValueCache(), []
    for first, end in ((0, 2), (2, 3), (3, TOKENS)):
        new = x[:, first:end]
        stored = cache.append(*attend.compress(new, positions=np.arange(first, end)))
        outputs.append(attend.attend(new, *stored, is_causal=True, absorbed=absorbed))
    assert sum(part.shape[-1] for part in stored) == LATENT + TURNED
    expected = attend(x, is_causal=True)
    np.testing.assert_allclose(np.concatenate(outputs, axis=1), expected, atol=1e-12)


def test_positions_of_each_sentence(attend: Latent, rng: np.random.Generator) -> None:
    # Sentences that start later: only distances count.
    x = rng.normal(size=(2, TOKENS, WIDTH))
    positions = np.arange(TOKENS) + np.array([[0], [9]])
    stored = attend.compress(x, positions)
    seen = attend.attend(x, *stored, positions=positions, is_causal=True)
    np.testing.assert_allclose(seen, attend(x, is_causal=True), atol=1e-12)


def test_without_rotary_features_order_is_invisible(rng: np.random.Generator) -> None:
    layer = Latent(12, 3, 7, rng=0, dtype=np.float64)
    x = rng.normal(size=(TOKENS, 12))
    np.testing.assert_allclose(layer(x[::-1]), layer(x)[::-1], atol=1e-12)
    assert layer.compress(x)[1].shape == (TOKENS, 0)


def test_parameters_come_back(attend: Latent, rng: np.random.Generator) -> None:
    same = Latent.from_parameters(attend.parameters(), HEADS, base=50.0)
    assert repr(same) == repr(attend)
    x = rng.normal(size=(2, TOKENS, WIDTH))
    np.testing.assert_array_equal(same(x), attend(x))
    same.w_key += 1
    assert not np.array_equal(same.w_key, attend.w_key)
