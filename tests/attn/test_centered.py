"""Luong's local attention."""

from __future__ import annotations

import math

import numpy as np
import pytest
from reference import attention

from attn import centered_attention


@pytest.fixture
def parts(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return query (5, 7), key (11, 7), value (11, 3)."""
    return tuple(rng.normal(size=shape) for shape in ((5, 7), (11, 7), (11, 3)))


CENTERS = np.array([0.0, 2.5, 5.0, 10.0, 12.2])


def test_without_gaussian_it_is_a_mask(parts: tuple[np.ndarray, ...]) -> None:
    expected = attention(*parts, lambda i, j: abs(j - CENTERS[i]) <= 2)
    output, weights = centered_attention(*parts, centers=CENTERS, window=2, return_weights=True)
    np.testing.assert_allclose(output, expected[0], atol=1e-14)
    np.testing.assert_allclose(weights, expected[1], atol=1e-14)
    assert (weights > 0).sum(axis=1).tolist() == [3, 4, 5, 3, 0]


def test_gaussian_multiplies_the_weights_of_the_window(parts: tuple[np.ndarray, ...]) -> None:
    options = {"centers": CENTERS, "window": 3, "return_weights": True, "score": "dot"}
    _, plain = centered_attention(*parts, **options)
    output, weights = centered_attention(*parts, **options, sigma=1.5)
    for i, j in np.ndindex(5, 11):
        factor = math.exp(-((j - CENTERS[i]) ** 2) / (2 * 1.5**2))
        assert weights[i, j] == pytest.approx(plain[i, j] * factor)
    np.testing.assert_allclose(output, weights @ parts[2])


def test_centers_broadcast(parts: tuple[np.ndarray, ...]) -> None:
    one = centered_attention(*parts, centers=4, window=1)
    np.testing.assert_array_equal(one, centered_attention(*parts, centers=[4.0] * 5, window=1))
    both = centered_attention(*parts, centers=np.stack([CENTERS, CENTERS + 1]), window=1)
    assert both.shape == (2, 5, 3)
    np.testing.assert_array_equal(
        both[1], centered_attention(*parts, centers=CENTERS + 1, window=1)
    )
