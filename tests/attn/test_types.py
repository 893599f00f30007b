"""Every mechanism keeps the type of its input, and its input as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from everywhere import CASES, cases, results_of

import attn


def computed(name: str, parts: Any) -> list[np.ndarray]:
    """Return what NumPy's mechanism gives for two sentences, the first of them padded."""
    real = np.arange(13) < np.array([[9], [13]])
    return results_of(CASES[name](attn, *parts, real))


@cases
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_keeps_the_type(name: str, dtype: type, rng: np.random.Generator) -> None:
    for result in computed(name, rng.normal(size=(3, 2, 3, 13, 6)).astype(dtype)):
        assert result.dtype == dtype
        assert np.isfinite(result).all()


# Of latents, what is stored between two calls is as narrow as the rest.
@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("layer, latent")])
def test_float16_is_computed_wider(name: str, rng: np.random.Generator) -> None:
    parts = rng.normal(size=(3, 2, 3, 13, 6)).astype(np.float16)
    wide = computed(name, parts.astype(np.float32))
    for seen, expected in zip(computed(name, parts), wide, strict=True):
        np.testing.assert_array_equal(seen, expected.astype(np.float16))


@cases
def test_leaves_its_input_alone(name: str, rng: np.random.Generator) -> None:
    parts = rng.normal(size=(3, 2, 3, 13, 6))
    before = parts.copy()
    parts.flags.writeable = False
    computed(name, parts)
    np.testing.assert_array_equal(parts, before)


@cases
def test_does_not_mind_how_memory_is_laid_out(name: str, rng: np.random.Generator) -> None:
    parts = rng.normal(size=(3, 2, 3, 13, 6))
    scattered = [np.ascontiguousarray(part.T).T[..., ::-1, :][..., ::-1, :] for part in parts]
    for seen, expected in zip(computed(name, scattered), computed(name, parts), strict=True):
        np.testing.assert_allclose(seen, expected, atol=1e-14)


@cases
def test_integers_are_numbers(name: str) -> None:
    # Splitting heads moves numbers and computes nothing; layers have weights of float32.
    kept = np.int64 if name == "split and merged" else np.float64
    ones = np.ones((3, 2, 3, 13, 6), dtype=np.int64)
    assert all(result.dtype == kept for result in computed(name, ones))


@pytest.mark.parametrize("dtype", [int, "foo", bool, np.complex64])
@pytest.mark.parametrize(
    "make",
    [
        lambda dtype: attn.MultiHeadAttention(8, 2, dtype=dtype),
        lambda dtype: attn.AdditiveScore(8, 8, 4, dtype=dtype),
        lambda dtype: attn.AxialPositions((2, 3), (2, 2), dtype=dtype),
        lambda dtype: attn.sinusoidal_positions(4, 4, dtype=dtype),
        lambda dtype: attn.alibi_bias(2, 4, 4, dtype=dtype),
    ],
)
def test_only_floating_point_numbers_hold_weights(make: Callable[[Any], Any], dtype: Any) -> None:
    with pytest.raises(TypeError, match=r"dtype is .*; expected float16, float32 or float64"):
        make(dtype)
