"""Local attention: in windows, the same as full attention with the window's mask."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import local_attention, padding_mask
from attn.local import masked_local_attention


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

    class Count:
        def __call__(self, query: np.ndarray, blocks: Any) -> np.ndarray:
            for block in blocks:
                counted[-1] += len(query) * len(block.key)
            return np.zeros((len(query), 1))

    import attn.fast

    monkeypatch.setattr(attn.fast, "_attend", lambda *_: Count())
    for tokens in (1024, 2048, 4096):
        counted.append(0)
        x = np.zeros((tokens, 2))
        local_attention(x, x, x, window=32)
    assert all(later <= 2.05 * earlier for earlier, later in pairwise(counted))
