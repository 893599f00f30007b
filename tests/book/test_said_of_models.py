"""What chapters and quizzes say of models that are trained or loaded here."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

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
