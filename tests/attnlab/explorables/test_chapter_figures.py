"""Figures show what chapters say of them, and what the exercises that ask for them compute."""

from __future__ import annotations

import itertools
import json
import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup

from attnlab.data import glyphs, minilm_scores
from attnlab.explorables import (
    FaultChecks,
    GradientDraws,
    HeadBrowser,
    LshCircle,
    Patches,
    Pipeline,
    Saturation,
    TransformerBlocks,
)
from coursekit.bank import load_bank

from . import in_numpy


def test_decoder_writes_the_translation_word_by_word() -> None:
    shown = TransformerBlocks()
    best = np.argmax(shown.tensors["decoder.scores"], axis=1)
    assert [shown.vocabulary[token] for token in best] == [*shown.target_tokens[1:], "(end)"]


def test_two_heads_look_at_the_noun_and_one_at_the_verb_as_the_task_says() -> None:
    weights = np.array(TransformerBlocks().tensors["decoder.cross"])[-1, :, 6]
    assert [int(row.argmax()) for row in weights] == [0, 6, 5, 0]


def test_a_sentence_has_at_most_six_words_in_small_letters() -> None:
    assert Pipeline(sentence="Cat sat: OUTSIDE!").tokens() == ["cat", "sat", "outside"]
    assert len(Pipeline(sentence="a b c d e f g h").tokens()) == 6


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


EXERCISES = Path(__file__).resolve().parents[3] / "exercises"


def test_the_exercise_on_the_pipeline_computes_what_the_figure_shows() -> None:
    path = EXERCISES / "scaled-dot-product" / "halve-the-weight.py"
    weight_of_cat = runpy.run_path(str(path))["_weight_of_cat"]
    for sentence in ("the cat drank milk", "a horse saw cat outside drank", "cat drinks drank tea"):
        shown = Pipeline(sentence=sentence)
        words = shown.tokens()
        _, weights, _ = in_numpy.pipeline(shown)
        expected = weights[words.index("drank"), words.index("cat")]
        assert weight_of_cat(words) == pytest.approx(expected)


def test_the_exercise_on_saturation_computes_what_the_figure_shows() -> None:
    path = EXERCISES / "scaled-dot-product" / "gradient-left.py"
    exercise = runpy.run_path(str(path))
    weights, norms = zip(
        *(in_numpy.saturated(Saturation().draws, exponent) for exponent in range(11)), strict=True
    )
    shares = [plain / scaled for plain, scaled in norms]
    for exponent, share in enumerate(shares):
        assert exercise["_share"](exponent) == pytest.approx(share, rel=1e-6, abs=1e-9)
    assert [share < 0.1 for share in shares].index(True) == exercise["exponent"]
    # What the exercise says once it is solved.
    assert weights[5].max() < 0.9 < weights[6].max()
    left = [f"{norms[exponent][0]:.2f}" for exponent in (0, 6, 7)]
    assert left == ["0.40", "0.08", "0.02"]


def test_the_exercise_on_draws_computes_what_the_figure_shows() -> None:
    of_one = runpy.run_path(str(EXERCISES / "soft-and-hard" / "fewest-draws.py"))[
        "_error_of_one_draw"
    ]
    for baseline in (0.0, 0.4275, 0.8125, 1.5):
        shown = GradientDraws(score=3, baseline=baseline, num_draws=50)
        assert of_one(baseline) / np.sqrt(50) == pytest.approx(
            in_numpy.Draws(shown).standard_error()
        )


def test_the_exercise_on_rounds_has_the_keys_and_rotations_of_the_figure() -> None:
    source = (EXERCISES / "hashing/buckets-and-rounds.py").read_text()
    pattern = r"ANGLES = np.array\((.*?)\).*?TURNS = np.array\((.*?)\)"
    written = re.search(pattern, source, re.DOTALL)
    assert written is not None
    shown = LshCircle()
    assert [json.loads(part) for part in written.groups()] == [shown.angles, shown.turns]


def test_lines_of_thirteen_tokens_have_one_shape_that_the_figure_reaches() -> None:
    exercise = runpy.run_path(str(EXERCISES / "hashing" / "lines-of-thirteen.py"))
    fitting = []
    for rows, columns in itertools.product(range(1, 17), repeat=2):
        second = [row for _, row in in_numpy.axial(rows, columns)]
        shares = len(second) > 13 and second[13:] == second[:-13]
        if len(second) >= 150 and in_numpy.axial_parameters(rows, columns) <= 800 and shares:
            fitting.append((rows, columns))
    assert fitting == [(exercise["rows"], exercise["columns"])]


ROOT = Path(__file__).resolve().parents[3]


def test_stored_sentences_travel_to_a_notebook_only_when_asked_for() -> None:
    shown = HeadBrowser()
    assert '"stored_data":""' in BeautifulSoup(shown.html(), "html.parser").find()["state"]
    shown.stored_data = "?"
    told = json.loads(shown.stored_data)
    assert set(told) == set(minilm_scores.SENTENCES)
    assert told["cat"]["tokens"] == minilm_scores.load("cat").tokens
    # The page, which fetches them one by one, does not carry them.
    assert shown.state()["stored_data"] == ""


def test_exercises_ask_for_an_own_sentence_only_where_there_is_a_field_for_it() -> None:
    bank = load_bank(ROOT / "exercises")
    asking = [bank[id] for id in bank if bank[id].explorable == "HeadBrowser"]
    assert len(asking) >= 3
    for exercise in asking:
        sentences = re.split(r"(?<=[.?!])\s", exercise.statement)
        own = [sentence for sentence in sentences if re.search(r"\byour\s+own\b", sentence)]
        assert own, exercise.id
        assert all("has a field" in " ".join(each.split()) for each in own), exercise.id
