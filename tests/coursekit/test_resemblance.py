"""Each sentence is true of the value that it is said of, and of no other in the list."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_st

from coursekit.resemblance import resemblance

RIGHT = np.random.default_rng(0).normal(size=(3, 5)) + 4
WEIGHTS = np.exp(RIGHT) / np.exp(RIGHT).sum(axis=-1, keepdims=True)
CUBE = np.random.default_rng(1).normal(size=(2, 3, 5))
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
        (RIGHT.round(2), RIGHT, "It is right, but rounded to 2 decimals"),
        (RIGHT[:, ::-1], RIGHT, "Its order is reversed along axis 1."),
        (np.roll(RIGHT, 1, axis=0), RIGHT, "Everything is shifted by one place along axis 0"),
        (RIGHT[[0, 2, 1]], RIGHT, "The rows are right, but in another order."),
        (LINE[[2, 0, 1, 3]], LINE, "The numbers are right, but in another order."),
        (np.exp(RIGHT), RIGHT, "They are the exponentials of what is expected."),
        (np.log(RIGHT), RIGHT, "They are the logarithms of what is expected."),
        (WEIGHTS, RIGHT, "Each row sums to 1, as weights do: are these the weights?"),
        (_with(RIGHT, (1, 2), 9.0), RIGHT, "Only row 1 differs."),
        (np.array(12.5), np.array(0.125), "It is 100 times too large: is it in percent?"),
        (np.array(-3.0), np.array(3.0), "Only the sign is wrong."),
        (np.array([True, False]), np.array([False, True]), "True and False are exchanged"),
        (np.random.default_rng(2).normal(size=(3, 5)), RIGHT, ""),
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
