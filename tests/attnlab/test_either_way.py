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
    alignment,
    bottleneck,
    convolutions,
    detection,
    hard_attention,
    heads,
    importance,
    induction,
    load,
    memory,
    names,
    norms,
    peaked,
    positions,
    qk_norm,
    questions,
    scaling,
    sentiment,
    sinks,
    speech,
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


def last_only(values: np.ndarray) -> np.ndarray:
    """All right of the latest, and a third of what is older."""
    return np.where(np.arange(values.shape[1]) == 0, 1.0, 0.3) + 0 * values


MANY, SLOWLY = ", 32 features", ", slowly"

#: Ends of the names of curves of `heads` whose knobs were turned.
TURNED_HEADS = ("", ", learning rate 0.003", ", steps 1600", ", width 64", ", width 128")

#: From all to a fifth, over nine lengths.
SHRINKING = np.linspace(1, 0.2, 9)

#: Names of curves, those with knobs turned too.
ALIGNED = [f"{model}: {kind}" for model in alignment.MODELS for kind in alignment.KINDS]
AGREEING = [
    f"{model}{way}: largest agree" for model in importance.MODELS for way in importance.WAYS
]
RATES_TURNED = ("", *qk_norm.TURNED)
TWO_LAYERS = (sentiment.TWO, sentiment.TWO + sentiment.MORE)
PLACED = sentiment.PLACED + sentiment.PATIENT
HEADS = {
    head: [setting.name for setting in sinks.SETTINGS if setting.head == head]
    for head in sinks.HEADS
}
SPOKEN = [f"{model}{sounds}" for model in speech.MODELS for sounds in speech.SOUNDS]


def evicted(costs: Mapping[str, float], weight: float) -> Changes:
    """Return what heads lose with the first token, and the weight that plain ones give it."""
    lost = {f"{name}, last 12": cost for head, cost in costs.items() for name in HEADS[head]}
    return {**lost, **{f"{name}: weight on the first": weight for name in HEADS["plain"]}}


def at_rates(plain: float, normalised: float) -> Changes:
    """Return what the two kinds of `qk_norm` answer at every rate."""
    shares = {"plain": plain, "normalised": normalised}
    return {f"{kind}{end}": share for kind, share in shares.items() for end in RATES_TURNED}


POSITION_KNOBS = [f", {knob}" for knob in positions.TURNED]

HOLDS: dict[str, Changes] = {
    "agreement": dict.fromkeys(
        ("GRU", *(agreement.named("GRU", at) for at in agreement.TURNED)), fading
    ),
    "alignment": dict.fromkeys(ALIGNED, 1.0),
    "axial": {},
    "bottleneck": {
        "attention: sentence": 1.0,
        "vector of 128: sentence": lambda old: old * SHRINKING,
    },
    "captions": {f"{name}: looks there": 0.97 for name in ("attention", "attention, rate 0.01")},
    "convolutions": {"4 layers of kernel 3, learning rate 0.01": lambda old: old[[0, 0, 2]]},
    "cost": {"hashing, one rotation: exponent": 1.05},
    "cue": {"BiGRU: weight on the cue": 0.6, "words alone: weight on the cue": 0.7},
    "detection": {"width 16: found": 1.0},
    "forgetting": {
        f"no decay{MANY}": 0.9,
        f"decay of 0.8{MANY}": last_only,
        f"computed{MANY}": 0.9,
        f"no decay{MANY}: second text": 0.5,
        f"decay of 0.8{MANY}: second text": 0.5,
        f"computed{MANY}: second text": 0.9,
    },
    "hard_attention": {},
    "hashing": both({"Gaussian: error": 0.1, "clusters: error": 0.1}, ", small"),
    "heads": {
        **{f"one head, at the beginning{knob}: participle": 0.3 for knob in TURNED_HEADS},
        **{f"{name}: participle": 1.0 for name in (*heads.ALIKE, "two heads, width 128")},
    },
    "importance": dict.fromkeys(AGREEING, 0.95),
    "induction": {
        "one period: previous token, best head of layer 1": 0.8,
        "one period: induction, best head of layer 2": 0.9,
        "one period: without layer 1": 0.1,
        "one period: layer 2 with blind keys": 0.1,
    },
    "layer_mixes": {},
    "linear_recall": {},
    "longer_texts": {"linear: far": 0.99},
    "memory": {agreement.named("GRU, one length", at): 0.5 for at in memory.TURNED},
    "norms": {
        **{f"{layers} layers, norm last, no warm-up": 1.0 for layers in (4, 12)},
        **{f"{layers} layers, norm first, no warm-up": 0.1 for layers in (4, 12)},
        **{f"{layers} layers, norm first, with warm-up": 0.1 for layers in (4, 12)},
        norms.PATIENT: 1.0,
        norms.SMALL_START: 1.0,
    },
    "objectives": {"next token: every filling": 0.5, "masked: writing": 0.2},
    "peaked": dict.fromkeys(("the largest 32", *peaked.TURNED), 0.95),
    "positions": {
        **{f"rotary: {task}": 1.0 for task in positions.TASKS},
        **{f"rotary: {task}, heads of width 4": 1.0 for task in positions.TASKS},
        "rotary: latest, other training": 1.0,
        "ALiBi: three back": 1.0,
    },
    "qk_norm": at_rates(0.5, 1.0),
    "questions": {"attention": 1.0, "attention, rate 0.002": 1.0},
    "reach": {},
    "real_heads": {
        f"picked head, {wording}": 0.95 for wording in ("as picked", "plain", "a phrase first")
    },
    "recall": {},
    "scaling": {
        f"norm, unscaled{end}": 0.001
        for end in (", mean", ", by queries", ", by queries, mean", *scaling.SLOW)
    },
    "sentiment": {
        **{f"{name}: weight on the adjective": 0.6 for name in (*TWO_LAYERS, PLACED)},
        **{f"{name}: weight on not before the adjective": 0.3 for name in TWO_LAYERS},
    },
    "sinks": evicted({"plain": 1, "sink from 2": 0.01, "sink from 4": 0.01, "gate": 0.01}, 0.8),
    "speech": {f"{name}: forward": 0.95 for name in SPOKEN},
    "summaries": {"first is kept": 0.8, "one kept: first is kept": 0.8},
    "swap": {"BiGRU with attention: weight on the English subject": 0.9},
}

FAILS: dict[str, Changes] = {
    "agreement": {"attention": 0.7},
    "alignment": dict.fromkeys(ALIGNED, 0.1),
    "axial": both({"distinct rows": 0.5}, ", turned"),
    "bottleneck": {f"{name}: sentence": 1.0 for name in bottleneck.VECTORS},
    "captions": {},
    "convolutions": {
        **{convolutions.label(*shape): 1.0 for shape in convolutions.SHAPES},
        **{agreement.named(convolutions.label(4, 3), at): 1.0 for at in convolutions.TURNED},
    },
    "cost": {"full: exponent": 1.5},
    "cue": {"BiGRU: weight on the cue": 0.01, "words alone: weight on the cue": 0.01},
    "detection": {"found": 0.5, **{f"{name}: found": 0.5 for name in detection.TURNED}},
    "forgetting": both({"no decay": 1.0, "computed": 0.3, "computed: second text": 0.3}, MANY),
    "hard_attention": {
        "updates, one draw, baseline": 1.0,
        **{hard_attention.turned_name(knobs, soft=False): 1.0 for knobs in hard_attention.TURNED},
    },
    "hashing": {**both({"clusters: error": 0.3}, ", small"), "clusters, wide: error": 0.3},
    "heads": {f"one head, at the beginning{knob}: participle": 1.0 for knob in TURNED_HEADS},
    "importance": dict.fromkeys(AGREEING, 0.5),
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
    "qk_norm": at_rates(1.0, 0.5),
    "questions": {
        "attention": lambda old: np.where(old > 0.99, 0.97, 0.5),
        "attention, rate 0.002": lambda old: np.where(old > 0.97, 0.97, 0.5),
        **dict.fromkeys(("fixed vector", "fixed vector, rate 0.002"), 0.98),
        questions.KEEPING: 0.98,
    },
    "reach": both({"first: has a gradient": 3.0}, ", turned"),
    "real_heads": {},
    "recall": {"vector of 16": 1.0},
    "scaling": {f"norm, unscaled{end}": 0.2 for end in scaling.TURNED},
    "sentiment": {
        **{f"{name}: weight on the adjective": 0.2 for name in (*TWO_LAYERS, PLACED)},
        **{f"{name}: weight on not before the adjective": 0.0 for name in TWO_LAYERS},
    },
    "sinks": evicted(dict.fromkeys(HEADS, 0.5) | {"plain": 0.01, "sink from 0": 0.01}, 0.2),
    "speech": {f"{name}: forward": 0.5 for name in SPOKEN},
    "summaries": {},
    "swap": {
        "Transformer: weight on the French subject": 0.0,
        "Transformer: weight on the English subject": 0.0,
    },
}


@pytest.mark.parametrize("name", names())
def test_every_claim_can_come_out_either_way(name: str) -> None:
    found = verdict(name, doctored(name, HOLDS[name]))
    # A knob that was tried at one value keeps a claim that nothing refutes from "holds".
    assert found.level == "holds" or (found.level == "holds when" and not found.refuted)
    assert verdict(name, doctored(name, FAILS[name])).level == "does not hold"


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
        norms.SMALL_START: 1.4,
    },
    "objectives": {"masked: participle": 0.6},
    "qk_norm": at_rates(0.5, 0.5),
    "questions": {"attention": 0.3, "attention, rate 0.002": 0.3},
    "sentiment": dict.fromkeys((*TWO_LAYERS, PLACED), 0.7),
    "sinks": {f"{setting.name}, all tokens": 0.3 for setting in sinks.SETTINGS},
    "speech": {f"{name}: letters": 0.7 for name in SPOKEN},
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
