"""What figures compute beside what TypeScript repeats: `test_typescript.py` has that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import attn
from attnlab.data import glyphs
from attnlab.explorables import (
    FaultChecks,
    GradientDraws,
    LayerStack,
    Patches,
    Pipeline,
    ScoreFunctions,
    Sink,
    TransformerBlocks,
)

from . import in_numpy


def test_decoder_writes_the_translation_word_by_word() -> None:
    shown = TransformerBlocks()
    best = np.argmax(shown.tensors["decoder.scores"], axis=1)
    assert [shown.vocabulary[token] for token in best] == [*shown.target_tokens[1:], "(end)"]


def test_two_heads_look_at_the_noun_and_one_at_the_verb_as_the_task_says() -> None:
    weights = np.array(TransformerBlocks().tensors["decoder.cross"])[-1, :, 6]
    assert [int(row.argmax()) for row in weights] == [0, 6, 5, 0]


def test_the_ends_of_the_controls_are_as_good_as_none() -> None:
    score, (low, soft) = np.array(Sink().score), (Sink().sink, Sink().cap)
    weights = attn.softmax(soft * np.tanh(score / soft), sink=low)
    np.testing.assert_allclose(weights, attn.softmax(score), atol=5e-3)


def test_pipeline_gives_a_word_that_it_does_not_know_no_feature() -> None:
    shown = Pipeline(sentence="Cat sat: OUTSIDE!", is_causal=True)
    assert shown.tokens() == ["cat", "sat", "outside"]
    output, weights, _ = in_numpy.pipeline(shown)
    value = np.array(shown.w_value)[0]  # that of an animal
    np.testing.assert_allclose(output, np.outer(weights[:, 0], value))
    np.testing.assert_array_equal(np.triu(weights, 1), 0)
    assert len(Pipeline(sentence="a b c d e f g h").tokens()) == 6


def test_score_functions_are_those_of_the_chapter() -> None:
    scores = in_numpy.scores_by(ScoreFunctions())
    np.testing.assert_allclose(scores["dot"], [1.5, 2, 0])
    np.testing.assert_allclose(scores["cosine"], [0.9**0.5, 0.5**0.5, 0])
    np.testing.assert_allclose(scores["general"], [-0.5, 2, 3])
    np.testing.assert_allclose(scores["additive"][2], np.tanh(1) + np.tanh(3))
    assert in_numpy.scores_by(ScoreFunctions(query=[0, 0]))["cosine"].tolist() == [0, 0, 0]
    weights = attn.softmax(scores["cosine"])
    np.testing.assert_allclose(weights, [0.46, 0.36, 0.18], atol=0.005)


def test_the_draws_have_the_weights_and_the_error_that_is_expected() -> None:
    runs = [
        in_numpy.Draws(GradientDraws(num_draws=400, score=2, baseline=0.5, seed=seed))
        for seed in range(200)
    ]
    chosen = np.concatenate([run.chosen for run in runs])
    share = np.bincount(chosen, minlength=16) / len(chosen)
    spread = np.sqrt(runs[0].weights / len(chosen))
    assert (np.abs(share - runs[0].weights) < 4 * spread).all()
    # The root of the mean square over many seeds is the standard error, by enumeration.
    seen = np.sqrt(np.mean([run.error() ** 2 for run in runs]))
    assert seen == pytest.approx(runs[0].standard_error(), rel=0.1)
    whole = np.linalg.norm(runs[0].deviations()) / np.linalg.norm(runs[0].exact)
    assert runs[0].standard_error() == pytest.approx(whole / 20)


def test_the_picture_is_that_of_the_chapter() -> None:
    drawn = glyphs.draw(np.random.default_rng(3), batch=1, num_glyphs=4)
    ink = np.array([[pixel == "#" for pixel in row] for row in Patches().ink])
    picture = glyphs.picture(drawn.cells[0])
    np.testing.assert_allclose(ink + np.array(Patches().noise), picture, atol=0.0051)


def test_what_the_workshop_says_of_its_checks() -> None:
    shown = FaultChecks()
    correct, no_shift, rate, no_mask = np.array(shown.held_out)
    assert [np.array(shown.steps)[log < 0.67][:1].tolist() for log in (no_shift, no_mask)] == [
        [25],
        [200],
    ]
    assert (min(correct.min(), rate.min()) > 0.69, correct.max() < np.log(11)) == (True, True)
    assert (rate > np.log(11)).tolist() == [True, True, *[False] * 5]
    badly = np.array(shown.decoded) < 0.9
    assert badly.sum(axis=1).tolist() == [3, 7, 6, 7]
    assert badly[:, -1].tolist() == [False, True, False, True]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TransformerBlocks(selected="decoder"), "selected is 'decoder'; expected a block"),
        (lambda: TransformerBlocks(selected="encoder.stream.3"), "selected is 'encoder.stream.3'"),
        (lambda: TransformerBlocks(layer=3), "layer is 3; expected 1 to 2"),
        (lambda: TransformerBlocks(step=0), "step is 0; expected 1 to 8"),
        (lambda: LayerStack(layers=["wide"]), r"layers is \['wide'\]; expected one or more of"),
        (lambda: LayerStack(window=0), "window is 0; expected 1 or more"),
        (lambda: Sink(score=[[1.0]]), r"score has shape \(1, 1\); the words ask for \(2, 4\)"),
        (lambda: Sink(sink=7), "sink is 7; expected a number from -12.0 to 6.0"),
        (lambda: FaultChecks(steps=[1]), r"held_out has shape \(4, 7\); .* ask for \(4, 1\)"),
        (lambda: FaultChecks(fault=0), "fault is 0 and at is 0; expected 1 to 3 and 0 to 6"),
        (lambda: Patches(ink=["#"]), "ink and noise have sides of .*; expected 20 rows of 20"),
        (lambda: Patches(query=8), "query is 8; expected 0 to 7"),
        (lambda: TransformerBlocks(tensors=[1]), r"tensors is \[1\]; expected data by name"),
    ],
)
def test_bad_input_gets_one_line(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
