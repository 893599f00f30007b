"""Weights and outputs against the definition, one number at a time."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from reference import attention

import attn.fast
from attn import attention_weights, causal_mask, general_score, scaled_dot_product_attention


@pytest.fixture(autouse=True, params=[1 << 14, 0], ids=["one array", "blocks"])
def path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every test on both paths: small inputs would take the first only."""
    monkeypatch.setattr(attn.fast, "LARGE", request.param)


@pytest.fixture
def parts(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return query (5, 7), key (11, 7), value (11, 13)."""
    return rng.normal(size=(5, 7)), rng.normal(size=(11, 7)), rng.normal(size=(11, 13))


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("limits", [{}, {"sink": 0.7}, {"soft_cap": 0.5}])
def test_equals_the_definition(
    parts: tuple[np.ndarray, ...],
    rng: np.random.Generator,
    is_causal: bool,
    masked: bool,
    biased: bool,
    limits: dict[str, float],
) -> None:
    query, key, value = parts
    mask = rng.random((5, 11)) < 0.5 if masked else np.ones((5, 11), bool)
    mask[1] &= not masked  # one row sees nothing
    bias = rng.normal(size=(5, 11)) if biased else None
    allowed = mask & causal_mask(5, 11) if is_causal else mask
    limited = (limits.get("sink", -np.inf), limits.get("soft_cap", np.inf))
    expected, expected_weights = attention(
        query, key, value, lambda i, j: bool(allowed[i, j]), 0.3, bias, *limited
    )
    options: Any = {"bias": bias, "is_causal": is_causal, "scale": 0.3, **limits}
    options["mask"] = mask if masked else None
    output, weights = scaled_dot_product_attention(*parts, **options, return_weights=True)
    np.testing.assert_allclose(output, expected, atol=1e-14)
    np.testing.assert_allclose(weights, expected_weights, atol=1e-14)
    alone = scaled_dot_product_attention(*parts, **options)  # the only one that blocks compute
    np.testing.assert_allclose(alone, expected, atol=1e-12)
    weights = attention_weights(query, key, **options)
    np.testing.assert_allclose(weights, expected_weights, atol=1e-14)


def test_leading_axes_broadcast(parts: tuple[np.ndarray, ...], rng: np.random.Generator) -> None:
    query, key, value = parts
    queries = np.stack([query, 2 * query, -query])[:, None]  # (3, 1, 5, 7)
    values = np.stack([value, -value])  # (2, 11, 13)
    output = scaled_dot_product_attention(queries, key, values)
    assert output.shape == (3, 2, 5, 13)
    np.testing.assert_allclose(output[2, 1], attention(-query, key, -value)[0], atol=1e-14)


def test_score_can_be_any_function(parts: tuple[np.ndarray, ...], rng: np.random.Generator) -> None:
    query, _, _ = parts
    wide_key = rng.normal(size=(11, 3))
    weight = rng.normal(size=(7, 3))
    weights = attention_weights(query, wide_key, score=partial(general_score, weight=weight))
    np.testing.assert_allclose(
        weights, attention(query @ weight, wide_key, wide_key, scale=1.0)[1], atol=1e-14
    )


def test_what_is_seen_is_not_hidden(parts: tuple[np.ndarray, ...]) -> None:
    query, key, value = parts
    value[10, 2], value[10, 3], value[9, 3] = np.inf, np.inf, -np.inf
    output = scaled_dot_product_attention(query, key, value, is_causal=True)
    assert np.isfinite(output[:3]).all()
    assert output[3, 3] == -np.inf  # sees key 9 only
    assert output[4, 2] == np.inf
    assert np.isnan(output[4, 3])  # sees both infinities
    assert np.isfinite(output[4, 4:]).all()


def test_overflow_of_finite_numbers_is_said(parts: tuple[np.ndarray, ...]) -> None:
    query, key, value = (part.astype(np.float32) for part in parts)
    key[3] = 1e38
    query[1] = 1e38
    with pytest.warns(RuntimeWarning, match="overflowed"):
        scaled_dot_product_attention(query, key, value)
