"""What the largest weights hold: some by hand, and the stored result."""

import numpy as np
import pytest

from attnlab.experiments import peaked


def test_equal_scores_share_alike():
    np.testing.assert_allclose(peaked.share_of_largest(np.zeros((3, 20)), 5), 0.25)


def test_one_large_score_takes_its_share():
    scores = np.log([[1.0, 7.0, 1.0, 1.0]])
    assert peaked.share_of_largest(scores, 1)[0] == pytest.approx(0.7)
    assert peaked.share_of_largest(scores, 4)[0] == pytest.approx(1)
