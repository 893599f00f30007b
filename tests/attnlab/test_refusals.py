"""A wrong argument gets one line that says what was seen and what was expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure

from attnlab import drawing
from attnlab.claims import Trial, judge
from attnlab.data import fables, glove, minilm_heads, repeats
from attnlab.data.grammar import Grammar
from attnlab.experiments import (
    Curve,
    agreement,
    alignment,
    captions,
    cue,
    hard_attention,
    heads,
    load,
    memory,
    positions,
    questions,
    recall,
    run,
    sentiment,
    speech,
)
from attnlab.explorables import ContextVector
from attnlab.faults import maps
from attnlab.gpt import to_tokens
from attnlab.minilm import int8, stored_swaps, swap
from attnlab.models import continuation, counts, formation, numpy_translator, translation
from attnlab.models.attention_only import AttentionOnlyModel
from attnlab.models.retrieval import Retrieval

ONE = Curve([0, 1.5], [[0.5, 1.0]])
RNG = np.random.default_rng(0)


def continued(**options: Any) -> Any:
    return AttentionOnlyModel(11)(torch.zeros(2, 7, dtype=torch.long), **options)


def hidden_words(*hidden: int) -> Any:
    words = Grammar("french").parse("apple under tree picked").tokens[0]
    return numpy_translator.translate(numpy_translator.load(), words, list(hidden))


def arrow(point: tuple[float, ...], role: Any) -> Any:
    return drawing.vector(Figure().subplots(), point, role)


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: agreement.train("oracle"), "model is 'oracle'; expected one of attention"),
    (lambda: heads.train("three heads"), "model is 'three heads'; expected one of two heads"),
    (lambda: translation.train("oracle"), "model is 'oracle'; expected one of vector of 8"),
    (lambda: recall.train("oracle", 2), "model is 'oracle'; expected one of attention, vector"),
    (lambda: alignment.train("oracle"), "model is 'oracle'; expected one of BiGRU, Transformer"),
    (lambda: captions.train("oracle"), "model is 'oracle'; expected one of"),
    (lambda: questions.train("oracle"), "model is 'oracle'; expected one of"),
    (lambda: sentiment.train("oracle"), "model is 'oracle'; expected one of"),
    (lambda: speech.train("oracle"), "model is 'oracle'; expected one of"),
    (lambda: cue.train("CNN"), "kind is 'CNN'; expected one of BiGRU, words alone"),
    (lambda: hard_attention.train("harder", (0,)), "method is 'harder'; expected one of soft, one"),
    (lambda: positions.train("spiral", "latest"), "expected one of"),
    (lambda: positions.train("rotary", "first"), "expected one of"),
    (lambda: run("alchemy"), "no experiment 'alchemy'"),
    (lambda: continuation.train("two periods", 1), "'two periods'; expected one of one period, ma"),
    (lambda: Curve([0, 1], [[1.0, 1.0, 1.0]]), r"shape \(1, 3\); expected \(num_seeds, 2\)"),
    (lambda: ONE.at(3), "x is 3; this curve was measured at"),
    (lambda: judge([], ""), "no trials; expected at least one"),
    (
        lambda: judge([Trial("", True, at={"depth": 2})], "", {"width": 32}),
        r"turns 'depth'; the claim's knobs are \['width'\]",
    ),
    (lambda: maps.weights(4), "expected 1, 2 or 3"),
    # Models.
    (lambda: continued(without=[(0, 1)]), r"expected heads out of \(\(1, 1\), "),
    (lambda: continued(without=[(3, 1)]), r"expected heads out of \(\(1, 1\), "),
    (lambda: continued(without=[(1, 3)]), r"expected heads out of \(\(1, 1\), "),
    (lambda: continued(unread=["keys"]), "unread has 'keys'"),
    (lambda: counts.part_of("head"), "name is 'head'"),
    (lambda: Retrieval(d_query=3, d_key=5), "are 3, 5, 16, None; expected d_query >= d_key"),
    (lambda: formation.content("many periods", 7), "step is 7; there are checkpoints after 0, 50"),
    (
        lambda: formation.content("two periods", 0),
        "condition is 'two periods'; expected one of one",
    ),
    (lambda: hidden_words(5), "expected positions from 0 to 4"),
    (lambda: hidden_words(-1), "expected positions from 0 to 4"),
    (lambda: hidden_words(0, 1, 2, 3, 4), "all 5 words are hidden"),
    (
        lambda: int8.quantised({"w": np.zeros((2, 7))}, run=3),
        "rows of 7 numbers cannot be cut into",
    ),
    (lambda: swap.by_layer(lambda *_: None), r"attend returned the shape \(\); expected \(2, 12, "),
    (lambda: swap.with_mistake("none"), "no mistake 'none'; expected one of keys-as-values, "),
    (lambda: stored_swaps.load("none"), "nothing is stored of 'none'; expected one of unscaled, "),
    # Data.
    (lambda: Grammar("latin"), "language is 'latin'; expected"),
    (lambda: Grammar("french").sentence("livre", "picked"), "'livre' is not in the lexicon; expec"),
    (lambda: repeats.draw(RNG, 1, 7, (0, 3)), f"expected them from 1 to {repeats.NUM_WORDS}"),
    (lambda: repeats.draw(RNG, 1, 7, (repeats.NUM_WORDS + 1,)), "expected them from 1 to"),
    (
        lambda: repeats.induction_scores(np.eye(3), [3, 1, 2]),
        r"no token occurs twice in \[3, 1, 2\]",
    ),
    (lambda: minilm_heads.load("cat").head(0, 2), "layer 0, head 2; expected 1 to 6 and 1 to 12"),
    (lambda: minilm_heads.load("dog"), "no sentence 'dog'; expected one of apple, cat"),
    (lambda: fables.encode(["dragon"]), "'dragon' is not a word of the fables"),
    (lambda: to_tokens("once there was a dragon"), "'dragon' is not a word of the fables"),
    # Drawings.
    (
        lambda: drawing.all_heads(np.zeros((3, 5, 5))),
        r"weights have shape \(3, 5, 5\); expected \(l",
    ),
    (lambda: drawing.head_row({}, ""), "expected one shape"),
    (lambda: drawing.head_row({"a": np.zeros((3, 4))}, ""), "expected one shape"),
    (lambda: drawing.head_row({"a": np.eye(3), "b": np.eye(4)}, ""), "expected one shape"),
    (lambda: drawing.head_row({"a": np.zeros(3)}, ""), "expected one shape"),
    (lambda: drawing.head_row({"a": np.eye(7)}, ""), "1 maps of 7 tokens; expected more than 64"),
    (lambda: drawing.plot_curves({"one": ONE}, accent="3"), "accent is '3'; expected one of"),
    (lambda: arrow((1, 2, 3), "query"), r"shape \(2,\); got \(3,\)"),
    (lambda: arrow((1, 2), "head"), "role is 'head'; expected one of query"),
    (lambda: drawing.head_stages("dog"), "highlight is 'dog'; expected one of the, cat"),
    (lambda: ContextVector(goal=[0.5, 0.25, 0.25], goal_text="thirds"), "expected 2 weights and a"),
    (lambda: ContextVector(goal=[0.5, 0.5], goal_text=""), "expected 2 weights and a text"),
]
#: What is not there, by name.
MISSING: list[tuple[Callable[[], Any], str]] = [
    (lambda: memory.train("oracle", (0,)), "oracle"),
    (lambda: load("peaked")["e"], "no curve 'e'; this result has the largest"),
    (lambda: glove.load()["zyzzyva"], r"'zyzzyva' is not among the \d{4} words"),
]


@pytest.mark.parametrize(("call", "message"), [*REFUSED, *MISSING])
def test_it_is_refused_in_one_line(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((ValueError, KeyError), match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, KeyError) == ((call, message) in MISSING)
