"""The translator of the figure: NumPy equals torch, on any sentence."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest

from attnlab.explorables import Translation
from attnlab.models import numpy_translator

from .model_calls import GRAMMAR, sentences

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("uniform", [False, True])
def test_numpy_equals_torch(uniform: bool) -> None:
    torch = pytest.importorskip("torch")
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


def test_a_hidden_word_has_no_weight_and_the_others_have_it_all() -> None:
    model, tokens = numpy_translator.load(), GRAMMAR.parse("apple under tree picked").tokens[0]
    for uniform in (False, True):
        made = numpy_translator.translate(model, tokens, [0, 4], uniform)
        np.testing.assert_array_equal(made.weights[:, [0, 4]], 0)
        np.testing.assert_allclose(made.weights.sum(axis=1), 1)
    np.testing.assert_allclose(made.weights[:, [1, 2, 3]], 1 / 3)


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


@pytest.mark.parametrize("hidden", [[5], [-1], [0, 1, 2, 3, 4]])
def test_the_model_refuses_positions_that_do_not_fit(hidden: list[int]) -> None:
    tokens = GRAMMAR.parse("apple under tree picked").tokens[0]
    with pytest.raises(ValueError, match=r"expected positions from 0 to 4|all 5 words are hidden"):
        numpy_translator.translate(numpy_translator.load(), tokens, hidden)
