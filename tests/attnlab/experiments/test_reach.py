"""How far a stack of windows sees: counts against powers of the mask, and the stored result."""

import numpy as np
import pytest

pytest.importorskip("torch")

from attn import causal_mask, global_mask, sliding_window_mask
from attnlab.experiments import reach


def informed(mask: np.ndarray, layers: int) -> np.ndarray:
    return np.linalg.matrix_power(mask.astype(float), layers) > 0


@pytest.mark.parametrize("position", [0, 3, 11, 22])
def test_formula_is_the_power_of_the_mask(position):
    for window, layers in ((1, 1), (2, 3), (3, 2), (5, 7)):
        row = informed(sliding_window_mask(23, 23, window), layers)[position]
        assert reach.in_reach(position, 23, window, layers) == row.sum()


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ({}, np.zeros((23, 23), dtype=bool)),
        ({"global_tokens": [5]}, global_mask(23, [5])),
    ],
)
def test_gradient_is_where_the_mask_says(options, more):
    mask = sliding_window_mask(23, 23, 2) | more
    for layers in (1, 2, 3):
        reached = reach.influence(13, layers, 0, num_tokens=23, window=2, **options) != 0
        np.testing.assert_array_equal(reached, informed(mask, layers)[13])


def test_a_causal_stack_sees_the_past_only():
    mask = sliding_window_mask(23, 23, 2) & causal_mask(23, 23)
    reached = reach.influence(13, 3, 0, num_tokens=23, window=2, is_causal=True) != 0
    np.testing.assert_array_equal(reached, informed(mask, 3)[13])
    assert reached.sum() == 7


def test_holding_counts_the_strongest():
    assert reach.holding(0.5, np.ones(10)) == 5
    assert reach.holding(1.0, np.array([3.0, 0.0, 1.0])) == 2
