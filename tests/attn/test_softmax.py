"""Softmax: a distribution, whatever the scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attn import softmax

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
