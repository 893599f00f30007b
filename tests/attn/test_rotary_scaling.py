"""Rotary positions scaled to more tokens than in training."""

from __future__ import annotations

import math

import numpy as np
import pytest

import attn
from attn import RotaryScaling

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


def test_errors_say_what_was_seen() -> None:
    scaling = RotaryScaling("ntk", 2)
    with pytest.raises(ValueError, match="d is 5; expected an even number"):
        scaling.frequencies(5)
    with pytest.raises(ValueError, match="base is 1; expected a number above 1"):
        scaling.frequencies(6, 1)
    assert scaling.frequencies(2).tolist() == [1.0]
