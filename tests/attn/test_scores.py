"""What attention is made of: scores, their softmax, masks (True = may attend), and positions."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import attn
from attn import (
    AdditiveScore,
    AxialPositions,
    RotaryScaling,
    alibi_bias,
    causal_mask,
    dot_score,
    fast,
    general_score,
    global_mask,
    padding_mask,
    rotary,
    scaled_dot_score,
    sinusoidal_positions,
    sliding_window_mask,
    softmax,
)
from attn.formulas import additive_scores


def test_dot_and_scaled_dot_by_hand() -> None:
    query, key = [[1.0, 2.0, 0.0, 2.0]], [[2.0, 1.0, 5.0, 0.0], [0.0, -1.0, 0.0, 1.0]]
    np.testing.assert_array_equal(dot_score(query, key), [[4.0, 0.0]])
    np.testing.assert_array_equal(scaled_dot_score(query, key), [[2.0, 0.0]])
    np.testing.assert_array_equal(scaled_dot_score(query, key, scale=3.0), [[12.0, 0.0]])


def test_general_is_bilinear_and_need_not_be_symmetric(rng: np.random.Generator) -> None:
    query, key = rng.normal(size=(2, 5, 3)), rng.normal(size=(2, 7, 11))
    weight = rng.normal(size=(3, 11))
    scores = general_score(query, key, weight)
    assert scores.shape == (2, 5, 7)
    assert scores[1, 4, 6] == pytest.approx(query[1, 4] @ weight @ key[1, 6])
    square = rng.normal(size=(3, 3))
    one_way, other = general_score(query, query, square), general_score(query, query, square.T)
    np.testing.assert_allclose(one_way, other.swapaxes(-1, -2))
    assert np.abs(one_way - other).max() > 0.1


def test_additive_is_a_network_of_one_hidden_layer(rng: np.random.Generator) -> None:
    score = AdditiveScore(d_query=3, d_key=5, d_hidden=7, rng=1, dtype=np.float64)
    query, key = rng.normal(size=(2, 11, 3)), rng.normal(size=(2, 13, 5))
    scores = score(query, key)
    assert scores.shape == (2, 11, 13)
    hidden = [
        math.tanh(a + b)
        for a, b in zip(query[1, 10] @ score.w_query, key[1, 12] @ score.w_key, strict=True)
    ]
    assert scores[1, 10, 12] == pytest.approx(sum(hidden * score.w_score))
    assert np.abs(scores).max() <= np.abs(score.w_score).sum()


@pytest.mark.parametrize("sizes", [(1, 1, 1), (40, 300, 11), (17, 3, 2**14), (0, 5, 3), (5, 0, 3)])
def test_additive_in_blocks_equals_the_formula(
    sizes: tuple[int, int, int], rng: np.random.Generator
) -> None:
    n, m, hidden = sizes
    query, key = rng.normal(size=(2, 1, n, hidden)), rng.normal(size=(3, m, hidden))
    w_score = rng.normal(size=hidden) / max(1, hidden)
    blocks = fast.additive_scores(query, key, w_score)
    assert blocks.shape == (2, 3, n, m)
    np.testing.assert_allclose(blocks, additive_scores(query, key, w_score), atol=1e-12)


def test_weights_are_drawn_by_the_generator() -> None:
    one, same, other = (AdditiveScore(3, 5, 7, rng=seed).w_key for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()
    wide = AdditiveScore(300, 200, 100, rng=0)
    assert wide.w_query.var() == pytest.approx(2 / 400, rel=0.05)


# --- softmax: a distribution, whatever the scores -------------------------------------------------

scores_of_any_shape = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=1, max_dims=4, max_side=5),
    elements=st.floats(-1e4, 1e4, allow_nan=False),
)


@given(scores_of_any_shape, st.data())
def test_sums_to_one_along_any_axis(scores: np.ndarray, data: st.DataObject) -> None:
    axis = data.draw(st.integers(-scores.ndim, scores.ndim - 1))
    weights = softmax(scores, axis=axis)
    np.testing.assert_allclose(weights.sum(axis=axis), 1, rtol=1e-12)
    assert (weights >= 0).all()


def test_masked_scores_do_not_count_even_nan() -> None:
    weights = softmax([[np.nan, 1.0, 1.0], [np.inf, 0.0, 0.0]], mask=[False, True, True])
    np.testing.assert_array_equal(weights, [[0, 0.5, 0.5], [0, 0.5, 0.5]])


@pytest.mark.parametrize("mask", [None, [[False] * 3]])
def test_a_row_that_sees_nothing_is_zero(mask: list[list[bool]] | None) -> None:
    scores = np.full((2, 3), -np.inf) if mask is None else np.zeros((2, 3))
    np.testing.assert_array_equal(softmax(scores, mask=mask), np.zeros((2, 3)))


def test_no_scores() -> None:
    assert softmax(np.zeros((5, 0))).shape == (5, 0)
    assert softmax(np.zeros((0, 5))).shape == (0, 5)


def test_overflowed_scores_are_said() -> None:
    with pytest.warns(RuntimeWarning, match="a score is inf"):
        weights = softmax([[np.inf, 0.0], [0.0, 0.0]])
    np.testing.assert_array_equal(weights, [[np.nan, np.nan], [0.5, 0.5]])


counts = st.integers(0, 9)


@given(st.lists(st.integers(0, 7), max_size=5))
def test_padding_shows_as_many_keys_as_there_are_tokens(lengths: list[int]) -> None:
    mask = padding_mask(np.array(lengths, dtype=int), 7)
    assert mask.shape == (len(lengths), 1, 7)
    assert mask.sum(axis=(1, 2)).tolist() == lengths
    assert all((np.diff(row[0].astype(int)) <= 0).all() for row in mask)  # real tokens first


@given(counts, counts)
def test_causal_lets_the_last_query_see_the_last_key(num_queries: int, num_keys: int) -> None:
    mask = causal_mask(num_queries, num_keys)
    for i in range(num_queries):
        seen = max(0, num_keys - (num_queries - 1 - i))
        assert mask[i].tolist() == [True] * seen + [False] * (num_keys - seen)


@given(counts, counts, counts)
def test_window_reaches_equally_far_to_both_sides(n: int, m: int, window: int) -> None:
    mask = sliding_window_mask(n, m, window)
    assert mask.tolist() == [[abs(i + m - n - j) <= window for j in range(m)] for i in range(n)]


@given(st.integers(1, 9), st.data())
def test_global_tokens_see_and_are_seen(n: int, data: st.DataObject) -> None:
    tokens = data.draw(st.lists(st.integers(0, n - 1), unique=True))
    mask = global_mask(n, tokens)
    assert mask.tolist() == [[i in tokens or j in tokens for j in range(n)] for i in range(n)]
    marks = np.isin(np.arange(n), tokens)
    np.testing.assert_array_equal(global_mask(n, marks), mask)


def test_marks_may_differ_between_sequences() -> None:
    marks = np.array([[True, False, False], [False, False, True]])
    mask = global_mask(3, marks)
    assert mask.shape == (2, 3, 3)
    np.testing.assert_array_equal(mask[1], global_mask(3, [2]))


@pytest.mark.parametrize("width", [0, 1, 6, 7])
def test_sinusoids_as_the_paper_writes_them(width: int) -> None:
    table = sinusoidal_positions(11, width)
    assert table.shape == (11, width)
    for t, feature in np.ndindex(11, width):
        angle = t / 10000 ** (2 * (feature // 2) / width)
        turn = math.sin(angle) if feature % 2 == 0 else math.cos(angle)
        assert table[t, feature] == pytest.approx(turn, abs=1e-12)


@pytest.mark.parametrize(
    ("layout", "pairs"),
    [("interleaved", [(0, 1), (2, 3), (4, 5)]), ("half_split", [(0, 3), (1, 4), (2, 5)])],
)
def test_rotary_turns_each_pair_by_its_angle(
    rng: np.random.Generator, layout: Any, pairs: list[tuple[int, int]]
) -> None:
    x = rng.normal(size=(2, 5, 6))
    turned = rotary(x, base=100.0, layout=layout)
    for t, (n, (first, second)) in product(range(5), enumerate(pairs)):
        number = complex(x[1, t, first], x[1, t, second])
        expected = number * np.exp(1j * t * 100.0 ** (-2 * n / 6))
        assert turned[1, t, first] == pytest.approx(expected.real)
        assert turned[1, t, second] == pytest.approx(expected.imag)


def test_rotary_positions_may_differ_between_sequences(rng: np.random.Generator) -> None:
    x = rng.normal(size=(5, 6))
    both = rotary(x, positions=[[0, 1, 2, 3, 4], [7, 8, 9, 10, 11]])
    assert both.shape == (2, 5, 6)
    np.testing.assert_array_equal(both[1], rotary(x, positions=np.arange(7, 12)))


@pytest.mark.parametrize(
    ("num_heads", "slopes"),
    [
        (1, [2**-8]),
        (8, [2**-h for h in range(1, 9)]),
        # Not a power of two: the slopes of 4 heads, then every second one of 8.
        (6, [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3]),
    ],
)
def test_alibi_slopes(num_heads: int, slopes: list[float]) -> None:
    bias = alibi_bias(num_heads, 3, 5)
    assert bias.shape == (num_heads, 3, 5)
    for h, i, j in np.ndindex(num_heads, 3, 5):
        assert bias[h, i, j] == pytest.approx(-slopes[h] * abs(i + 2 - j))


@pytest.mark.parametrize("order", ["row_major", "column_major"])
def test_axial_rows_come_from_both_tables(order: str) -> None:
    axial = AxialPositions((3, 5), (2, 7), order, rng=0)  # type: ignore[arg-type]
    table = axial()
    assert table.shape == (15, 9)
    for j in range(15):
        first, second = (j // 5, j % 5) if order == "row_major" else (j % 3, j // 3)
        np.testing.assert_array_equal(table[j, :2], axial.tables[0][first])
        np.testing.assert_array_equal(table[j, 2:], axial.tables[1][second])
    assert len(np.unique(table, axis=0)) == 15
    assert axial.num_parameters == 3 * 2 + 5 * 7
    np.testing.assert_array_equal(axial(4), table[:4])


# --- rotary positions scaled to more tokens than in training --------------------------------------


BASE, D = 1000.0, 12


def test_linear_is_interpolation_of_positions(rng: np.random.Generator) -> None:
    x = rng.normal(size=(2, 5, D))
    scaled = attn.rotary(x, scaling=RotaryScaling("linear", 4))
    np.testing.assert_allclose(scaled, attn.rotary(x, positions=np.arange(5) / 4), atol=1e-12)


def test_ntk_keeps_the_fastest_and_divides_the_slowest() -> None:
    plain, scaled = BASE ** (-np.arange(6) / 6), RotaryScaling("ntk", 8).frequencies(D, BASE)
    assert scaled[0] == plain[0] == 1
    assert scaled[-1] == pytest.approx(plain[-1] / 8)
    assert (np.diff(plain / scaled) > 0).all()
    assert RotaryScaling("ntk", 2).frequencies(2).tolist() == [1.0]


def test_yarn_keeps_divides_and_mixes() -> None:
    plain = BASE ** (-np.arange(6) / 6)
    scaling = RotaryScaling("yarn", 8, trained_length=500, fast=20, slow=2)
    turns = 500 * plain / (2 * math.pi)
    ratio = plain / scaling.frequencies(D, BASE)
    # 79.6, 25.2, 8.0, 2.5, 0.8, 0.3 turns; the ramp goes from pair 1 to pair 4.
    assert (turns > 20).tolist() == [True, True, False, False, False, False]
    np.testing.assert_allclose(1 / ratio, [1, 1, 1 - 7 / 24, 1 - 14 / 24, 1 / 8, 1 / 8], rtol=1e-12)


def test_yarn_sharpens_the_scores(rng: np.random.Generator) -> None:
    query, key = rng.normal(size=(2, 5, D))
    scaling = RotaryScaling("yarn", math.e**2, trained_length=500)
    assert scaling.attention_factor == pytest.approx(1.2)
    lengths = [np.linalg.norm(attn.rotary(x, scaling=scaling), axis=-1) for x in (query, key)]
    np.testing.assert_allclose(lengths[0], 1.2 * np.linalg.norm(query, axis=-1))
    same_place = [attn.rotary(x, positions=np.full(5, 70), scaling=scaling) for x in (query, key)]
    np.testing.assert_allclose(attn.dot_score(*same_place), 1.44 * attn.dot_score(query, key))


@pytest.mark.parametrize("method", ["linear", "ntk", "yarn"])
def test_a_factor_of_one_changes_nothing(method: str, rng: np.random.Generator) -> None:
    x = rng.normal(size=(5, D))
    scaling = RotaryScaling(method, 1, trained_length=64)  # type: ignore[arg-type]
    np.testing.assert_allclose(attn.rotary(x, scaling=scaling), attn.rotary(x), atol=1e-12)
