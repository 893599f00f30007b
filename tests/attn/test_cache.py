"""Decoding with a cache equals the full causal pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import (
    KeyValueCache,
    alibi_bias,
    rotary,
    scaled_dot_product_attention,
    sliding_window_mask,
)


def of_window(num_queries: int, num_keys: int) -> dict[str, Any]:
    return {"mask": sliding_window_mask(num_queries, num_keys, 2)}


def of_alibi(num_queries: int, num_keys: int) -> dict[str, Any]:
    return {"bias": alibi_bias(3, num_queries, num_keys)}


@pytest.mark.parametrize("options", [lambda *counts: {}, of_window, of_alibi])
@given(steps=st.lists(st.integers(0, 4), min_size=1, max_size=6))
def test_steps_of_any_length_equal_the_full_pass(
    options: Callable[[int, int], dict[str, Any]], steps: list[int]
) -> None:
    rng = np.random.default_rng(0)
    total = sum(steps)
    query, key, value = (rng.normal(size=(2, 3, total, w)) for w in (8, 8, 5))
    full = scaled_dot_product_attention(
        rotary(query), rotary(key), value, is_causal=True, **options(total, total)
    )
    cache, start = KeyValueCache(), 0
    for step in steps:
        new = slice(start, start + step)
        places = np.arange(start, start + step)
        keys, values = cache.append(rotary(key[..., new, :], places), value[..., new, :])
        output = scaled_dot_product_attention(
            rotary(query[..., new, :], places),
            keys,
            values,
            is_causal=True,
            **options(step, start + step),
        )
        np.testing.assert_allclose(output, full[..., new, :], atol=1e-13)
        start += step
    assert cache.num_tokens == total


def test_what_was_returned_stays_as_it_was() -> None:
    cache = KeyValueCache()
    given = np.ones((1, 1, 3))
    first, _ = cache.append(given, given)
    given[:] = 7
    for step in range(2, 9):
        keys, values = cache.append(np.full((1, 1, 3), step), np.full((1, 1, 3), step))
    np.testing.assert_array_equal(first, np.ones((1, 1, 3)))
    assert keys[0, :, 0].tolist() == list(range(1, 9))
    with pytest.raises(ValueError, match="read-only"):
        values[0, 0, 0] = 9
