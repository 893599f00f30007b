"""Hard attention draws keys with their weights."""

from __future__ import annotations

import numpy as np
import pytest

from attn import attention_weights, hard_attention


@pytest.fixture
def parts(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return query (2, 5, 7), key (2, 11, 7), value (2, 11, 3)."""
    return tuple(rng.normal(size=(2, *shape)) for shape in ((5, 7), (11, 7), (11, 3)))


def test_output_is_the_value_of_the_choice(parts: tuple[np.ndarray, ...]) -> None:
    output, choice = hard_attention(*parts, rng=0, return_choice=True)
    assert choice.shape == (2, 5)
    for batch, i in np.ndindex(2, 5):
        np.testing.assert_array_equal(output[batch, i], parts[2][batch, choice[batch, i]])


def test_choices_are_as_frequent_as_the_weights_say(parts: tuple[np.ndarray, ...]) -> None:
    query, key, _ = (part[0] for part in parts)
    draws = 20000
    queries = np.broadcast_to(query, (draws, 5, 7))
    _, choice = hard_attention(queries, key, key, rng=3, scale=0.7, return_choice=True)
    weights = attention_weights(query, key, scale=0.7)
    for i in range(5):
        frequency = np.bincount(choice[:, i], minlength=11) / draws
        deviation = np.sqrt(weights[i] * (1 - weights[i]) / draws)
        assert (np.abs(frequency - weights[i]) <= 4 * deviation + 1e-9).all()


def test_a_query_that_sees_nothing_gets_zero(parts: tuple[np.ndarray, ...]) -> None:
    query, key, value = parts
    mask = np.ones((5, 11), bool)
    mask[2] = False
    output, choice = hard_attention(query, key, value, rng=0, mask=mask, return_choice=True)
    assert (output[:, 2] == 0).all()
    assert (choice[:, 2] == -1).all()
    assert (choice[:, :2] >= 0).all()
    none, choice = hard_attention(query, key[:, :0], value[:, :0], rng=0, return_choice=True)
    np.testing.assert_array_equal(none, np.zeros((2, 5, 3)))
    assert (choice == -1).all()


def test_nan_that_is_seen_is_not_hidden(parts: tuple[np.ndarray, ...]) -> None:
    query, key, value = parts
    query[0, 1] = np.nan
    output, choice = hard_attention(query, key, value, rng=0, return_choice=True)
    assert np.isnan(output[0, 1]).all()
    assert choice[0, 1] == -1
    assert np.isfinite(np.delete(output[0], 1, axis=0)).all()


def test_same_seed_same_draw(parts: tuple[np.ndarray, ...]) -> None:
    one, same, other = (hard_attention(*parts, rng=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()
