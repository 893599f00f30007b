"""What holds for every input: rows, order, time, padding, convexity."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attn import attention_weights, padding_mask, scaled_dot_product_attention

numbers = st.floats(-100, 100, allow_nan=False, width=32)


@st.composite
def parts(draw: st.DrawFn, least: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw query (b, n, d), key (b, m, d) and value (b, m, v) of any sizes."""
    batch, n, m = draw(st.integers(1, 3)), draw(st.integers(least, 6)), draw(st.integers(least, 6))
    width, d_v = draw(st.integers(1, 5)), draw(st.integers(0, 4))
    shapes = ((batch, n, width), (batch, m, width), (batch, m, d_v))
    return tuple(draw(hnp.arrays(np.float64, shape, elements=numbers)) for shape in shapes)


@given(parts(), st.booleans(), st.data())
def test_rows_sum_to_one_or_are_zero(
    qkv: tuple[np.ndarray, ...], is_causal: bool, data: st.DataObject
) -> None:
    query, key, _ = qkv
    pairs = (query.shape[-2], key.shape[-2])
    mask = data.draw(hnp.arrays(bool, pairs))
    weights = attention_weights(query, key, mask=mask, is_causal=is_causal)
    visible = mask & np.tri(*pairs, pairs[1] - pairs[0], dtype=bool) if is_causal else mask
    sums = np.broadcast_to(visible.any(axis=1).astype(float), weights.shape[:-1])
    np.testing.assert_allclose(weights.sum(axis=-1), sums, atol=1e-9)
    assert (weights[:, ~visible] == 0).all()


@given(st.integers(2, 9), st.data())
def test_no_leak_from_the_future_and_no_blindness(n: int, data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    changed = data.draw(st.integers(0, n - 1))
    x = rng.normal(size=(n, 5))
    before = scaled_dot_product_attention(x, x, x, is_causal=True)
    x[changed] = rng.normal(size=5)
    after = scaled_dot_product_attention(x, x, x, is_causal=True)
    np.testing.assert_array_equal(after[:changed], before[:changed])
    assert (np.abs(after - before)[changed:].max(axis=1) > 0).all()


@given(st.integers(0, 7), st.integers(0, 5), st.booleans())
def test_padding_can_grow_without_effect(n: int, more: int, is_nan: bool) -> None:
    rng = np.random.default_rng(n)
    query, key, value = rng.normal(size=(3, 2, n + more, 5))
    short = scaled_dot_product_attention(query[:, :n], key[:, :n], value[:, :n])
    key[:, n:], value[:, n:] = (np.nan, np.nan) if is_nan else (1e6, 7.0)
    padded = scaled_dot_product_attention(query, key, value, mask=padding_mask([n, n], n + more))
    np.testing.assert_allclose(padded[:, :n], short, atol=1e-12)
