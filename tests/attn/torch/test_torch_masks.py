"""A mask of any shape that broadcasts means the same in the fused kernel as in NumPy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import torch

import attn
import attn.torch


@pytest.mark.parametrize("leading", [(), (2,), (2, 3), (2, 3, 2), (5, 2, 3, 2)])
@pytest.mark.parametrize("name", ["scaled_dot_product_attention", "blockwise_attention"])
def test_every_shape_that_broadcasts(name: str, leading: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    query, key, value = (rng.normal(size=(*leading, n, w)) for n, w in ((4, 5), (6, 5), (6, 3)))
    pairs = (*leading, 4, 6)
    choices = [(1, size) for size in pairs]
    for axes in range(len(pairs) + 1):
        for shape in product(*choices[len(pairs) - axes :]):
            mask = rng.random(shape) < 0.6
            expected = getattr(attn, name)(query, key, value, mask=mask)
            given = (torch.from_numpy(part) for part in (query, key, value))
            seen = getattr(attn, name)(*given, mask=torch.from_numpy(np.asarray(mask)))
            np.testing.assert_allclose(seen, expected, atol=1e-12, err_msg=str(shape))


def test_a_mask_may_have_more_axes_than_the_rest() -> None:
    rng = np.random.default_rng(0)
    query, key, value = (rng.normal(size=(n, w)) for n, w in ((4, 5), (6, 5), (6, 3)))
    for shape in ((2, 1, 6), (2, 3, 4, 6), (2, 3, 1, 4, 1)):
        mask = rng.random(shape) < 0.6
        expected = attn.scaled_dot_product_attention(query, key, value, mask=mask)
        given = (torch.from_numpy(part) for part in (query, key, value))
        seen = attn.scaled_dot_product_attention(*given, mask=torch.from_numpy(mask))
        assert seen.shape == expected.shape
        np.testing.assert_allclose(seen, expected, atol=1e-12)
