"""What chapters say of models, where a test has to run or to train them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import attn
from attnlab import gpt, quoted
from attnlab.data import fables, glyphs
from attnlab.data.grammar import Grammar
from attnlab.experiments import hashing, importance, load, norms, reach, swap
from attnlab.gpt import byte_pairs
from attnlab.models import (
    checkpoints,
    fable_gpt,
    glyph_detector,
    retrieval,
    score_function,
    text_models,
    training,
)
from attnlab.models.counts import Sizes, parameters
from attnlab.models.stored_weights import count

ROOT = Path(__file__).resolve().parents[2]


def text(file: str) -> str:
    """Return a file with every run of blanks as one space."""
    return " ".join((ROOT / file).read_text("utf-8").split())


def test_who_asks_whom() -> None:
    names = quoted.names("self-and-cross")
    assert set(names["cross"][3].argsort()[-3:]) == {2, 3, 5}  # "most of the rest goes to"
    grammar = Grammar("french")
    pair = grammar.sentence("apple", "under tree", "behind house", "picked")
    quiz = text("exercises/self-and-cross/predict-translator.py")
    assert ", ".join(grammar.english(pair.tokens[0])) in quiz
    assert ", ".join(grammar.translation(pair.target[0])) in quiz
    with torch.no_grad():
        tokens, target = torch.from_numpy(pair.tokens), torch.from_numpy(pair.target)
        logits, weights = checkpoints.translator("attention").forward_with_weights(tokens, target)
    assert torch.equal(logits.argmax(-1), target)  # right in every word
    assert weights[0, 0].argmax(dim=-1)[:7].tolist() == list(range(7))
    assert f"{weights[0, 0, 6, 6]:.2f} of the weight is on *picked*" in quiz


#: The rows of the table of exchanges in self-and-cross.
EXCHANGES = (
    "and so *la pomme* in the translation",
    "*la pomme* alone, among the words already written",
    "vector for *picked*, which gets most of the weight",
    "the encoder's vectors for all other words",
    "the state that the decoder starts with",
    "the two above together",
)


def exchanged(grammar: Any) -> list[Any]:
    """Return a pair of sentences for each masculine noun, and the same with that noun in it."""
    pair = grammar.sentence("apple", "under tree", "behind house", "picked")
    nouns = np.flatnonzero(~grammar.feminine)
    tokens, target = (torch.from_numpy(a).repeat(len(nouns), 1) for a in (pair.tokens, pair.target))
    others, words = tokens.clone(), target.clone()
    others[:, 0] = torch.from_numpy(nouns)
    words[:, 0] = torch.from_numpy(nouns + grammar.FIRST_NOUN)
    return [tokens, target, others, words]


def test_where_ramassee_has_its_gender_from() -> None:
    grammar = Grammar("french")
    tokens, target, others, words = exchanged(grammar)
    nouns = len(tokens)

    def counts(seed: int) -> list[int]:
        model = checkpoints.translator("attention", seed)
        with torch.no_grad():
            (old, start), (new, new_start) = (model.encode(t) for t in (tokens, others))
            verb, rest = (torch.cat([a[:, :-1], b[:, -1:]], dim=1)
                          for a, b in ((old, new), (new, old)))  # fmt: skip
            found = []
            for encoded, state, written in (
                (old, start, target),
                (new, new_start, words),
                (old, start, words),
                (verb, start, target),
                (rest, start, target),
                (old, new_start, target),
                (rest, new_start, target),
            ):
                participle = model.decode(encoded, state, written)[0][:, -2].argmax(-1)
                assert (participle >= grammar.first_participle).all()
                found.append(int(((participle - grammar.first_participle) % 2 == 0).sum()))
        return found

    by_model = [counts(seed) for seed in checkpoints.SEEDS]
    assert [row[0] for row in by_model] == [0, 0, 0]  # without an exchange
    said = text("book/self-and-cross.md")
    assert f"each of the {nouns} masculine nouns of our grammar" in said
    after = list(zip(*by_model, strict=True))[1:]
    for row, (first, *rest) in zip(EXCHANGES, after, strict=True):
        whole = f"{first} of {nouns}" if row == EXCHANGES[0] else f"{first}"
        assert f"{row} | {whole} | {' | '.join(map(str, rest))} |" in said


def test_the_two_maps_of_interpretation_show_what_their_captions_say() -> None:
    pair = Grammar("french").sentence("apple", "under tree", "behind house", "picked")
    rows = swap.participle_rows(pair, seed=1)
    said = text("book/interpretation.md")
    assert "heads 1 and 3 look at la pomme" in said
    np.testing.assert_array_equal(rows["self"][:, 1] > 0.5, [True, False, True, False])
    assert "no head looks at the apple" in said
    assert rows["cross"][:, 0].max() < 0.01


def test_the_query_for_an_absent_glyph_finds_cells_without_any() -> None:
    """What the feedback on a prediction says of this picture."""
    drawn = glyphs.draw(np.random.default_rng(3), batch=1, num_glyphs=4)
    model = glyph_detector.train(seed=0)
    with torch.no_grad():
        _, weights = model.forward_with_weights(torch.from_numpy(drawn.cells))
    names = {glyphs.NAMES[number] for number in drawn.glyphs[0]}
    assert names == {"bar", "ring", "arch", "diamond"}
    cross = weights[0, glyphs.NAMES.index("cross")].numpy()
    assert cross.max() > 3 / 16
    assert not {*cross.argsort()[-3:]} & {*drawn.places[0]}


def test_the_verb_of_the_one_layer_matters_and_has_next_to_no_weight() -> None:
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


def test_the_additive_score_ends_with_the_lower_loss() -> None:
    assert "the additive score has the lower loss" in text("book/scores.md")
    for seed in range(3):
        additive, general = (retrieval.trained(k, seed)[2] for k in ("additive", "general"))
        assert additive[256] < general[256]


def test_the_draws_of_the_quiz() -> None:
    weights, losses = np.full(16, 1 / 16), np.ones(16)
    losses[3] = 0
    assert score_function.draws_needed(weights, losses) == pytest.approx(24_000, rel=0.01)
    assert score_function.draws_needed(weights, losses, 15 / 16) == pytest.approx(1_400, rel=0.01)


def test_the_floor_and_what_ignores_context() -> None:
    sentences, rng = text_models.Text(), np.random.default_rng(0)
    assert f"a loss of {norms.best_loss(sentences, 0):.2f} nats a token" in text(
        "book/transformer.md"
    )
    drawn = [sentences.sample(rng, 1000, n).numpy()[:, 1:] for n in text_models.PHRASES]
    counts = np.bincount(np.concatenate([tokens.ravel() for tokens in drawn])).clip(1)
    surprise = -np.log(counts / counts.sum())
    above = [
        surprise[tokens].mean() - norms.best_loss(sentences, n)
        for tokens, n in zip(drawn, text_models.PHRASES, strict=True)
    ]
    last = load("norms")["12 layers, norm last, no warm-up"].at(0.003).mean()
    assert abs(np.mean(above) - last) < 0.05  # no better than one that knows frequencies alone


def test_sizes() -> None:
    assert count("masked") == count("next token")  # "the same parameters"
    base = parameters(Sizes(512, 2048, 6, 6, 37_000, 37_000))
    attentions = sum(count for part, count in base.items() if "attention" in part)
    assert base["feed-forward networks"] > attentions
    assert 2 * (base["embeddings"] + base["output layer"]) > sum(base.values())
    trained = f"changed them {fable_gpt.STEPS} times, each time to make one number smaller"
    assert f"{trained} on {fable_gpt.BATCH} new fables" in text("book/build-a-gpt.md")


def test_byte_pairs_of_fables() -> None:
    told = [fables.tell(np.random.default_rng(seed)).words for seed in range(200)]
    merges = byte_pairs.learn(" ".join(gpt.to_text(fables.encode(words)) for words in told), 300)
    assert tuple(merges[:3]) == ((b"h", b"e"), (b" ", b"t"), (b" t", b"he"))
    dragon = byte_pairs.encode(" dragon", merges)
    assert " · ".join(token.decode().strip() for token in dragon) == "d · ra · g · on"


def test_windows() -> None:
    band = attn.sliding_window_mask(4096, 4096, 256)
    both = band | attn.global_mask(4096, [0, 10])
    assert 0 < both.sum() - band.sum() < 0.01 * band.sum()
    for seed in range(3):
        influence = reach.influence(64, 8, seed)
        assert (influence[[32, 96]] / influence.max()).max() < 1e-6
    x = hashing.gaussian(np.random.default_rng(0), 512)
    assert np.diag(attn.softmax(x @ hashing.unit(x).T)).mean() > 0.5


def test_a_later_token_decides_whom_earlier_ones_meet_but_no_weight_goes_to_it() -> None:
    def attend(x: np.ndarray, value: np.ndarray) -> np.ndarray:
        options = {"num_buckets": 4, "num_hashes": 2, "chunk_length": 8, "rng": 0}
        return attn.lsh_attention(x, value, causal=True, **options)

    moved = {"value": 0, "token": 0}
    for seed in range(5):
        x, value = np.random.default_rng(seed).normal(size=(2, 64, 16))
        new_x, new_value = x.copy(), value.copy()
        new_x[40], new_value[40] = -x[40], value[40] + 1
        before = attend(x, value)[:40]
        moved["value"] += int((attend(x, new_value)[:40] != before).any(axis=-1).sum())
        moved["token"] += int((attend(new_x, value)[:40] != before).any(axis=-1).sum())
    assert moved["value"] == 0
    assert moved["token"] > 0
