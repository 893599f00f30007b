"""What hashing finds: the measures against independent ones, and the stored result."""

import numpy as np
import pytest

from attnlab.experiments import hashing


@pytest.fixture
def tokens() -> np.ndarray:
    return hashing.clustered(np.random.default_rng(0), 256)


def test_full_weights_by_loops(tokens):
    few = tokens[:7]
    rows = []
    for i, x in enumerate(few):
        powers = [0 if i == j else np.exp(x @ y / np.linalg.norm(y)) for j, y in enumerate(few)]
        rows.append(np.array(powers) / sum(powers))
    np.testing.assert_allclose(hashing.full_weights(few), rows, atol=1e-12)


def test_enough_rounds_meet_everybody_and_are_exact_once(tokens):
    weights, met = hashing.full_weights(tokens), hashing.met_tokens(tokens, 64, 0)
    assert met.all(axis=None, where=~np.eye(256, dtype=bool))
    assert not met.diagonal().any()
    assert hashing.recall(weights, met, 16) == 1
    np.testing.assert_allclose(hashing.met_once(tokens, met), weights, atol=1e-12)


def test_recall_counts_the_largest():
    weights = np.array([[0.0, 0.6, 0.3, 0.1], [0.6, 0.0, 0.1, 0.3]])
    met = np.array([[False, True, False, True], [True, False, False, True]])
    assert hashing.recall(weights, met, 2) == 0.75


def test_a_token_that_met_nobody_sees_itself(tokens):
    met = np.zeros((3, 3), dtype=bool)
    met[0, 2] = True
    np.testing.assert_allclose(hashing.met_once(tokens[:3], met), [[0, 0, 1], [0, 1, 0], [0, 0, 1]])
