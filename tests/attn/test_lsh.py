"""LSH attention: by chunks the same as by its formula, and what the hashing promises."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import lsh_attention, padding_mask
from attn.lsh import quadratic_lsh_attention
from attn.lsh_buckets import hash_buckets, sorted_tokens

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
    np.testing.assert_allclose(
        lsh_attention(x, value, **options), quadratic_lsh_attention(x, value, **options), atol=1e-12
    )


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


@pytest.mark.parametrize("hidden", [np.nan, np.inf, 1e200, -3.0])
def test_what_masked_tokens_hold_changes_nothing(hidden: float, rng: np.random.Generator) -> None:
    x, value = rng.normal(size=(2, 2, 3, 40, 5))
    mask = rng.random((2, 40)) < 0.7
    before = lsh_attention(x, value, **OPTIONS, rng=0, mask=mask)
    places = np.broadcast_to(~mask[:, None, :, None], x.shape)
    x[places], value[places] = hidden, hidden
    after = lsh_attention(x, value, **OPTIONS, rng=0, mask=mask)
    np.testing.assert_array_equal(after, before)
    assert (after[places] == 0).all()
    assert after[~places].all()


@pytest.mark.parametrize("attend", [lsh_attention, quadratic_lsh_attention])
def test_squares_that_overflow_are_no_zeros(attend: Any, rng: np.random.Generator) -> None:
    x, value = rng.normal(size=(2, 3, 24, 5)).astype(np.float32)
    expected = lsh_attention(1e25 * x.astype(np.float64), value, **OPTIONS, rng=0)
    output = attend(np.float32(1e25) * x, value, **OPTIONS, rng=0)
    np.testing.assert_allclose(output, expected, atol=1e-5)
