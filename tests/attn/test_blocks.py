"""Attention in blocks, in windows and in buckets: the same as by its formula."""

from __future__ import annotations

import math
import tracemalloc
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import attention

import attn.fast
from attn import (
    blockwise_attention,
    centered_attention,
    local_attention,
    lsh_attention,
    padding_mask,
)
from attn.attention import attention_weights
from attn.local import masked_local_attention
from attn.lsh import quadratic_lsh_attention
from attn.lsh_buckets import hash_buckets, sorted_tokens

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


def test_what_is_hidden_is_not_computed(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys_seen = []

    def watch(query: np.ndarray, blocks: Any) -> np.ndarray:
        keys_seen.append([len(block.key) for block in blocks])
        return np.zeros((len(query), 1))

    x = rng.normal(size=(12, 5))
    monkeypatch.setattr(attn.fast, "_attend", lambda *_: watch)
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


@given(st.data())
def test_equals_the_definition(data: st.DataObject) -> None:
    tokens = data.draw(st.sampled_from([0, 1, 7, 64, 151]))
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    size = data.draw(st.sampled_from([1.0, 30.0]))
    query, key = size * rng.normal(size=(2, 2, 3, tokens, 5))
    value = rng.normal(size=(2, 3, tokens, 7))
    options = {
        "window": data.draw(st.sampled_from([0, 1, 13, 200])),
        "is_causal": data.draw(st.booleans()),
        "global_tokens": data.draw(
            st.sampled_from([None, [], np.arange(0, tokens, 5), rng.random((2, tokens)) < 0.1])
        ),
        "padding": data.draw(st.sampled_from([None, padding_mask([tokens // 2, tokens], tokens)])),
    }
    output = local_attention(query, key, value, **options)
    expected = masked_local_attention(query, key, value, **options)
    np.testing.assert_allclose(output, expected, atol=1e-12)


@pytest.mark.parametrize("shape", [(173,), (2, 173), (2, 1, 173), (2, 1, 1, 173)])
def test_padding_in_every_shape_it_comes_in(
    shape: tuple[int, ...], rng: np.random.Generator
) -> None:
    # As many sequences as heads: the first axis is the batch all the same.
    x = rng.normal(size=(2, 2, 173, 5))
    real = np.broadcast_to(np.arange(173) < 100, shape).copy()
    if len(shape) > 1:
        real[1] = True
    output = local_attention(x, x, x, window=3, padding=real)
    for batch in range(2):
        shown = real.reshape(-1, 173)[batch % (real.size // 173)]
        alone = local_attention(x[batch], x[batch], x[batch], window=3, padding=shown)
        np.testing.assert_allclose(output[batch], alone, atol=1e-14)


def test_work_grows_with_tokens_not_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    def count(query: np.ndarray, blocks: Any) -> np.ndarray:
        counted[-1] += sum(len(query) * len(block.key) for block in blocks)
        return np.zeros((len(query), 1))

    monkeypatch.setattr(attn.fast, "_attend", lambda *_: count)
    for tokens in (1024, 2048, 4096):
        counted.append(0)
        x = np.zeros((tokens, 2))
        local_attention(x, x, x, window=32)
    assert all(later <= 2.05 * earlier for earlier, later in pairwise(counted))


@pytest.fixture
def parts(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return query (5, 7), key (11, 7), value (11, 3)."""
    return tuple(rng.normal(size=shape) for shape in ((5, 7), (11, 7), (11, 3)))


CENTERS = np.array([0.0, 2.5, 5.0, 10.0, 12.2])


def test_without_gaussian_it_is_a_mask(parts: tuple[np.ndarray, ...]) -> None:
    expected = attention(*parts, lambda i, j: abs(j - CENTERS[i]) <= 2)
    output, weights = centered_attention(*parts, centers=CENTERS, window=2, return_weights=True)
    np.testing.assert_allclose(output, expected[0], atol=1e-14)
    np.testing.assert_allclose(weights, expected[1], atol=1e-14)
    assert (weights > 0).sum(axis=1).tolist() == [3, 4, 5, 3, 0]


def test_gaussian_multiplies_the_weights_of_the_window(parts: tuple[np.ndarray, ...]) -> None:
    options = {"centers": CENTERS, "window": 3, "return_weights": True, "score": "dot"}
    _, plain = centered_attention(*parts, **options)
    output, weights = centered_attention(*parts, **options, sigma=1.5)
    for i, j in np.ndindex(5, 11):
        factor = math.exp(-((j - CENTERS[i]) ** 2) / (2 * 1.5**2))
        assert weights[i, j] == pytest.approx(plain[i, j] * factor)
    np.testing.assert_allclose(output, weights @ parts[2])


def test_centers_broadcast(parts: tuple[np.ndarray, ...]) -> None:
    one = centered_attention(*parts, centers=4, window=1)
    np.testing.assert_array_equal(one, centered_attention(*parts, centers=[4.0] * 5, window=1))
    both = centered_attention(*parts, centers=np.stack([CENTERS, CENTERS + 1]), window=1)
    assert both.shape == (2, 5, 3)
    np.testing.assert_array_equal(
        both[1], centered_attention(*parts, centers=CENTERS + 1, window=1)
    )


OPTIONS = {"num_buckets": (4, 2), "num_hashes": 3, "chunk_length": 8}


@given(st.data())
def test_chunks_equal_the_formula(data: st.DataObject) -> None:
    tokens = data.draw(st.sampled_from([0, 1, 3, 7, 57, 64]))
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    size = data.draw(st.sampled_from([1.0, 30.0]))
    x, value = size * rng.normal(size=(2, 3, tokens, 5)), rng.normal(size=(2, 3, tokens, 7))
    options = {
        "num_buckets": data.draw(st.sampled_from([2, 6, (4, 2), [2, 2, 4]])),
        "num_hashes": data.draw(st.sampled_from([1, 2, 5])),
        "chunk_length": data.draw(st.sampled_from([1, 4, 8])),
        "is_causal": data.draw(st.booleans()),
        "rng": 1,
        "mask": data.draw(st.sampled_from([None, padding_mask([tokens // 2, tokens], tokens)])),
    }
    output = lsh_attention(x, value, **options)
    np.testing.assert_allclose(output, quadratic_lsh_attention(x, value, **options), atol=1e-12)
    if options["mask"] is not None:  # a hidden token asks nothing, either
        assert not output[0, :, tokens // 2 :].any()


def one_token(
    x: np.ndarray, value: np.ndarray, rotations: np.ndarray, length: int, i: int
) -> np.ndarray:
    """Return the output of token i, round by round as the paper writes it."""
    rounds = []
    tokens, num_hashes = len(x), rotations.shape[1]
    buckets = [
        [int(np.argmax(np.concatenate([t @ rotations[:, r], -t @ rotations[:, r]]))) for t in x]
        for r in range(num_hashes)
    ]
    ring = [sorted(range(tokens), key=lambda t: (buckets[r][t], t)) for r in range(num_hashes)]
    flat = [t for order in ring for t in order]
    chunks = [flat[start : start + length] for start in range(0, len(flat), length)]
    for r in range(num_hashes):
        c = (r * tokens + ring[r].index(i)) // length
        seen = [j for j in chunks[c - 1] + chunks[c] if j != i]
        scores = [x[i] @ x[j] / math.sqrt(x[j] @ x[j]) for j in seen]
        total = sum(math.exp(s) for s in scores)
        output = sum(math.exp(s) / total * value[j] for s, j in zip(scores, seen, strict=True))
        rounds.append((math.log(total), output))
    share = [math.exp(log) for log, _ in rounds]
    return sum(s / sum(share) * output for s, (_, output) in zip(share, rounds, strict=True))


def test_rounds_are_merged_by_their_logsumexp(rng: np.random.Generator) -> None:
    x, value = rng.normal(size=(24, 5)), rng.normal(size=(24, 7))
    rotations = rng.normal(size=(1, 5, 3, 2))
    output = lsh_attention(
        x, value, num_buckets=4, num_hashes=3, chunk_length=4, rotations=rotations
    )
    for i in range(24):
        np.testing.assert_allclose(
            output[i], one_token(x, value, rotations[0], 4, i), rtol=1e-5, atol=1e-5
        )


def test_buckets_are_digits_of_signed_argmax(rng: np.random.Generator) -> None:
    x, rotations = rng.normal(size=(2, 3, 11, 5)), rng.normal(size=(3, 5, 2, 2 + 1))
    buckets = hash_buckets(x, rotations, (4, 2))
    assert buckets.shape == (2, 3, 2, 11)
    for b, h, r, t in np.ndindex(*buckets.shape):
        first = x[b, h, t] @ rotations[h, :, r, :2]
        second = x[b, h, t] @ rotations[h, :, r, 2:]
        digits = [int(np.argmax(np.concatenate([p, -p]))) for p in (first, second)]
        assert buckets[b, h, r, t] == digits[0] + 4 * digits[1]


def test_sorting_is_stable_and_puts_padding_last() -> None:
    buckets = np.array([[1, 0, 1, 0, 1]])
    real = np.array([True, True, False, True, True])
    assert sorted_tokens(buckets, real, (2,))[0].tolist() == [1, 3, 0, 4, 2]
    assert sorted_tokens(buckets, real, (2**16,))[0].tolist() == [1, 3, 0, 4, 2]


def test_a_token_sees_itself_only_as_a_last_resort(rng: np.random.Generator) -> None:
    x, value = rng.normal(size=(2, 12, 5))
    causal = lsh_attention(x, value, **OPTIONS, is_causal=True, rng=0)
    np.testing.assert_array_equal(causal[0], value[0])  # nothing comes before the first
    changed = value.copy()
    changed[5] += 100
    again = lsh_attention(x, changed, num_buckets=2, num_hashes=1, chunk_length=12, rng=0)
    before = lsh_attention(x, value, num_buckets=2, num_hashes=1, chunk_length=12, rng=0)
    np.testing.assert_allclose(again[5], before[5], atol=1e-12)
    assert (np.abs(np.delete(again - before, 5, axis=0)).max(axis=1) > 0).all()
