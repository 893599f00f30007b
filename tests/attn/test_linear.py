"""Linear attention: as a product with a mask, and as a recurrence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import attn

TOKENS, WIDTH, VALUES = 7, 5, 3


def phi(x: float) -> float:
    return x + 1 if x > 0 else math.exp(x)


def by_hand(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, decay: np.ndarray, normalise: bool = True
) -> np.ndarray:
    """Return causal linear attention, one product at a time."""
    output = np.zeros((len(query), value.shape[1]))
    for i, q in enumerate(query):
        total = 0.0
        for j in range(i + 1):
            weight = sum(phi(a) * phi(b) for a, b in zip(q, key[j], strict=True))
            weight *= math.prod(decay[j + 1 : i + 1])
            output[i] += weight * value[j]
            total += weight
        output[i] /= total if normalise else 1
    return output


@pytest.fixture
def parts(rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.normal(size=(2, TOKENS, width)) for width in (WIDTH, WIDTH, VALUES)]


@pytest.mark.parametrize("normalise", [True, False])
@pytest.mark.parametrize("kind", ["none", "retention", "gate"])
def test_both_forms_equal_the_definition(
    parts: list[np.ndarray], rng: np.random.Generator, kind: str, normalise: bool
) -> None:
    decay = {
        "none": np.ones((2, 1)),
        "retention": np.array([[0.9], [0.5]]),
        "gate": rng.uniform(0.1, 1, size=(2, TOKENS)),
    }[kind]
    given_decay: Any = None if kind == "none" else decay
    each = np.broadcast_to(decay, (2, TOKENS))
    expected = [by_hand(*one, normalise) for one in zip(*parts, each, strict=True)]
    seen = attn.linear_attention(*parts, is_causal=True, decay=given_decay, normalise=normalise)
    np.testing.assert_allclose(seen, expected, atol=1e-12)
    memory = attn.LinearAttentionState(normalise=normalise)
    np.testing.assert_allclose(memory.append(*parts, given_decay), expected, atol=1e-12)


def test_without_a_mask_the_order_of_products_is_free(parts: list[np.ndarray]) -> None:
    everything = np.ones((TOKENS, TOKENS), bool)
    np.testing.assert_allclose(
        attn.linear_attention(*parts), attn.linear_attention(*parts, mask=everything), atol=1e-12
    )


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4))
def test_a_state_goes_on_where_it_was_and_does_not_grow(steps: list[int]) -> None:
    tokens = sum(steps)
    parts = np.random.default_rng(0).normal(size=(3, 2, tokens, WIDTH))
    decay = np.random.default_rng(1).uniform(0.5, 1, size=(2, tokens))
    memory, outputs, end = attn.LinearAttentionState(), [], 0
    for step in steps:
        now = slice(end, end + step)
        outputs.append(memory.append(*parts[:, :, now], decay[:, now]))
        end += step
        assert memory.state is not None
        assert memory.total is not None
        assert (memory.state.shape, memory.total.shape) == ((2, WIDTH, WIDTH), (2, WIDTH))
    assert memory.num_tokens == tokens
    expected = attn.linear_attention(*parts, is_causal=True, decay=decay)
    np.testing.assert_allclose(np.concatenate(outputs, axis=1), expected, atol=1e-10)


def test_a_query_that_sees_nothing_gets_zero(parts: list[np.ndarray]) -> None:
    mask = np.arange(TOKENS) > 1
    output = attn.linear_attention(*parts, mask=mask, is_causal=True)
    assert not output[:, :2].any()
    assert output[:, 2:].all()
    more_queries = attn.linear_attention(parts[0], parts[1][:, :2], parts[2][:, :2], is_causal=True)
    assert not more_queries[:, :-2].any()


def test_features_of_any_width(parts: list[np.ndarray]) -> None:
    def squares(x: np.ndarray) -> np.ndarray:
        """Return all products of two features: phi(q) . phi(k) = (q . k) ** 2."""
        return (x[..., :, None] * x[..., None, :]).reshape(*x.shape[:-1], -1)

    query, key, value = parts
    seen = attn.linear_attention(query, key, value, feature_map=squares, normalise=False)
    np.testing.assert_allclose(seen, (query @ key.mT) ** 2 @ value, atol=1e-12)
    plain = attn.linear_attention(query, key, value, feature_map=None, normalise=False)
    np.testing.assert_allclose(plain, query @ key.mT @ value, atol=1e-12)


def test_a_long_fast_decay_neither_overflows_nor_vanishes_early(rng: np.random.Generator) -> None:
    parts = rng.normal(size=(3, 400, WIDTH)).astype(np.float32)
    at_once = attn.linear_attention(*parts, is_causal=True, decay=0.01)
    stepwise = attn.LinearAttentionState().append(*parts, 0.01)
    np.testing.assert_allclose(at_once, stepwise, atol=2e-3)
    assert np.isfinite(at_once).all()


def test_a_refused_step_leaves_the_state_as_it_was(parts: list[np.ndarray]) -> None:
    memory = attn.LinearAttentionState()
    memory.append(*parts)
    before = memory.state
    with pytest.raises(
        ValueError, match=r"have a state of shape \(2, 4, 3\); expected \(2, 5, 3\)"
    ):
        memory.append(parts[0][..., 1:], parts[1][..., 1:], parts[2])
    assert memory.state is before
    assert repr(memory) == f"LinearAttentionState(num_tokens={TOKENS})"
