"""What hashing finds: the measures against independent ones, and the stored result."""

import numpy as np
import pytest

from attnlab.experiments import hashing, load


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


def test_quick_run_is_seeded_and_its_recall_rises():
    first, again = (hashing.run(seeds=(4,), quick=True) for _ in range(2))
    assert first.curves == again.curves
    assert set(first.curves) == set(load("hashing").curves)
    for name in hashing.DATA:
        assert (np.diff(first[f"{name}: recall"].array) > 0).all()


def test_what_was_found_in_every_seed():
    stored = load("hashing")
    for name in hashing.DATA:
        assert (np.diff(stored[f"{name}: recall"].array) > 0).all()
        assert (np.diff(stored[f"{name}: mass"].array) > 0).all()
        assert (np.diff(stored[f"{name}: error, once"].array) < 0).all()
        double = stored[f"{name}: error"].at(32), stored[f"{name}: error, once"].at(32)
        assert double[0].min() > 3 * double[1].max()  # a key met often counts often
    assert stored["clusters: error"].at(4).max() < 0.1
    assert stored["Gaussian: error"].at(4).min() > 0.7
