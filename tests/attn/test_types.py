"""Every mechanism keeps the type of its input, and its input as it is."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from everywhere import CASES, calling, results_of

import attn

Mechanism = Callable[[ModuleType, list[Any]], Any]

MECHANISMS: dict[str, Mechanism] = CASES | {
    "hard": lambda module, parts: module.hard_attention(*parts, rng=0),
    "bias": calling("scaled_dot_product_attention", 0, 1, 2, bias=attn.alibi_bias(3, 13, 13)),
    "multi-head": lambda module, parts: module.MultiHeadAttention(6, 2, rng=0)(*parts),
    "multi-head today": lambda module, parts: module.MultiHeadAttention(
        6, 2, rng=0, sink=True, qk_norm=True, gate="feature", soft_cap=9
    )(*parts, return_weights=True),
    "latent": lambda module, parts: latent(module)(parts[0]),
    "absorbed": lambda module, parts: latent(module)(parts[0], absorbed=True),
    "general": lambda module, parts: module.general_score(*parts[:2], np.eye(6)),
    "additive": lambda module, parts: module.AdditiveScore(6, 6, 5, rng=0)(*parts[:2]),
}
mechanisms = pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=list(MECHANISMS))


def latent(module: ModuleType) -> Any:
    return module.MultiHeadLatentAttention(6, 2, 3, rotary_dim=2, rng=0)


@mechanisms
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_keeps_the_type(mechanism: Mechanism, dtype: type, rng: np.random.Generator) -> None:
    parts = rng.normal(size=(3, 2, 3, 13, 6)).astype(dtype)
    for result in results_of(mechanism(attn, list(parts))):
        assert result.dtype == dtype
        assert np.isfinite(result).all()


@mechanisms
def test_float16_is_computed_wider(mechanism: Mechanism, rng: np.random.Generator) -> None:
    parts = rng.normal(size=(3, 2, 3, 13, 6)).astype(np.float16)
    narrow = results_of(mechanism(attn, list(parts)))
    wide = results_of(mechanism(attn, list(parts.astype(np.float32))))
    for seen, expected in zip(narrow, wide, strict=True):
        np.testing.assert_array_equal(seen, expected.astype(np.float16))


@mechanisms
def test_leaves_its_input_alone(mechanism: Mechanism, rng: np.random.Generator) -> None:
    parts = rng.normal(size=(3, 2, 3, 13, 6))
    before = parts.copy()
    parts.flags.writeable = False
    mechanism(attn, list(parts))
    np.testing.assert_array_equal(parts, before)


@mechanisms
def test_does_not_mind_how_memory_is_laid_out(
    mechanism: Mechanism, rng: np.random.Generator
) -> None:
    parts = rng.normal(size=(3, 2, 3, 13, 6))
    scattered = [np.ascontiguousarray(part.T).T[..., ::-1, :][..., ::-1, :] for part in parts]
    for seen, expected in zip(
        results_of(mechanism(attn, scattered)),
        results_of(mechanism(attn, list(parts))),
        strict=True,
    ):
        np.testing.assert_allclose(seen, expected, atol=1e-14)


@mechanisms
def test_integers_are_numbers(mechanism: Mechanism) -> None:
    ones = np.ones((2, 3, 13, 6), dtype=np.int64)
    # Splitting heads moves numbers and computes nothing.
    expected = np.int64 if mechanism is MECHANISMS["heads"] else np.float64
    assert all(
        result.dtype == expected for result in results_of(mechanism(attn, [ones, ones, ones]))
    )


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
