"""Attention in blocks: the same result for every block size, on both paths."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import attn.fast
from attn import blockwise_attention
from attn.attention import attention_weights

sizes = st.integers(0, 13)


def full(query: np.ndarray, key: np.ndarray, value: np.ndarray, **options: Any) -> np.ndarray:
    """Return attention from all weights at once."""
    return attention_weights(query, key, **options) @ value


@given(sizes, sizes, st.integers(1, 15), st.integers(1, 15), st.booleans(), st.data())
def test_block_size_is_without_effect(
    num_queries: int, num_keys: int, rows: int, columns: int, is_causal: bool, data: st.DataObject
) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    size = data.draw(st.sampled_from([1.0, 30.0]))  # 30: too large for the path without maximum
    query = size * rng.normal(size=(2, 1, num_queries, 5))
    key, value = size * rng.normal(size=(3, num_keys, 5)), rng.normal(size=(3, num_keys, 7))
    shape = data.draw(st.sampled_from([(num_queries, num_keys), (3, 1, num_keys), (1, num_keys)]))
    mask = data.draw(st.sampled_from([None, rng.random(shape) < 0.4]))
    output = blockwise_attention(
        query, key, value, mask=mask, is_causal=is_causal, block=(rows, columns)
    )
    expected = full(query, key, value, mask=mask, is_causal=is_causal)
    np.testing.assert_allclose(output, expected, atol=1e-12)


@pytest.mark.parametrize("size", [1.0, 6.0])
@pytest.mark.parametrize("is_causal", [False, True])
def test_default_blocks(size: float, is_causal: bool, rng: np.random.Generator) -> None:
    query, key = size * rng.normal(size=(2, 1301, 5))
    value = rng.normal(size=(1301, 7))
    output = blockwise_attention(query, key, value, is_causal=is_causal)
    np.testing.assert_allclose(output, full(query, key, value, is_causal=is_causal), atol=1e-12)


def test_both_paths_are_taken(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    for name in ("attend_online", "BoundedAttention"):
        original = getattr(attn.fast, name)

        def spy(*args: Any, _name: str = name, _original: Any = original, **kw: Any):
            taken.append(_name)
            return _original(*args, **kw)

        monkeypatch.setattr(attn.fast, name, spy)
    x = rng.normal(size=(5, 7))
    blockwise_attention(x, x, x)
    blockwise_attention(20 * x, x, x)
    assert taken == ["BoundedAttention", "attend_online"]


def test_scores_at_the_bound_do_not_overflow() -> None:
    # exp(40) for every key, in float32
    query, key = np.full((1, 4), 20.0, np.float32), np.full((3001, 4), 1.0, np.float32)
    value = np.linspace(0, 1, 3001, dtype=np.float32)[:, None]
    np.testing.assert_allclose(blockwise_attention(query, key, value), [[0.5]], rtol=1e-5)
    np.testing.assert_allclose(blockwise_attention(-query, key, value), [[0.5]], rtol=1e-5)


def test_what_is_hidden_is_not_computed(rng: np.random.Generator) -> None:
    keys_seen = []

    def watch(query: np.ndarray, blocks: Any) -> np.ndarray:
        keys_seen.append([len(block.key) for block in blocks])
        return np.zeros((len(query), 1))

    x = rng.normal(size=(12, 5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attn.fast, "_attend", lambda *_: watch)
        blockwise_attention(x, x, x, is_causal=True, block=4)
        blockwise_attention(x, x, x, mask=np.arange(12) >= 9, block=4)
    assert keys_seen == [[4], [4, 4], [4, 4, 4], [4], [4], [4]]


def test_memory_does_not_grow_with_pairs(rng: np.random.Generator) -> None:
    peaks = []
    for tokens in (1024, 2048, 4096):
        query, key, value = rng.normal(size=(3, tokens, 8)).astype(np.float32)
        tracemalloc.start()
        blockwise_attention(query, key, value)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # Twice the tokens cost less than twice the memory: the blocks' part is constant.
    assert all(later <= 2 * earlier for earlier, later in pairwise(peaks))
    assert peaks[-1] < 4096 * 4096 * 4 / 20
