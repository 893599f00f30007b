"""Every claim can come out either way: stored results, doctored, turn its verdict."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest

from attnlab import claims
from attnlab.experiments import (
    Curve,
    Result,
    agreement,
    bottleneck,
    convolutions,
    detection,
    hard_attention,
    induction,
    load,
    memory,
    names,
    norms,
    peaked,
    positions,
    questions,
    scaling,
    sinks,
    verdict,
)

#: Curves by name: a number for all x, or a function of the stored values, (num_seeds, num_x).
Changes = Mapping[str, float | Callable[[np.ndarray], np.ndarray]]


def doctored(name: str, changes: Changes) -> Result:
    """Return a stored result with some curves replaced."""
    stored = load(name)
    curves = dict(stored.curves)
    for curve, change in changes.items():
        old = stored[curve].array
        new = change(old) if callable(change) else np.full_like(old, change)
        curves[curve] = Curve(stored[curve].x, new.tolist())
    return replace(stored, curves=curves)


def fading(values: np.ndarray) -> np.ndarray:
    """Right at the first x, and chance from then on."""
    return np.where(np.arange(values.shape[1]) == 0, 1.0, 0.5) + 0 * values


def both(changes: Changes, suffix: str) -> Changes:
    """Return changes also of the curves with a suffix, which stands before a colon or comma."""
    return {
        name: change
        for old, change in changes.items()
        for name in (old, re.sub(r"^[^:,]*", rf"\g<0>{suffix}", old))
    }


MANY, LONGER, SLOWLY, AT_SLOW = ", 32 features", ", longer", ", slowly", " at 0.003"

#: Ends of the names of curves of `heads` whose knobs were turned.
TURNED_HEADS = ("", ", learning rate 0.003", ", steps 1600", ", width 64")

TWO_LAYERS = "attention in two layers"

POSITION_KNOBS = [f", {knob}" for knob in positions.TURNED]

#: What turns each claim's verdict to the other side.
TURNS: dict[str, Changes] = {
    "agreement": {"attention": 0.7},
    "alignment": {"BiGRU: content": 0.1},
    "axial": both({"distinct rows": 0.5}, ", turned"),
    "bottleneck": {f"{name}: sentence": 1.0 for name in bottleneck.VECTORS},
    "captions": {f"{name}: looks there": 0.97 for name in ("attention", "attention, rate 0.01")},
    "convolutions": {
        **{convolutions.label(*shape): 1.0 for shape in convolutions.SHAPES},
        **{agreement.named(convolutions.label(4, 3), at): 1.0 for at in convolutions.TURNED},
    },
    "cost": {"full: exponent": 1.5},
    "cue": {"BiGRU: weight on the cue": 0.6, "words alone: weight on the cue": 0.7},
    "detection": {"found": 0.5, **{f"{name}: found": 0.5 for name in detection.TURNED}},
    "forgetting": both({"no decay": 1.0, "computed": 0.3, "computed: second text": 0.3}, MANY),
    "hard_attention": {
        "updates, one draw, baseline": 1.0,
        **{hard_attention.turned_name(knobs, soft=False): 1.0 for knobs in hard_attention.TURNED},
    },
    "hashing": {**both({"clusters: error": 0.3}, ", small"), "clusters, wide: error": 0.3},
    "heads": {f"one head, at the beginning{knob}: participle": 1.0 for knob in TURNED_HEADS},
    "importance": {
        f"{model}: largest agree": 0.95 for model in ("one layer", "BiGRU", "Transformer")
    },
    "induction": {
        f"{name}: layer 2 with blind keys": 0.9 for name in ("many periods", induction.SLOWER)
    },
    "layer_mixes": {"1 local : 1 global": 0.5, "5 local : 1 global": 0.5, "all local": 0.95},
    "linear_recall": both({"state of 2 features": 1.0}, SLOWLY),
    "longer_texts": {"none: far": 1.0},
    "memory": {agreement.named("GRU, one length", at): 1.0 for at in ({}, *memory.TURNED)},
    "norms": {
        **{f"{layers} layers, norm last, no warm-up": 0.05 for layers in (4, 12)},
        **{f"{layers} layers, norm first, with warm-up": 0.05 for layers in (4, 12)},
    },
    "objectives": {"next token: subject": 0.95},
    "peaked": dict.fromkeys(("the largest 32", *peaked.TURNED), 0.5),
    "positions": {f"ALiBi: latest{knob}": fading for knob in ("", *POSITION_KNOBS)},
    "qk_norm": both({"normalised": 0.5}, LONGER),
    "questions": {
        "attention": lambda old: np.where(old > 0.99, 0.97, 0.5),
        "attention, rate 0.002": lambda old: np.where(old > 0.97, 0.97, 0.5),
        **dict.fromkeys(("fixed vector", "fixed vector, rate 0.002"), 0.98),
        questions.KEEPING: 0.98,
    },
    "reach": both({"first: has a gradient": 3.0}, ", turned"),
    "real_heads": {
        f"picked head, {wording}": 0.95 for wording in ("as picked", "plain", "a phrase first")
    },
    "recall": {"vector of 16": 1.0},
    "scaling": {f"norm, unscaled{end}": 0.2 for end in scaling.TURNED},
    "sentiment": {f"{TWO_LAYERS}: weight on the adjective": 0.2},
    "sinks": both(
        {
            "plain: weight on the first": 0.2,
            "sink from 0, last 12": 0.01,
            **{f"{head}, last 12": 0.5 for head in ("sink from 2", "sink from 4", "gate")},
        },
        AT_SLOW,
    ),
    "speech": {f"{name}: forward": 0.5 for name in ("content and place", "content only")},
    "summaries": {"first is kept": 0.8, "one kept: first is kept": 0.8},
    "swap": {
        "Transformer: weight on the French subject": 0.0,
        "Transformer: weight on the English subject": 0.0,
    },
}


@pytest.mark.parametrize("name", names())
def test_every_claim_can_come_out_either_way(name: str) -> None:
    found = verdict(name, doctored(name, TURNS[name])).level
    assert (
        found in ("holds", "holds when")
        if verdict(name).level == "does not hold"
        else (found == "does not hold")
    )


UNLEARNED: dict[str, Changes] = {
    "alignment": {"BiGRU: sentences right": 0.4, "Transformer: sentences right": 0.4},
    "captions": {f"{name}: captions": 0.5 for name in ("attention", "attention, rate 0.01")},
    "detection": {"right": 0.5, **{f"{name}: right": 0.5 for name in detection.TURNED}},
    "forgetting": both({"no decay": 0.3}, MANY),
    "importance": {f"{model}: right": 0.2 for model in ("one layer", "BiGRU", "Transformer")},
    "induction": {
        f"{name}: accuracy": 0.5 for name in ("one period", "many periods", induction.SLOWER)
    },
    "layer_mixes": {"all global": 0.5},
    "longer_texts": {"none: near": 0.5},
    "memory": {"attention, one length": 0.5},
    "norms": {
        **{f"{layers} layers, norm first, with warm-up": 1.4 for layers in (4, 12)},
        norms.PATIENT: 1.4,
    },
    "objectives": {"masked: participle": 0.6},
    "qk_norm": both({"plain": 0.5, "normalised": 0.5}, LONGER),
    "questions": {"attention": 0.3, "attention, rate 0.002": 0.3},
    "sentiment": {TWO_LAYERS: 0.7},
    "sinks": both({f"{head}, all tokens": 0.3 for head in sinks.HEADS}, AT_SLOW),
    "speech": {f"{name}: letters": 0.7 for name in ("content and place", "content only")},
    "swap": {f"{name}: subject swapped": 0.4 for name in ("Transformer", "BiGRU with attention")},
}


@pytest.mark.parametrize("name", UNLEARNED)
def test_models_that_have_not_learned_refute_nothing(name: str) -> None:
    assert verdict(name, doctored(name, UNLEARNED[name])).level == "not learned"


def test_a_seed_that_has_not_learned_captions_is_not_the_counterexample() -> None:
    """It is the one that writes them and looks elsewhere."""
    stored = load("captions")
    learned = stored["attention: captions"].at(4) >= claims.LEARNED
    np.testing.assert_array_equal(learned, [True, False, True])
    located = stored["attention: looks there"].array.copy()
    located[learned] = 0.97
    changed = {
        "attention: looks there": lambda _: located,
        "attention, rate 0.01: looks there": 1.0,
    }
    found = verdict("captions", doctored("captions", changed))
    assert (found.level, found.refuted) == ("holds when", ())
    assert "4 glyphs (1 of 3 tests)" in found.not_learned


def test_a_transformer_that_looks_in_one_of_its_layers_does_not_refute_swap() -> None:
    """Cross-attention alone is not where a model looks: its decoder has self-attention, too."""
    stored = load("swap")
    assert stored["Transformer: weight on the English subject"].at(4).min() < 0.1
    assert verdict("swap").when == ("Transformer",)
    blind = {"Transformer: weight on the French subject": 0.0}
    assert verdict("swap", doctored("swap", blind)).level == "does not hold"
