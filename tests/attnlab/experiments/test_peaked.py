"""What the largest weights hold: some by hand, and the stored result."""

import numpy as np
import pytest

from attnlab.experiments import load, peaked


def test_equal_scores_share_alike():
    np.testing.assert_allclose(peaked.share_of_largest(np.zeros((3, 20)), 5), 0.25)


def test_one_large_score_takes_its_share():
    scores = np.log([[1.0, 7.0, 1.0, 1.0]])
    assert peaked.share_of_largest(scores, 1)[0] == pytest.approx(0.7)
    assert peaked.share_of_largest(scores, 4)[0] == pytest.approx(1)


def test_quick_run_is_seeded_and_like_the_stored_one():
    first, again = (peaked.run(seeds=(4,), quick=True) for _ in range(2))
    assert first.curves == again.curves
    assert set(first.curves) == set(load("peaked").curves)


def test_what_was_found_in_every_seed():
    stored = load("peaked")["the largest 32"]
    assert (np.diff(stored.array) > 0).all()
    assert stored.at(1).max() < 0.25
    assert stored.at(4).min() > 0.9
