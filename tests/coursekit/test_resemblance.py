"""Each sentence is true of the value that it is said of, and of no other in the list."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_st

from coursekit.judge.resemblance import resemblance

RIGHT = np.random.default_rng(0).normal(size=(3, 5)) + 4
WEIGHTS = np.exp(RIGHT) / np.exp(RIGHT).sum(axis=-1, keepdims=True)
CUBE = np.random.default_rng(1).normal(size=(2, 3, 5))
FACTORS = np.array([[2], [3], [1]])
PAIRS = np.array([[0.75, 0.25], [0.5, 2.0]])
SQUARE = np.random.default_rng(3).normal(size=(5, 5)) + 4
SPREAD = np.random.default_rng(4).normal(size=(5, 5)) + 4
LINE = np.array([0.25, 1.5, -0.75, 3.125])


def _with(array, index, number):
    changed = array.copy()
    changed[index] = number
    return changed


@pytest.mark.parametrize(
    ("value", "right", "sentence"),
    [
        (RIGHT.T, RIGHT, "It is the transpose of what is expected."),
        (CUBE.transpose(1, 0, 2), CUBE, "Its axes are in another order: transpose(1, 0, 2)"),
        (RIGHT[None], RIGHT, "The numbers are right and in the right order; only the shape"),
        (-RIGHT, RIGHT, "Every sign is the opposite."),
        (RIGHT * np.sqrt(7), RIGHT, "Every number is 2.646 times too large (2.646 is √7)."),
        (RIGHT / 3, RIGHT, "Every number is 3 times too small."),
        (RIGHT + 0.5, RIGHT, "Every number is too large by 0.5."),
        (RIGHT.astype(np.float32), RIGHT, "right to about 7 digits only: was it computed in floa"),
        (RIGHT.round(2), RIGHT, "It is right, but rounded to two decimals"),
        (RIGHT.round(5), RIGHT, "It is right, but rounded to five decimals"),
        (np.array([0.063, 0.5]), np.array([0.0625, 0.5]), "rounded to three decimals"),
        (RIGHT[:, ::-1], RIGHT, "Its order is reversed along axis 1."),
        (np.roll(RIGHT, 1, axis=0), RIGHT, "Everything is shifted by one place along axis 0"),
        (RIGHT[[0, 2, 1]], RIGHT, "The rows are right, but in another order."),
        (LINE[[2, 0, 1, 3]], LINE, "The numbers are right, but in another order."),
        (np.exp(RIGHT), RIGHT, "They are the exponentials of what is expected."),
        (np.log(RIGHT), RIGHT, "They are the logarithms of what is expected."),
        (WEIGHTS, RIGHT, "Each row sums to 1, as weights do: are these the weights?"),
        (_with(RIGHT, (1, 2), 9.0), RIGHT, "Only row 1 differs."),
        (np.array(12.5), np.array(0.125), "It is 100 times too large: is it in percent?"),
        (np.array(1.966), np.array(1966.08), "It is 1000 times too small."),
        (np.array(1.85), np.array(1742.7), ""),
        (np.array(832.5), np.array(832.0), ""),
        (np.array(-3.0), np.array(3.0), "Only the sign is wrong."),
        (np.array([True, False]), np.array([False, True]), "True and False are exchanged"),
        (CUBE.sum(0), CUBE, "It is the sum of what is expected along axis 0."),
        (CUBE.mean(1), CUBE, "It is the mean of what is expected along axis 1."),
        (CUBE[:, :, -1], CUBE, "It is only the last entry of what is expected along axis 2."),
        (np.stack([RIGHT, -RIGHT / 2]) * 2, RIGHT, "Its sum along axis 0 is what is expected."),
        (np.stack([RIGHT - 1, RIGHT + 1]), RIGHT, "Its mean along axis 0 is what is expected."),
        (np.stack([RIGHT, CUBE[0]]), RIGHT, "Its first entry along axis 0 is what is expected."),
        (RIGHT[:-1], RIGHT, "The last entry is missing along axis 0; the others are right."),
        (RIGHT[:, 2:], RIGHT, "The first 2 entries are missing along axis 1; the others are"),
        (RIGHT, RIGHT[:, :3], "The last 2 entries are too many along axis 1; the others are"),
        (CUBE.reshape(-1)[::-1].reshape(2, 5, 3), CUBE, "All the numbers are right, but not at"),
        (RIGHT.T.reshape(3, 5), RIGHT, "All the numbers are right, but not at their places"),
        (RIGHT * 1.0005, RIGHT, "Every number is 0.05 % too large."),
        (np.trunc(RIGHT * 9), RIGHT * 9, "Everything after the decimal point is cut off"),
        (RIGHT * FACTORS, RIGHT, "Each row is what is expected times a number of its own"),
        (RIGHT * [2, 3, 4, 5, 6], RIGHT, "Each column is what is expected times a number of its"),
        (RIGHT + FACTORS, RIGHT, "Each row is what is expected plus a number of its own."),
        (1 / RIGHT, RIGHT, "They are the reciprocals of what is expected."),
        (1 - RIGHT, RIGHT, "They are 1 minus what is expected."),
        (np.abs(LINE), LINE, "They are the absolute values of what is expected."),
        (np.maximum(LINE, 0), LINE, "Negative numbers became 0; the others are right."),
        (RIGHT.cumsum(1), RIGHT, "They are the running sums of what is expected along axis 1."),
        (_with(np.roll(RIGHT, 1, 1), (slice(None), 0), 9), RIGHT, "shifted by one place along ax"),
        (RIGHT[[1, 1, 1]], RIGHT, "Every row is the same; those that are expected are not."),
        (CUBE[[1, 1]], CUBE, "Every entry along axis 0 is the same; those that are expected"),
        (np.tril(SQUARE) * SPREAD, SQUARE, "All numbers above the diagonal are 0; none of them"),
        (SQUARE * (1 - np.eye(5)) * SPREAD, SQUARE, "All numbers on the diagonal are 0; none"),
        (_with(RIGHT, (1, 2), np.nan), RIGHT, "Every other number is right."),
        (np.random.default_rng(2).normal(size=(3, 5)), RIGHT, ""),
        (_with(RIGHT * 2, (1, 2), np.nan), RIGHT, ""),
        (np.zeros((3, 5)), RIGHT, ""),
        (np.eye(5)[[0, 0, 2]], RIGHT, ""),
        (RIGHT * [[1.0002], [1.0], [0.9998]], RIGHT, ""),
        (np.eye(4)[[1, 2, 3]], np.eye(4)[[1, 1, 2]], ""),
        (PAIRS * [2, 3], PAIRS, ""),
        (np.zeros((2, 5)), RIGHT, ""),
        (np.array([[False]]), np.array([[True]]), ""),
        (np.array(True), np.array(False), ""),
        (np.array([False, False]), np.array([True, True]), ""),
        (np.ones((3, 5)), np.zeros((3, 5)), ""),
        (np.ones(5), np.ones((3, 5)) * 2, ""),
        (np.array(17.0), np.array(3.0), ""),
        (RIGHT * np.nan, RIGHT, ""),
        (np.ones((5, 3)), np.ones((3, 5)), ""),
        (np.zeros((0, 3)), RIGHT, ""),
        (np.full((2, 2), 0.5), np.array([[0.7, 0.3], [0.0, 0.0]]), ""),
    ],
    ids=lambda case: case if isinstance(case, str) else None,
)
def test_sentence(value, right, sentence) -> None:
    said = resemblance(value, right, 1e-8)
    assert sentence in said
    assert bool(said) == bool(sentence)


_SHAPES = numpy_st.array_shapes(min_dims=0, max_dims=3, max_side=3)
_ARRAYS = numpy_st.arrays(np.float64, _SHAPES, elements=st.floats(width=64))


@given(_ARRAYS, _ARRAYS)
def test_any_numbers_get_a_sentence_or_none(value, right) -> None:
    assert isinstance(resemblance(value, right, 1e-8), str)
