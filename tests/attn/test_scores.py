"""Score functions against loops, and the softmax of scores."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attn import AdditiveScore, dot_score, fast, general_score, scaled_dot_score, softmax
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


@given(scores_of_any_shape, st.floats(-1e3, 1e3))
def test_adding_a_number_changes_nothing(scores: np.ndarray, shift: float) -> None:
    np.testing.assert_allclose(softmax(scores + shift), softmax(scores), atol=1e-9)


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
