"""The numbers in the prose of the two core chapters are those that the code gives.

Each entry quotes the chapter, with one number in braces, and says how it is computed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import attn
from attnlab.experiments import load, scaling

BOOK = Path(__file__).resolve().parents[2] / "book"
QUERY = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [1.0, 0.0]])
KEY = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, -1.0], [0.0, 1.0]])
PLAIN = attn.attention_weights(QUERY, KEY, score="dot")
SCALED = attn.attention_weights(QUERY, KEY)
SPREAD = np.random.default_rng(0)
STORED = load("scaling")


def norm(d_k: int, scale: float | None) -> float:
    rngs = [np.random.default_rng((seed, d_k)) for seed in range(3)]
    return float(np.mean([np.median(scaling.norms(d_k, rng, scale)[0]) for rng in rngs]))


SAID: dict[tuple[str, str], Callable[[], float]] = {
    ("scaled-dot-product", "gave *cat* a weight of {0.776}"): lambda: PLAIN[2, 1],
    ("scaled-dot-product", "Here it is {0.65}"): lambda: SCALED[2, 1],
    ("scaled-dot-product", "each score is divided by {1.414}"): lambda: math.sqrt(2),
    ("scaled-dot-product", "2 and 0 become {1.41} and 0"): lambda: 2 / math.sqrt(2),
    ("scaled-dot-product", "column 3 is ${-1}$"): lambda: QUERY[1] @ KEY[2],
    ("scaled-dot-product", "*drank* gives itself {0.04}"): lambda: SCALED[2, 2],
    ("scaled-dot-product", "gives a weight {2.718} ($e$) times"): lambda: math.e,
    ("scaled-dot-product", "by 2, a weight {7.4} times"): lambda: math.exp(2),
    ("scaled-dot-product", "the norm stays between {0.17} and"): lambda: norm(4, None),
    ("scaled-dot-product", "between 0.17 and {0.18} at every width"): lambda: norm(256, None),
    ("scaled-dot-product", "with equal weights the norm is {0.12}"): lambda: float(
        scaling.jacobian_norm(np.full(64, 1 / 64))
    ),
    ("scaled-dot-product", "Unscaled, it is {0.26} at 4"): lambda: norm(4, 1.0),
    ("scaled-dot-product", "to {0.33} at 16"): lambda: norm(16, 1.0),
    ("scaled-dot-product", "the derivatives are {9.2} times as *large*"): lambda: float(
        scaling.ratio(STORED, ", by queries").at(64).mean()
    ),
    ("scaled-dot-product", "after scaling still $\\sqrt{64} = {8}$"): lambda: (
        scaling.scores(64, SPREAD, same=True).mean() / 8
    ),
    ("scaled-dot-product", "give scores with mean {2}"): lambda: (
        scaling.scores(64, SPREAD, scaling.positive).mean() / 8
    ),
}


def number_in(quote: str) -> tuple[str, float, float]:
    """Return the plain quote, its marked number, and half a unit of its last digit."""
    marked = re.findall(r"\{(-?\d+(?:\.\d+)?)\}", quote)[-1]
    decimals = len(marked.partition(".")[2])
    plain = quote[::-1].replace(f"{{{marked}}}"[::-1], marked[::-1], 1)[::-1]
    return plain, float(marked), 0.5 * 10**-decimals


@pytest.mark.parametrize(("chapter", "quote"), SAID, ids=lambda text: text[:40])
def test_number_in_the_prose(chapter: str, quote: str) -> None:
    plain, said, half = number_in(quote)
    text = " ".join((BOOK / f"{chapter}.md").read_text(encoding="utf-8").split())
    assert plain in text
    assert SAID[chapter, quote]() == pytest.approx(said, abs=half * 1.02)


def test_gradient_left_at_the_widest_key() -> None:
    text = " ".join((BOOK / "scaled-dot-product.md").read_text(encoding="utf-8").split())
    assert "at $d_k = 1024$ it is less than a hundredth of the scaled norm" in text
    assert norm(1024, 1.0) < norm(1024, None) / 100


def test_from_which_width_on_the_unscaled_derivatives_are_smaller() -> None:
    text = " ".join((BOOK / "scaled-dot-product.md").read_text(encoding="utf-8").split())
    assert "the median falls below 1 between 64 and 128" in text
    assert "By the query it falls below 1 only between 256 and 512" in text
    assert scaling.smaller_from(STORED) == 128
    assert scaling.smaller_from(STORED, ", by queries") == 512
    assert scaling.smaller_from(STORED, ", by queries, mean") == math.inf


def test_who_asks_whom() -> None:
    torch = pytest.importorskip("torch")
    from attnlab.data.grammar import Grammar
    from attnlab.explorables import SelfCross
    from attnlab.models import checkpoints

    said = " ".join((BOOK / "self-and-cross.md").read_text(encoding="utf-8").split())
    cross, own = SelfCross().weights(), SelfCross(attention="self").weights()
    assert f"*Assis* gives *sat* a weight of {cross[3, 2]:.2f}, and most of the rest" in said
    assert set(cross[3].argsort()[-3:]) == {2, 3, 5}
    assert f"gives *assis* {own[2, 3]:.2f} and itself only {own[2, 2]:.2f}" in said

    grammar = Grammar("french")
    pair = grammar.sentence("apple", "under tree", "behind house", "picked")
    quiz = (BOOK.parent / "exercises/self-and-cross/predict-translator.py").read_text("utf-8")
    assert ", ".join(grammar.english(pair.tokens[0])) in " ".join(quiz.split())
    assert ", ".join(grammar.translation(pair.target[0])) in " ".join(quiz.split())
    with torch.no_grad():
        tokens, target = torch.from_numpy(pair.tokens), torch.from_numpy(pair.target)
        logits, weights = checkpoints.translator("attention").forward_with_weights(tokens, target)
    assert torch.equal(logits.argmax(-1), target)  # right in every word
    assert weights[0, 0].argmax(dim=-1)[:7].tolist() == list(range(7))
    assert f"Yes: {weights[0, 0, 6, 6]:.2f} of it." in quiz


#: The rows of the table of exchanges in self-and-cross.
EXCHANGES = (
    "and so *la pomme* in the translation",
    "*la pomme* alone, among the words already written",
    "vector for *picked*, which has the weight",
    "the encoder's vectors for all other words",
    "the state that the decoder starts with",
    "the last two together",
)


def exchanged(grammar: Any) -> list[Any]:
    """Return a pair of sentences for each masculine noun, and the same with that noun in it."""
    import torch

    pair = grammar.sentence("apple", "under tree", "behind house", "picked")
    nouns = np.flatnonzero(~grammar.feminine)
    tokens, target = (torch.from_numpy(a).repeat(len(nouns), 1) for a in (pair.tokens, pair.target))
    others, words = tokens.clone(), target.clone()
    others[:, 0] = torch.from_numpy(nouns)
    words[:, 0] = torch.from_numpy(nouns + grammar.FIRST_NOUN)
    return [tokens, target, others, words]


def test_where_ramassee_has_its_gender_from() -> None:
    torch = pytest.importorskip("torch")
    from attnlab.data.grammar import Grammar
    from attnlab.models import checkpoints

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
    said = " ".join((BOOK / "self-and-cross.md").read_text(encoding="utf-8").split())
    assert f"each of the {nouns} masculine nouns of our grammar" in said
    after = list(zip(*by_model, strict=True))[1:]
    for row, (first, *rest) in zip(EXCHANGES, after, strict=True):
        whole = f"{first} of {nouns}" if row == EXCHANGES[0] else f"{first}"
        assert f"{row} | {whole} | {' | '.join(map(str, rest))} |" in said
    assert "has its gender from *pomme*" not in said


def test_what_the_first_sentences_of_the_course_measure() -> None:
    stored = load("bottleneck")
    said = " ".join((BOOK / "welcome.md").read_text(encoding="utf-8").split())
    longest = max(stored.settings["trained on phrases"])
    narrow, wide = (
        stored[f"{n}: sentence"].at(longest).mean() for n in ("matched vector of 64", "attention")
    )
    assert (
        f"it gets {100 * narrow:.0f} in 100 sentences right when they are as long as the longest "
        "in training" in said
    )
    assert "and it gets nearly all of them right. **Attention** is how it looks back." in said
    assert wide > 0.99


def test_two_causal_layers_see_the_order_of_the_past() -> None:
    x = np.random.default_rng(0).normal(size=(5, 8))
    layers = [attn.MultiHeadAttention(8, num_heads=2, rng=seed) for seed in (1, 2)]

    def change(depth: int, is_causal: bool) -> float:
        outputs = []
        for tokens in (x, x[[2, 0, 3, 1, 4]]):
            for layer in layers[:depth]:
                tokens = layer(tokens[None], is_causal=is_causal)[0]
            outputs.append(tokens[-1])
        return float(np.abs(outputs[0] - outputs[1]).max())

    assert max(change(1, True), change(1, False), change(2, False)) < 1e-12
    said = " ".join((BOOK / "positions.md").read_text(encoding="utf-8").split())
    assert f"by a rounding error, that of two layers by {change(2, True):.1g}." in said


def test_what_positions_says_of_narrow_heads() -> None:
    stored, said = load("positions"), " ".join((BOOK / "positions.md").read_text("utf-8").split())
    three, latest = (
        stored[f"rotary: {task}, heads of width 4"].at(64) for task in ("three back", "latest")
    )
    assert f"{three.mean():.2f} and {latest.mean():.2f} are right at 64 tokens" in said
    ranges = (f"{right.min():.2f} to {right.max():.2f}" for right in (three, latest))
    assert f"({' and '.join(ranges)}, by seed)" in said


def test_what_positions_says_of_its_figure() -> None:
    said = " ".join((BOOK / "positions.md").read_text(encoding="utf-8").split())
    added = attn.sinusoidal_positions(48, 16)
    assert f'feature 8 has risen to {added[47, 8]:.2f} at " "token 47' in said
    assert "each row is a token" not in said
    # The fastest hand has been all the way round at token 1000, the slowest has hardly moved.
    assert 1000 / (2 * math.pi) > 100
    assert 2 * math.pi > 1000 * 10000 ** (-14 / 16)
