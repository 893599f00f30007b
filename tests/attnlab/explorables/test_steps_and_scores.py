"""The steps of attention, its score functions, and what the width does: what Python computes."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import attn
from attnlab.data import four_tokens
from attnlab.explorables import Pipeline, Saturation, ScoreFunctions

ROOT = Path(__file__).resolve().parents[3]


def test_pipeline_is_the_attention_of_the_running_example() -> None:
    shown = Pipeline()
    query, key, value = (four_tokens.X @ w for w in four_tokens.PROJECTIONS)
    output = attn.scaled_dot_product_attention(query, key, value)
    np.testing.assert_allclose(shown.output(), output)


def test_the_exercise_on_the_pipeline_computes_what_the_figure_shows() -> None:
    path = ROOT / "exercises" / "scaled-dot-product" / "halve-the-weight.py"
    weight_of_cat = runpy.run_path(str(path))["_weight_of_cat"]
    for sentence in ("the cat drank milk", "a horse saw cat outside drank", "cat drinks drank tea"):
        shown = Pipeline(sentence=sentence)
        words = shown.tokens()
        expected = shown.weights()[words.index("drank"), words.index("cat")]
        assert weight_of_cat(words) == pytest.approx(expected)


def test_the_exercise_on_saturation_computes_what_the_figure_shows() -> None:
    path = ROOT / "exercises" / "scaled-dot-product" / "gradient-left.py"
    exercise = runpy.run_path(str(path))
    shares = []
    for exponent in range(11):
        plain, scaled = Saturation(exponent=exponent).gradients()
        shares.append(plain / scaled)
        assert exercise["_share"](exponent) == pytest.approx(shares[-1], rel=1e-6, abs=1e-9)
    assert [share < 0.1 for share in shares].index(True) == exercise["exponent"]
    # What the exercise says once it is solved.
    assert Saturation(exponent=5).weights().max() < 0.9 < Saturation(exponent=6).weights().max()
    left = [f"{Saturation(exponent=exponent).gradients()[0]:.2f}" for exponent in (0, 6, 7)]
    assert left == ["0.40", "0.08", "0.02"]


def test_pipeline_gives_a_word_that_it_does_not_know_no_feature() -> None:
    shown = Pipeline(sentence="Cat sat: OUTSIDE!", is_causal=True)
    assert shown.tokens() == ["cat", "sat", "outside"]
    assert shown.embeddings().tolist() == [[1, 0, 0, 0, 0], [0] * 5, [0] * 5]
    np.testing.assert_array_equal(np.triu(shown.weights(), 1), 0)
    assert len(Pipeline(sentence="a b c d e f g h").tokens()) == 6


def test_score_functions_are_those_of_the_chapter() -> None:
    shown = ScoreFunctions()
    np.testing.assert_allclose(shown.scores()["dot"], [1.5, 2, 0])
    np.testing.assert_allclose(shown.scores()["cosine"], [0.9**0.5, 0.5**0.5, 0])
    np.testing.assert_allclose(shown.scores()["general"], [-0.5, 2, 3])
    np.testing.assert_allclose(shown.scores()["additive"][2], np.tanh(1) + np.tanh(3))
    assert ScoreFunctions(query=[0, 0]).scores()["cosine"].tolist() == [0, 0, 0]
    np.testing.assert_allclose(shown.weights()["cosine"], [0.46, 0.36, 0.18], atol=0.005)


def test_the_scale_keeps_weights_and_gradients_where_they_are() -> None:
    narrow, wide = Saturation(exponent=0), Saturation(exponent=10)
    np.testing.assert_array_equal(narrow.weights()[0], narrow.weights()[1])
    np.testing.assert_array_equal(narrow.weights()[1], wide.weights()[1])
    assert wide.weights()[0].max() > 0.999 > 0.5 > wide.weights()[1].max()
    # The gradient rises first, as the chapter says, and then collapses.
    norms = [Saturation(exponent=exponent).gradients()[0] for exponent in (0, 1, 10)]
    assert norms[1] > norms[0] > norms[2]
