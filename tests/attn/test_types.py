"""Every mechanism keeps the type of its input, and its input as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import attn

Mechanism = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]

MECHANISMS: dict[str, Mechanism] = {
    "scaled_dot_product": lambda q, k, v: attn.scaled_dot_product_attention(q, k, v),
    "with weights": lambda q, k, v: attn.scaled_dot_product_attention(
        q, k, v, mask=attn.causal_mask(12, 12), bias=attn.alibi_bias(3, 12, 12), return_weights=True
    ),
    "weights": lambda q, k, v: attn.attention_weights(q, k),
    "blockwise": lambda q, k, v: attn.blockwise_attention(q, k, v, block=5, is_causal=True),
    "local": lambda q, k, v: attn.local_attention(q, k, v, window=2, global_tokens=[1]),
    "lsh": lambda q, k, v: attn.lsh_attention(
        q, v, num_buckets=4, num_hashes=2, chunk_length=4, rng=0
    ),
    "hard": lambda q, k, v: attn.hard_attention(q, k, v, rng=0),
    "centered": lambda q, k, v: attn.centered_attention(
        q, k, v, centers=np.arange(12.0), window=2, sigma=1.0
    ),
    "grouped": lambda q, k, v: attn.grouped_query_attention(q, k[:, :1], v[:, :1]),
    "multi-head": lambda q, k, v: attn.MultiHeadAttention(8, 2, rng=0)(q, k, v),
    "sink": lambda q, k, v: attn.scaled_dot_product_attention(
        q, k, v, sink=np.zeros((3, 1, 1)), soft_cap=9, return_weights=True
    ),
    "differential": lambda q, k, v: attn.differential_attention(
        q, k, v, lambda_=0.8, return_weights=True
    ),
    "linear": lambda q, k, v: attn.linear_attention(q, k, v, is_causal=True, decay=0.9),
    "state": lambda q, k, v: attn.LinearAttentionState().append(q, k, v),
    "multi-head today": lambda q, k, v: attn.MultiHeadAttention(
        8, 2, rng=0, sink=True, qk_norm=True, gate="feature", soft_cap=9
    )(q, k, v, return_weights=True),
    "latent": lambda q, k, v: attn.MultiHeadLatentAttention(8, 2, 3, rotary_dim=2, rng=0)(q),
    "absorbed": lambda q, k, v: attn.MultiHeadLatentAttention(8, 2, 3, rotary_dim=2, rng=0)(
        q, absorbed=True
    ),
    "norm": lambda q, k, v: attn.rms_norm(q, np.arange(8)),
    "swiglu": lambda q, k, v: attn.swiglu(q, *[np.eye(8)] * 3),
    "rotary scaled": lambda q, k, v: attn.rotary(
        q, scaling=attn.RotaryScaling("yarn", 4, trained_length=64)
    ),
    "softmax": lambda q, k, v: attn.softmax(q),
    "softmax sink": lambda q, k, v: attn.softmax(q, axis=1, sink=0),
    "dot": lambda q, k, v: attn.dot_score(q, k),
    "scaled dot": lambda q, k, v: attn.scaled_dot_score(q, k),
    "general": lambda q, k, v: attn.general_score(q, k, np.eye(8)),
    "additive": lambda q, k, v: attn.AdditiveScore(8, 8, 5, rng=0)(q, k),
    "rotary": lambda q, k, v: attn.rotary(q),
    "cache": lambda q, k, v: attn.KeyValueCache().append(k, v),
    "heads": lambda q, k, v: attn.merge_heads(attn.split_heads(q, 2)),
}
mechanisms = pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=list(MECHANISMS))


def arrays(result: Any) -> tuple[np.ndarray, ...]:
    return result if isinstance(result, tuple) else (result,)


@mechanisms
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_keeps_the_type(mechanism: Mechanism, dtype: type, rng: np.random.Generator) -> None:
    query, key, value = rng.normal(size=(3, 2, 3, 12, 8)).astype(dtype)
    for result in arrays(mechanism(query, key, value)):
        assert result.dtype == dtype
        assert np.isfinite(result).all()


@mechanisms
def test_float16_is_computed_wider(mechanism: Mechanism, rng: np.random.Generator) -> None:
    parts = rng.normal(size=(3, 2, 3, 12, 8)).astype(np.float16)
    narrow = arrays(mechanism(*parts))
    wide = arrays(mechanism(*parts.astype(np.float32)))
    for seen, expected in zip(narrow, wide, strict=True):
        np.testing.assert_array_equal(seen, expected.astype(np.float16))


@mechanisms
def test_leaves_its_input_alone(mechanism: Mechanism, rng: np.random.Generator) -> None:
    parts = rng.normal(size=(3, 2, 3, 12, 8))
    before = parts.copy()
    parts.flags.writeable = False
    mechanism(*parts)
    np.testing.assert_array_equal(parts, before)


@mechanisms
def test_does_not_mind_how_memory_is_laid_out(
    mechanism: Mechanism, rng: np.random.Generator
) -> None:
    parts = rng.normal(size=(3, 2, 3, 12, 8))
    scattered = [np.ascontiguousarray(part.T).T[..., ::-1, :][..., ::-1, :] for part in parts]
    for seen, expected in zip(
        arrays(mechanism(*scattered)), arrays(mechanism(*parts)), strict=True
    ):
        np.testing.assert_allclose(seen, expected, atol=1e-14)


@mechanisms
def test_integers_are_numbers(mechanism: Mechanism) -> None:
    ones = np.ones((2, 3, 12, 8), dtype=np.int64)
    # Splitting heads moves numbers and computes nothing.
    expected = np.int64 if mechanism is MECHANISMS["heads"] else np.float64
    assert all(result.dtype == expected for result in arrays(mechanism(ones, ones, ones)))


@pytest.mark.parametrize("dtype", [int, "foo", bool, np.complex64])
@pytest.mark.parametrize(
    "make",
    [
        lambda dtype: attn.MultiHeadAttention(8, 2, dtype=dtype),
        lambda dtype: attn.AdditiveScore(8, 8, 4, dtype=dtype),
        lambda dtype: attn.AxialPositions((2, 3), (2, 2), dtype=dtype),
        lambda dtype: attn.sinusoidal_positions(4, 4, dtype=dtype),
        lambda dtype: attn.alibi_bias(2, 4, 4, dtype=dtype),
    ],
)
def test_only_floating_point_numbers_hold_weights(make: Callable[[Any], Any], dtype: Any) -> None:
    with pytest.raises(TypeError, match=r"dtype is .*; expected float16, float32 or float64"):
        make(dtype)
