"""What chapters and quizzes say of models that are trained or loaded here."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from attnlab import gpt
from attnlab.data import fables
from attnlab.experiments import load, norms
from attnlab.gpt import byte_pairs
from attnlab.models import score_function

ROOT = Path(__file__).resolve().parents[2]


def test_the_draws_of_the_quiz() -> None:
    weights, losses = np.full(16, 1 / 16), np.ones(16)
    losses[3] = 0
    assert score_function.draws_needed(weights, losses) == pytest.approx(24_000, rel=0.01)
    assert score_function.draws_needed(weights, losses, 15 / 16) == pytest.approx(1_400, rel=0.01)


def test_the_additive_score_ends_with_the_lower_loss() -> None:
    retrieval = pytest.importorskip("attnlab.models.retrieval")
    for seed in range(3):
        additive, general = (retrieval.trained(k, seed)[2] for k in ("additive", "general"))
        assert additive[256] < general[256]


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


def test_the_worst_model_knows_no_more_than_frequencies() -> None:
    pytest.importorskip("torch")
    from attnlab.models.text_models import PHRASES, Text

    sentences, rng = Text(), np.random.default_rng(0)
    drawn = [sentences.sample(rng, 1000, n).numpy()[:, 1:] for n in PHRASES]
    counts = np.bincount(np.concatenate([tokens.ravel() for tokens in drawn])).clip(1)
    surprise = -np.log(counts / counts.sum())
    above = [
        surprise[tokens].mean() - norms.best_loss(sentences, n)
        for tokens, n in zip(drawn, PHRASES, strict=True)
    ]
    last = load("norms").mean("12 layers, norm last, no warm-up", 0.003)
    assert abs(np.mean(above) - last) < 0.05


def test_the_two_maps_of_interpretation_show_what_their_captions_say() -> None:
    pytest.importorskip("torch")
    from attnlab.data.grammar import Grammar
    from attnlab.experiments import swap

    pair = Grammar("french").sentence("apple", "under tree", "behind house", "picked")
    rows = swap.participle_rows(pair, seed=1)
    # "Heads 1 and 3 look at la pomme", "no head looks at the apple".
    np.testing.assert_array_equal(rows["self"][:, 1] > 0.5, [True, False, True, False])
    assert rows["cross"][:, 0].max() < 0.01


def test_the_query_for_an_absent_glyph_finds_cells_without_any() -> None:
    """The feedback on a prediction says so of this picture."""
    torch = pytest.importorskip("torch")
    from attnlab.data import glyphs
    from attnlab.experiments import detection

    drawn = glyphs.draw(np.random.default_rng(3), batch=1, num_glyphs=4)
    model = detection.train(seed=0)
    with torch.no_grad():
        weights = model.forward_with_weights(torch.from_numpy(drawn.cells))[1][0].numpy()
    names = {glyphs.NAMES[number] for number in drawn.glyphs[0]}
    assert names == {"bar", "ring", "arch", "diamond"}
    cross = weights[glyphs.NAMES.index("cross")]
    assert cross.max() > 3 / 16
    assert not {*cross.argsort()[-3:]} & {*drawn.places[0]}


def test_the_verb_of_the_one_layer_matters_and_has_next_to_no_weight() -> None:
    torch = pytest.importorskip("torch")
    from attnlab.data.grammar import Grammar
    from attnlab.experiments import importance
    from attnlab.models import training

    model = importance.model_of("one layer", 0)
    tokens = training.tensor(training.held_out(Grammar("french"), 4, 100).tokens)
    changes = importance.effects(
        lambda: torch.softmax(model(tokens).double(), -1), model.embed, tokens.shape[1]
    ).mean(axis=0)
    with torch.no_grad():
        weights = model.forward_with_weights(tokens)[1][:, 0].mean(dim=0)
    assert changes[-1] > changes[0] > 0.3
    assert changes[1:-1].max() < 0.01
    assert weights[-1] < 0.01
