"""Multi-head attention: heads side by side, masks on the right axis, weights that travel."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from reference import attention

from attn import MultiHeadAttention, causal_mask


@pytest.fixture
def attend() -> MultiHeadAttention:
    """Return a layer whose widths all differ: 3 heads of 7 in 50, from 11 and 13."""
    layer = MultiHeadAttention(50, 3, 7, d_key=11, d_value=13, rng=0, dtype=np.float64)
    rng = np.random.default_rng(1)
    for name in ("b_query", "b_key", "b_value", "b_output"):
        setattr(layer, name, rng.normal(size=getattr(layer, name).shape))
    return layer


def test_equals_one_attention_after_the_other(
    attend: MultiHeadAttention, rng: np.random.Generator
) -> None:
    query, key, value = (rng.normal(size=(2, n, w)) for n, w in ((5, 50), (4, 11), (4, 13)))
    output, weights = attend(query, key, value, is_causal=True, return_weights=True)
    assert output.shape == (2, 5, 50)
    assert weights.shape == (2, 3, 5, 4)
    heads = []
    for h in range(3):
        part = slice(7 * h, 7 * h + 7)
        q = query[1] @ attend.w_query[:, part] + attend.b_query[part]
        k = key[1] @ attend.w_key[:, part] + attend.b_key[part]
        v = value[1] @ attend.w_value[:, part] + attend.b_value[part]
        head, head_weights = attention(q, k, v, lambda i, j: j <= i - 1)
        np.testing.assert_allclose(weights[1, h], head_weights, atol=1e-14)
        heads.append(head)
    expected = np.concatenate(heads, axis=1) @ attend.w_output + attend.b_output
    np.testing.assert_allclose(output[1], expected, atol=1e-13)


@pytest.mark.parametrize("leading", [(), (1,), (3,), (2, 3)])
def test_any_number_of_leading_axes(leading: tuple[int, ...], rng: np.random.Generator) -> None:
    attend = MultiHeadAttention(6, 3, rng=0)
    x = rng.normal(size=(*leading, 5, 6))
    output, weights = attend(x, mask=causal_mask(5, 5), return_weights=True)
    assert output.shape == x.shape
    assert weights.shape == (*leading, 3, 5, 5)


def test_as_many_sequences_as_heads_is_no_trap(rng: np.random.Generator) -> None:
    # A mask (batch, queries, keys) put on scores (batch, heads, queries, keys) as it is would land
    # on the heads here, without an error.
    attend = MultiHeadAttention(6, 2, rng=0)
    x = rng.normal(size=(2, 5, 6))
    mask = np.stack([causal_mask(5, 5), ~causal_mask(5, 5) | np.eye(5, dtype=bool)])
    _, weights = attend(x, mask=mask, return_weights=True)
    for batch in range(2):
        for head in range(2):
            assert ((weights[batch, head] > 0) == mask[batch]).all()
    _, by_head = attend(x, mask=mask[None], return_weights=True)  # four axes: one for each head
    assert ((by_head[1, 0] > 0) == mask[0]).all()
    assert ((by_head[0, 1] > 0) == mask[1]).all()


def test_a_query_that_sees_nothing_gives_the_bias_of_the_output(
    attend: MultiHeadAttention, rng: np.random.Generator
) -> None:
    query, key, value = (rng.normal(size=(2, n, w)) for n, w in ((5, 50), (4, 11), (4, 13)))
    output = attend(query, key, value, mask=np.zeros((5, 1), bool))
    np.testing.assert_allclose(output, np.broadcast_to(attend.b_output, (2, 5, 50)))


def test_query_heads_in_a_row_share_a_key_head(rng: np.random.Generator) -> None:
    few = MultiHeadAttention(20, 4, 3, num_kv_heads=2, rng=0, dtype=np.float64)
    assert few.w_key.shape == (20, 6)
    weights = few.parameters()
    for name in ("w_key", "w_value", "b_key", "b_value"):
        split = weights[name].reshape(*weights[name].shape[:-1], 2, 3)
        weights[name] = np.repeat(split, 2, axis=-2).reshape(*weights[name].shape[:-1], 12)
    full = MultiHeadAttention.from_parameters(weights, num_heads=4)
    x = rng.normal(size=(2, 5, 20))
    np.testing.assert_allclose(few(x), full(x), atol=1e-14)


@pytest.mark.parametrize("bias", [True, False])
def test_weights_travel_to_torch_and_keras_and_back(bias: bool) -> None:
    attend = MultiHeadAttention(6, 2, d_key=5, d_value=7, bias=bias, rng=0)
    same = MultiHeadAttention.from_torch(attend.to_torch(), num_heads=2)
    also = MultiHeadAttention.from_keras(attend.to_keras())
    for name, weight in attend.parameters().items():
        np.testing.assert_array_equal(getattr(same, name), weight)
        np.testing.assert_array_equal(getattr(also, name), weight)
    assert (same.b_query is None) == (not bias)


def test_without_weights_no_array_of_all_pairs_is_made(rng: np.random.Generator) -> None:
    attend = MultiHeadAttention(8, 2, rng=0)
    x = rng.normal(size=(1, 1500, 8)).astype(np.float32)
    tracemalloc.start()
    output = attend(x, is_causal=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * 1500 * 1500 * 4 / 5
    expected, _ = attend(x, is_causal=True, return_weights=True)
    np.testing.assert_allclose(output, expected, atol=1e-5)
