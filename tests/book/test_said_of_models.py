"""What chapters and quizzes say of models, of hidden scores and of libraries, measured here."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import jupytext
import numpy as np
import pytest

import attn
from attnlab import gpt
from attnlab.data import fables
from attnlab.gpt import byte_pairs
from attnlab.models import score_function

ROOT = Path(__file__).resolve().parents[2]


def test_the_draws_of_the_quiz() -> None:
    weights, losses = np.full(16, 1 / 16), np.ones(16)
    losses[3] = 0
    assert score_function.draws_needed(weights, losses) == pytest.approx(24_000, rel=0.01)
    assert score_function.draws_needed(weights, losses, 15 / 16) == pytest.approx(1_400, rel=0.01)


def test_byte_pairs_of_fables() -> None:
    def told(seed: int) -> str:
        return gpt.to_text(fables.encode(fables.tell(np.random.default_rng(seed)).words))

    merges = byte_pairs.learn(" ".join(told(seed) for seed in range(200)), 300)
    new = [told(seed) for seed in range(10_001, 10_051)]
    tokens = np.mean([len(byte_pairs.encode(fable, merges)) for fable in new])
    assert (round(tokens), round(np.mean([len(fable.encode()) for fable in new]))) == (113, 437)
    assert byte_pairs.encode(" dragon", merges) == [b" d", b"ra", b"g", b"on"]


def test_where_ramassee_has_its_gender_from() -> None:
    torch = pytest.importorskip("torch")
    from attnlab.data.grammar import Grammar
    from attnlab.models import checkpoints

    grammar = Grammar("french")
    pair = grammar.sentence("apple", "under tree", "behind house", "picked")
    nouns = torch.from_numpy(np.flatnonzero(~grammar.feminine))
    tokens, target = (torch.from_numpy(a).repeat(len(nouns), 1) for a in (pair.tokens, pair.target))
    others, words = tokens.clone(), target.clone()
    others[:, 0], words[:, 0] = nouns, nouns + grammar.FIRST_NOUN

    @torch.no_grad()
    def counts(seed: int) -> list[int]:
        """Return how often *ramassé* is written after each exchange, and after none."""
        model = checkpoints.translator("attention", seed)
        (old, start), (new, new_start) = (model.encode(t) for t in (tokens, others))
        verb, rest = (torch.cat([a[:, :-1], b[:, -1:]], 1) for a, b in ((old, new), (new, old)))
        found = []
        for encoded, state, written in (
            (new, new_start, words),
            (old, start, words),
            (verb, start, target),
            (rest, start, target),
            (old, new_start, target),
            (rest, new_start, target),
            (old, start, target),
        ):
            participle = model.decode(encoded, state, written)[0][:, -2].argmax(-1)
            assert (participle >= grammar.first_participle).all()
            found.append(int(((participle - grammar.first_participle) % 2 == 0).sum()))
        return found

    *after, none = zip(*(counts(seed) for seed in checkpoints.SEEDS), strict=True)
    assert none == (0, 0, 0)
    said = (ROOT / "book" / "self-and-cross.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\|.*\| (\d+)(?: of 20)? \| (\d+) \| (\d+) \|$", said)
    assert [tuple(map(int, row)) for row in rows] == after


def test_the_quiz_on_a_translator() -> None:
    torch = pytest.importorskip("torch")
    from attnlab.data.grammar import Grammar
    from attnlab.models import checkpoints

    grammar = Grammar("french")
    pair = grammar.sentence("apple", "under tree", "behind house", "picked")
    tokens, target = torch.from_numpy(pair.tokens), torch.from_numpy(pair.target)
    with torch.no_grad():
        logits, weights = checkpoints.translator("attention").forward_with_weights(tokens, target)
    assert torch.equal(logits.argmax(-1), target)  # right in every word
    assert weights[0, 0].argmax(dim=-1)[:7].tolist() == list(range(7))
    quiz = (ROOT / "exercises/self-and-cross/predict-translator.py").read_text("utf-8")
    assert f"Yes: {weights[0, 0, 6, 6]:.2f} of it." in " ".join(quiz.split())


# --- masks ----------------------------------------------------------------------------------------


CHAPTER = ROOT / "book" / "masking.md"
SCORES, NOTHING = np.array([[1.0, 0.0, 2.0]]), np.zeros((1, 3), dtype=bool)


@pytest.fixture(scope="module")
def added() -> Callable[..., np.ndarray]:
    """Return the chapter's own function."""
    names: dict[str, object] = {"np": np}
    for cell in jupytext.read(CHAPTER).cells:
        if "def added(" in cell.source:
            (function,) = (n for n in ast.parse(cell.source).body if isinstance(n, ast.FunctionDef))
            exec(ast.unparse(function), names)
    made = names["added"]
    assert callable(made)
    return made


def test_what_each_number_does_to_a_fully_masked_row(added: Callable[..., np.ndarray]) -> None:
    half = np.float16
    assert np.isnan(added(SCORES, NOTHING, -np.inf)).all()
    np.testing.assert_allclose(added(SCORES, NOTHING, -1e9), 1 / 3, rtol=1e-6)
    assert np.isnan(added(SCORES, NOTHING, -1e9, half)).all()
    np.testing.assert_allclose(added(SCORES, NOTHING, -1e4), attn.softmax(SCORES), rtol=1e-4)
    np.testing.assert_allclose(added(SCORES, NOTHING, -1e4, half), 1 / 3, rtol=1e-3)
    assert float(np.finfo(half).max) == 65504


def test_a_hidden_key_with_a_large_score_leaks(added: Callable[..., np.ndarray]) -> None:
    vector = np.full(64, 14.0)
    large, first = np.array([[0.0, vector @ vector]]), np.array([[True, False]])
    assert added(large, first, -1e4)[0].tolist() == [0, 1]
    assert added(large, first, -1e9)[0].tolist() == [1, 0]


@pytest.mark.parametrize("library", ["torch", "jax", "keras"])
def test_libraries_were_measured_in_the_pinned_versions(library: str) -> None:
    """After an update, look at the table again: tests/oracles/test_keras.py has its rows."""
    pins = "".join((ROOT / f"requirements{of}.txt").read_text("utf-8") for of in ("", "-oracles"))
    (version,) = re.findall(rf"(?m)^{library}==(\S+)$", pins)
    (measured,) = re.findall(r"\(measured with ([^)]*)\)", CHAPTER.read_text(encoding="utf-8"))
    assert f"{library} {version}" in measured
