"""Multi-head attention: heads side by side, weights that travel, and what a head may do besides."""

from __future__ import annotations

import tracemalloc
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from everywhere import arrays, modules, seeded
from hypothesis import given
from hypothesis import strategies as st
from reference import attention

import attn
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


@pytest.mark.parametrize("bias", [True, False])
def test_weights_travel_to_torch_and_keras_and_back(bias: bool) -> None:
    attend = MultiHeadAttention(6, 2, d_key=5, d_value=7, bias=bias, rng=0)
    same = MultiHeadAttention.from_torch(attend.to_torch(), num_heads=2)
    also = MultiHeadAttention.from_keras(attend.to_keras())
    assert attend.to_keras()[0].shape == (6, 2, 3)  # a kernel has an axis for the heads
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


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=9), st.floats(-50, 50))
def test_a_sink_is_a_key_whose_weight_is_left_out(scores: list[float], sink: float) -> None:
    weights = attn.softmax(scores, sink=sink)
    np.testing.assert_allclose(weights, attn.softmax([*scores, sink])[:-1], atol=1e-15)
    assert 0 <= weights.sum() <= 1 + 1e-12


def test_sinks_of_any_axis_and_size() -> None:
    scores = np.array([[1.0, 2.0, 3.0], [0.0, -np.inf, 1e4]])
    np.testing.assert_array_equal(attn.softmax(scores, sink=-np.inf), attn.softmax(scores))
    per_row = attn.softmax(scores, sink=[[0.0], [1e4]])
    np.testing.assert_allclose(per_row[1], [0, 0, 0.5])
    np.testing.assert_allclose(per_row[0], attn.softmax(scores[0], sink=0.0))
    down = attn.softmax(scores, axis=0, sink=[0.0, 1.0, 2.0])
    expected = attn.softmax(scores.T, sink=[[0.0], [1.0], [2.0]]).T
    np.testing.assert_allclose(down, expected)
    hidden = attn.softmax(scores, sink=0.0, mask=np.zeros(3, bool))
    assert not hidden.any()
    assert not attn.softmax(np.full(3, -np.inf), sink=-np.inf).any()


def test_rms_norm(rng: np.random.Generator) -> None:
    x, gain = rng.normal(size=(2, 3, 4)), rng.normal(size=4)
    expected = gain * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-6)
    np.testing.assert_allclose(attn.rms_norm(x, gain), expected, atol=1e-12)
    assert not attn.rms_norm(np.zeros(3)).any()
    np.testing.assert_allclose(attn.rms_norm([1.0, np.inf, np.nan])[:1], np.nan)
    large = np.full(4, 1e30, np.float32)  # whose squares overflow
    np.testing.assert_allclose(attn.rms_norm(large), np.ones(4), rtol=1e-6)


def test_swiglu_by_hand() -> None:
    # One token (1, 2), two hidden features. Gate: (1, -2); beside it: (2, 3); SiLU(1) = 0.7311,
    # SiLU(-2) = -0.2384. Products: 1.4621 and -0.7152; the output adds them, and takes one away.
    w_gate, w_in, w_out = [[1, 0], [0, -1]], [[0, 1], [1, 1]], [[1, 1], [1, 0]]
    output = attn.swiglu([[1.0, 2.0]], w_gate, w_in, w_out)
    np.testing.assert_allclose(output, [[0.7469, 1.4621]], atol=1e-4)
    far = attn.swiglu([[1e4, -1e4]], np.eye(2), np.eye(2), np.eye(2))  # exp(1e4) overflows
    np.testing.assert_allclose(far, [[1e8, 0.0]])


@pytest.mark.parametrize("gate", ["head", "feature"])
def test_a_layer_with_all_options(rng: np.random.Generator, gate: Any) -> None:
    layer = MultiHeadAttention(
        6,
        2,
        rng=0,
        dtype=np.float64,
        num_kv_heads=1,
        sink=True,
        qk_norm=True,
        gate=gate,
        soft_cap=2,
    )
    layer.sinks = np.array([1.0, -1.0])
    layer.g_query, layer.g_key = rng.normal(size=(2, 3))
    layer.b_query, layer.b_value = rng.normal(size=6), rng.normal(size=3)
    x = rng.normal(size=(2, 5, 6))
    heads = []
    for h in range(2):
        mine = slice(3 * h, 3 * h + 3)
        query = attn.rms_norm(x @ layer.w_query[:, mine] + layer.b_query[mine], layer.g_query)
        key = attn.rms_norm(x @ layer.w_key, layer.g_key)
        output = attn.scaled_dot_product_attention(
            *(query, key, x @ layer.w_value + layer.b_value),
            is_causal=True,
            sink=layer.sinks[h],
            soft_cap=2.0,
        )
        assert layer.w_gate is not None
        columns = slice(h, h + 1) if gate == "head" else mine
        heads.append(output / (1 + np.exp(-x @ layer.w_gate[:, columns])))
    expected = np.concatenate(heads, axis=-1) @ layer.w_output
    np.testing.assert_allclose(layer(x, is_causal=True), expected, atol=1e-12)
    same = MultiHeadAttention.from_parameters(layer.parameters(), 2, soft_cap=2)
    assert repr(same) == repr(layer)
    np.testing.assert_array_equal(same(x), layer(x))


@modules
def test_options_leave_the_other_weights_of_a_seed(module: ModuleType) -> None:
    def drawn(**options: Any) -> dict[str, Any]:
        layer = module.MultiHeadAttention(6, 2, **seeded(module), **options)
        return dict(layer.parameters() if module is attn else layer.named_parameters())

    plain, today = drawn(), drawn(sink=True, qk_norm=True, gate="head")
    assert set(today) - set(plain) == {"sinks", "g_query", "g_key", "w_gate"}
    for name, weight in plain.items():
        np.testing.assert_array_equal(*arrays((today[name], weight)))
