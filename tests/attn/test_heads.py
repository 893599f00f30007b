"""Heads: split and merged, sharing their keys, and taken from each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import reference

import attn
from attn import grouped_query_attention, merge_heads, scaled_dot_product_attention, split_heads


@pytest.mark.parametrize("num_kv_heads", [1, 2, 3, 6])
@pytest.mark.parametrize("shape", [(2, 6, 5, 11), (2, 1, 5, 11), (5, 11), (11,)])
def test_equals_attention_with_repeated_keys(
    num_kv_heads: int, shape: tuple[int, ...], rng: np.random.Generator
) -> None:
    query = rng.normal(size=(2, 6, 5, 7))
    key, value = (rng.normal(size=(2, num_kv_heads, 11, w)) for w in (7, 13))
    repeated = [np.repeat(x, 6 // num_kv_heads, axis=1) for x in (key, value)]
    mask = rng.random(shape) < 0.5
    options: Any = {"mask": mask, "bias": rng.normal(size=(6, 1, 11)), "return_weights": True}
    options |= {"sink": rng.normal(size=(6, 1, 1)), "soft_cap": 2.0}
    seen = grouped_query_attention(query, key, value, **options)
    expected = scaled_dot_product_attention(query, *repeated, **options)
    for a, b in zip(seen, expected, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-14)


def test_each_head_owns_consecutive_features(rng: np.random.Generator) -> None:
    x = rng.normal(size=(2, 5, 21))
    heads = split_heads(x, 3)
    assert heads.shape == (2, 3, 5, 7)
    np.testing.assert_array_equal(heads[1, 2, 4], x[1, 4, 14:21])


@pytest.mark.parametrize("shape", [(5, 21), (2, 5, 21), (2, 11, 5, 21), (0, 5, 21)])
def test_merge_undoes_split(shape: tuple[int, ...], rng: np.random.Generator) -> None:
    x = rng.normal(size=shape)
    np.testing.assert_array_equal(merge_heads(split_heads(x, 3)), x)


def test_equals_the_definition(rng: np.random.Generator) -> None:
    query, key = rng.normal(size=(2, 3, 5, 8))
    value = rng.normal(size=(3, 5, 7))
    amounts = np.array([0.8, 0.0, -0.3])
    output, weights = attn.differential_attention(
        query, key, value, lambda_=amounts[:, None, None], is_causal=True, return_weights=True
    )
    for h, amount in enumerate(amounts):
        first, second = (
            reference.attention(query[h][:, half], key[h][:, half], value[h], lambda i, j: j <= i)
            for half in (slice(0, 4), slice(4, 8))
        )
        np.testing.assert_allclose(output[h], first[0] - amount * second[0], atol=1e-12)
        np.testing.assert_allclose(weights[h], first[1] - amount * second[1], atol=1e-12)
    np.testing.assert_allclose(weights.sum(-1), np.tile(1 - amounts[:, None], (1, 5)), atol=1e-12)
    assert (weights[0] < 0).any()
