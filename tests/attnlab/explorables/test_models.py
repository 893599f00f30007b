"""The models of figures: NumPy equals torch, 8 bits are enough, and notebooks get what they ask."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnlab.data.repeats import PERIODS
from attnlab.experiments import induction, load
from attnlab.explorables import Circuit, Translation
from attnlab.models import formation, numpy_continuer, numpy_translator

from .model_calls import GRAMMAR, SHOWN, sentences, texts

CHECKPOINTS = [(condition, step) for condition, steps in formation.STEPS.items() for step in steps]


@pytest.mark.parametrize(("condition", "step"), CHECKPOINTS)
def test_measures_are_those_of_the_checkpoints_which_are_small(condition: str, step: int) -> None:
    stored = formation.measures()[condition][formation.STEPS[condition].index(step)]
    measured = formation.measure(condition, step)
    assert measured.keys() == stored.keys()
    for name, value in stored.items():
        assert measured[name] == pytest.approx(value, abs=2e-4), name
    assert len(formation.content(condition, step)) <= 25_000


def test_rows_of_8_bits_go_round() -> None:
    rng = np.random.default_rng(3)
    shapes: dict[str, Any] = {**formation.MATRICES, **formation.VECTORS}
    state = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    again = formation.unpack(formation.pack(state))
    for name, shape in formation.MATRICES.items():
        steps = np.abs(state[name]).max(axis=1, keepdims=True) / 127
        assert (np.abs(again[name] - state[name]) <= 0.51 * steps).all(), name
        assert again[name].shape == shape
    for name in formation.VECTORS:
        np.testing.assert_allclose(again[name], state[name], rtol=1e-6)


def torch_model(condition: str, step: int) -> Any:
    import torch

    from attnlab.models.attention_only import AttentionOnlyModel

    model = AttentionOnlyModel(formation.NUM_WORDS).double()
    weights = formation.weights(condition, step)
    model.load_state_dict({name: torch.from_numpy(np.array(w)) for name, w in weights.items()})
    return model


@pytest.mark.parametrize(("condition", "step"), SHOWN)
@pytest.mark.parametrize("without", [[], [(1, 2)], [(1, 1), (2, 2)]])
def test_the_circuit_in_numpy_equals_torch(condition: str, step: int, without: list[Any]) -> None:
    import torch

    tokens, _ = texts(condition, 5)
    with torch.no_grad():
        logits, weights = torch_model(condition, step).forward_with_weights(
            torch.from_numpy(tokens), without
        )
    reading = numpy_continuer.read(formation.weights(condition, step), tokens, without)
    np.testing.assert_allclose(reading.logits, logits.numpy(), atol=1e-9)
    np.testing.assert_allclose(reading.weights, weights.numpy(), atol=1e-9)


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
    shown.wanted = "one-period-150.bin"
    name, content = shown.weights.split(" ")
    assert name == "one-period-150.bin"
    assert base64.b64decode(content) == formation.content("one period", 150)


ROOT = Path(__file__).resolve().parents[3]


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
