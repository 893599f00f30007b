"""Figures show what chapters and exercises say; their models in NumPy equal those in torch."""

from __future__ import annotations

import base64
import itertools
import json
import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup

from attnlab.data import glyphs, minilm_scores
from attnlab.data.repeats import PERIODS
from attnlab.experiments import induction, load
from attnlab.explorables import (
    Circuit,
    FaultChecks,
    GradientDraws,
    HeadBrowser,
    LshCircle,
    Patches,
    Pipeline,
    Saturation,
    TransformerBlocks,
    Translation,
)
from attnlab.models import formation, numpy_continuer, numpy_translator
from tests.course import BANK

from . import in_numpy
from .model_calls import GRAMMAR, sentences


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


ROOT = Path(__file__).resolve().parents[3]
EXERCISES = ROOT / "exercises"


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
    asking = [each for each in BANK.values() if each.explorable == "HeadBrowser"]
    assert len(asking) >= 3
    for exercise in asking:
        sentences = re.split(r"(?<=[.?!])\s", exercise.statement)
        own = [sentence for sentence in sentences if re.search(r"\byour\s+own\b", sentence)]
        assert own, exercise.id
        assert all("has a field" in " ".join(each.split()) for each in own), exercise.id


CHECKPOINTS = [(condition, step) for condition, steps in formation.STEPS.items() for step in steps]


@pytest.mark.parametrize(("condition", "step"), CHECKPOINTS)
def test_measures_are_those_of_the_checkpoints_which_are_small(condition: str, step: int) -> None:
    stored = formation.measures()[condition][formation.STEPS[condition].index(step)]
    measured = formation.measure(condition, step)
    assert measured.keys() == stored.keys()
    for name, value in stored.items():
        assert measured[name] == pytest.approx(value, abs=2e-4), name
    assert len(formation.content(condition, step)) <= 25_000


def test_a_checkpoint_goes_round() -> None:
    weights = formation.weights("one period", 150)
    again = formation.unpack(formation.pack(weights))
    assert again.keys() == weights.keys()
    for name, array in weights.items():
        np.testing.assert_allclose(again[name], array, rtol=1e-6)


@pytest.mark.parametrize("condition", PERIODS)
def test_checkpoints_are_those_of_the_experiment_up_to_8_bits(condition: str) -> None:
    stored = load("induction")
    test = induction.texts_to_test(PERIODS[condition])
    for step in (0, 200, 300, 1000):
        logits = numpy_continuer.read(formation.weights(condition, step), test.tokens).logits
        right = (logits[:, :-1].argmax(axis=-1) == test.tokens[:, 1:])[test.is_known].mean()
        curve = stored[f"{condition}: accuracy"]
        assert abs(right - curve.array[0, list(curve.x).index(step)]) < 0.02, step


def test_notebook_is_given_the_checkpoint_that_it_asks_for() -> None:
    shown = Circuit()
    assert shown.weights == ""
    shown.wanted = "formation/one-period-150.safetensors"
    name, content = shown.weights.split(" ")
    assert name == shown.wanted
    assert base64.b64decode(content) == formation.content("one period", 150)


@pytest.mark.parametrize("uniform", [False, True])
def test_the_translator_in_numpy_equals_torch(uniform: bool) -> None:
    import torch

    from attnlab.models import checkpoints

    model, weights = checkpoints.translator("attention").double(), numpy_translator.load()
    for sentence in sentences(5):
        tokens = GRAMMAR.parse(sentence).tokens
        made = numpy_translator.translate(weights, tokens[0], uniform=uniform)
        with torch.no_grad():
            read, target = torch.from_numpy(tokens), torch.from_numpy(made.words[None])
            logits, expected = model.forward_with_weights(read, target, uniform)
        np.testing.assert_allclose(made.weights, expected[0, 0].numpy(), atol=1e-12)
        np.testing.assert_allclose(made.shares, logits[0].softmax(-1).numpy(), atol=1e-12)
        assert made.words.tolist() == logits[0].argmax(-1).tolist()


def test_the_first_answer_is_stored_and_is_that_of_the_model() -> None:
    shown = Translation(sentence="key under lamp found", hidden=[2])
    assert shown.stored["of"] == ["key under lamp found", [2], False]
    made = shown.written()
    for i, step in enumerate(shown.stored["steps"]):
        np.testing.assert_allclose(step["weights"], made.weights[i], atol=1e-4)
        np.testing.assert_allclose(step["scores"], made.scores[i], atol=1e-4)
        assert step["best"][0][0] == step["word"] == made.words[i]
    assert len(shown.stored["steps"]) == len(made.words)


def test_notebook_is_given_the_model_when_it_asks() -> None:
    shown = Translation()
    assert shown.weights == ""
    shown.wanted = True
    assert base64.b64decode(shown.weights) == numpy_translator.PATH.read_bytes()


def test_without_the_weights_it_says_how_to_make_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numpy_translator, "PATH", tmp_path / "none.npz")
    shown = Translation()
    assert shown.stored == {}
    with pytest.raises(FileNotFoundError, match=r"python -m attnlab\.models\.checkpoints"):
        numpy_translator.load(numpy_translator.PATH)


def test_the_chapter_says_what_becomes_of_sentences_with_a_hidden_verb() -> None:
    model, rng = numpy_translator.load(), np.random.default_rng(0)
    wrote = agreed = kept = 0
    for phrases in range(2, 7):
        drawn = GRAMMAR.sample(rng, 100, phrases)
        for tokens, right in zip(drawn.tokens, drawn.participle, strict=True):
            words = numpy_translator.translate(model, tokens, [len(tokens) - 1]).words
            at_place = words[len(tokens) - 1] if len(words) >= len(tokens) else -1
            participle = int(at_place) - GRAMMAR.first_participle
            if participle >= 0:
                wrote += 1
                agreed += participle % 2 == right % 2
                kept += participle // 2 == right // 2
    drawn = GRAMMAR.sample(np.random.default_rng(0), 100, 2)
    alike = [
        numpy_translator.translate(model, tokens, uniform=True).words.tolist()
        for tokens in drawn.tokens
    ]
    subjects = sum(words[0] == right[0] for words, right in zip(alike, drawn.target, strict=True))
    said = " ".join((ROOT / "book" / "self-and-cross.md").read_text("utf-8").split())
    assert f"in 500 random sentences with two to six phrases. In {wrote} of them" in said
    assert f"with the right gender in all {agreed} and with the right verb in {kept}." in said
    assert not any(
        words == right for words, right in zip(alike, drawn.target.tolist(), strict=True)
    )
    whole = f"Of 100 sentences with two phrases, {subjects} still began with the right subject, "
    assert f"{whole}but not one was right as a whole." in said
