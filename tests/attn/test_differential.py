"""Differential attention against its definition."""

from __future__ import annotations

import numpy as np
import reference

import attn


def test_equals_the_definition(rng: np.random.Generator) -> None:
    query, key = rng.normal(size=(2, 3, 5, 8))
    value = rng.normal(size=(3, 5, 7))
    amounts = np.array([0.8, 0.0, -0.3])
    output, weights = attn.differential_attention(
        query, key, value, lambda_=amounts[:, None, None], causal=True, return_weights=True
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


def test_what_both_attend_to_is_cancelled(rng: np.random.Generator) -> None:
    half, value = rng.normal(size=(2, 5, 4))
    twice = np.concatenate([half, half], axis=-1)
    output = attn.differential_attention(twice, twice, value, lambda_=1.0)
    np.testing.assert_allclose(output, 0, atol=1e-15)
    blind = attn.differential_attention(
        twice, twice, value, lambda_=0.5, mask=np.zeros((5, 5), bool)
    )
    assert not blind.any()
