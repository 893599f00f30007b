"""What is stored of mistakes in the real model; `tests/oracles/test_swaps.py` measures it again."""

from pathlib import Path

import numpy as np
import pytest

from attnlab.minilm import stored_swaps
from coursekit.bank.load import load_exercise

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("id", stored_swaps.MISTAKES)
def test_two_sentences_and_six_layers(id):
    found = stored_swaps.load(id)
    assert found.cosines.shape == found.differences.shape == (2, 6)
    assert found.lengths == (12, 6)
    assert np.isnan(found.cosines[1]).all() == (id == "wrong-axis")


def test_an_unknown_mistake_is_one_line():
    with pytest.raises(ValueError, match="nothing is stored of 'none'; expected one of unscaled, "):
        stored_swaps.load("none")


def test_what_the_question_says_is_what_is_stored():
    quiz = load_exercise(ROOT / "exercises/masking/predict-where-it-matters.py")
    axis, scale = (stored_swaps.load(id).cosines[0] for id in ("wrong-axis", "unscaled"))
    assert f"{axis[0]:.3f} with the first mistake, and {scale[0]:.3f} with" in quiz.statement
    right = next(o for o in quiz.questions[0].options.values() if o.correct)
    assert f"{axis[5]:.3f}, and {scale[5]:.3f} without the scale" in right.success_message
    assert axis[5] > 0.4
    no_mask = stored_swaps.load("no-mask")
    assert no_mask.cosines[0].min() == 1
    assert no_mask.cosines[1].max() < 0.96
    assert stored_swaps.load("keys-as-values").cosines[0, 0] < 0.6
