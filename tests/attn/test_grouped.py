"""Grouped-query attention."""

from __future__ import annotations

import numpy as np
import pytest

from attn import causal_mask, grouped_query_attention, scaled_dot_product_attention


@pytest.fixture
def parts(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return query (2, 6, 5, 7), key (2, 3, 11, 7), value (2, 3, 11, 13)."""
    return tuple(rng.normal(size=(2, *shape)) for shape in ((6, 5, 7), (3, 11, 7), (3, 11, 13)))


@pytest.mark.parametrize("num_kv_heads", [1, 2, 3, 6])
def test_equals_attention_with_repeated_keys(num_kv_heads: int, rng: np.random.Generator) -> None:
    query = rng.normal(size=(2, 6, 5, 7))
    key, value = (rng.normal(size=(2, num_kv_heads, 11, w)) for w in (7, 13))
    repeated = [np.repeat(x, 6 // num_kv_heads, axis=1) for x in (key, value)]
    mask = rng.random((2, 6, 5, 11)) < 0.5
    options = {"mask": mask, "bias": rng.normal(size=(6, 1, 11)), "return_weights": True}
    seen = grouped_query_attention(query, key, value, **options)
    expected = scaled_dot_product_attention(query, *repeated, **options)
    for a, b in zip(seen, expected, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-14)


def test_masks_for_all_heads(parts: tuple[np.ndarray, ...], rng: np.random.Generator) -> None:
    query, key, value = parts
    repeated = [np.repeat(x, 2, axis=1) for x in (key, value)]
    for mask in (causal_mask(5, 11), rng.random((2, 1, 5, 11)) < 0.5, rng.random(11) < 0.5):
        np.testing.assert_allclose(
            grouped_query_attention(query, key, value, mask=mask),
            scaled_dot_product_attention(query, *repeated, mask=mask),
            atol=1e-14,
        )
