"""Splitting and merging heads."""

from __future__ import annotations

import numpy as np
import pytest

from attn import merge_heads, split_heads


def test_each_head_owns_consecutive_features(rng: np.random.Generator) -> None:
    x = rng.normal(size=(2, 5, 21))
    heads = split_heads(x, 3)
    assert heads.shape == (2, 3, 5, 7)
    np.testing.assert_array_equal(heads[1, 2, 4], x[1, 4, 14:21])


@pytest.mark.parametrize("shape", [(5, 21), (2, 5, 21), (2, 11, 5, 21), (0, 5, 21)])
def test_merge_undoes_split(shape: tuple[int, ...], rng: np.random.Generator) -> None:
    x = rng.normal(size=shape)
    np.testing.assert_array_equal(merge_heads(split_heads(x, 3)), x)
