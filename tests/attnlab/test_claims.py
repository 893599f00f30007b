"""The rule for verdicts, the verdict of each stored result, and that each could be another."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnlab import claims, experiments
from attnlab.claims import Trial, each_seed, judge
from attnlab.experiments import Curve, Result, load, names, verdict

#: As many tested models as a condition needs, all of which agree.
THREE = [Trial("a", True)] * claims.SEEDS
YES, NO, MISSED = Trial("a", True), Trial("a", False), Trial("a", False, learned=False)
#: What the stored results say of the claims, all others of which hold when something is given.
#: A change here is news, and belongs into the notes.
LEVELS = {
    **dict.fromkeys(("captions", "cue", "importance", "real_heads", "summaries"), "does not hold"),
    **dict.fromkeys(("axial", "reach"), "holds"),
}


# --- the rule -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trials", "level"),
    [
        (THREE, "holds"),
        ([*THREE, MISSED], "holds"),
        ([YES, YES], "holds when"),  # two models are too few
        ([YES, NO], "does not hold"),
        ([YES, MISSED], "holds when"),
        ([NO, MISSED], "does not hold"),
        ([MISSED], "not learned"),
        ([*THREE, replace(NO, condition="b")], "holds when"),
        ([YES, NO, replace(YES, condition="b")], "holds when"),
        ([NO, replace(NO, condition="b")], "does not hold"),
        ([*THREE, replace(MISSED, condition="b")], "holds when"),  # nothing is known of b
        ([NO, replace(MISSED, condition="b")], "does not hold"),
        ([MISSED, replace(MISSED, condition="b")], "not learned"),
    ],
)
def test_the_rule(trials: list[Trial], level: str) -> None:
    for order in (trials, trials[::-1]):
        assert judge(order, "since").level == level


def test_conditions_and_what_was_not_learned_are_named() -> None:
    made = [YES, MISSED, replace(NO, condition="b"), replace(MISSED, condition="c")]
    found = judge(made, "since")
    assert found.when == ("a (1 test only)",)
    assert found.not_learned == ("a (1 of 2 tests)", "c (1 of 1 test)")
    assert found.because == "since"
    assert judge([YES], "").when == ()


def test_one_value_of_a_knob_is_too_few() -> None:
    knobs = {"width": 32}
    wide = [replace(trial, at={"width": 64}) for trial in THREE]
    alone, both = judge(THREE, "", knobs), judge([*THREE, *wide], "", knobs)
    assert (alone.level, alone.fixed, alone.when) == ("holds when", ("width 32",), ())
    assert (both.level, both.fixed, both.tried) == ("holds", (), {"width": (32, 64)})
    turned = judge([*THREE, *(replace(trial, agrees=False) for trial in wide)], "", knobs)
    assert (turned.level, turned.when) == ("holds when", ("a, width 32",))
    assert turned.refuted == ("a, width 64",)
    missed = judge([*THREE, *(replace(trial, learned=False) for trial in wide)], "", knobs)
    assert (missed.level, missed.fixed, missed.when) == ("holds when", ("width 32",), ("a",))
    assert (missed.tested, missed.total) == (3, 6)


def test_a_knob_has_to_be_tried_under_every_condition() -> None:
    wide = [replace(trial, at={"width": 64}) for trial in THREE]
    found = judge([*THREE, *wide, *(replace(t, condition="b") for t in THREE)], "", {"width": 32})
    assert (found.level, found.fixed, found.refuted) == ("holds when", (), ())
    assert found.swept == {"a": ("width: 32 or 64",)}


def test_knobs_that_were_turned_at_once_are_named_together() -> None:
    knobs: claims.Knobs = {"width": 32, "steps": 800, "start": "small"}
    both = [replace(trial, at={"width": 64, "steps": 1600}) for trial in THREE]
    large = [replace(trial, at={"start": "large"}) for trial in THREE]
    found = judge([*THREE, *both, *large], "", knobs)
    assert found.level == "holds"
    assert found.swept == {"": ("start: “small” or “large”",)}
    assert found.together == ("width 64 and steps 1600",)


def test_a_condition_has_one_name_where_all_its_settings_agree() -> None:
    knobs: claims.Knobs = {"width": 32, "start": "small"}
    wide = [replace(trial, at={"width": 64}) for trial in THREE]
    large = [replace(trial, at={"start": "large"}) for trial in THREE]
    other = [replace(NO, condition="b"), replace(NO, condition="b", at={"width": 64})]
    assert judge([*THREE, *wide, *other], "", knobs).when == ("a",)
    assert judge([*THREE, *wide, *other], "", knobs).refuted == ("b",)
    turned = judge([*THREE, *large, *(replace(t, agrees=False) for t in wide)], "", knobs)
    assert turned.when == ("a, width 32", "a, width 32, start: large")


def test_one_trial_for_each_seed() -> None:
    assert each_seed(np.array([True, False]), "long", [False, True]) == [
        Trial("long", True, learned=False),
        Trial("long", False),
    ]
    assert each_seed([True, True, False])[2] == Trial("", False)


# --- the stored results -------------------------------------------------------------------------


def trials_of(name: str) -> list[Trial]:
    made: list[Trial] = importlib.import_module(f"attnlab.experiments.{name}").trials(load(name))
    return made


@pytest.mark.parametrize("name", names())
def test_each_verdict_follows_from_the_stored_result(name: str) -> None:
    assert verdict(name).level == LEVELS.get(name, "holds when")


@pytest.mark.parametrize("name", names())
def test_every_seed_has_a_trial_under_every_condition(name: str) -> None:
    made, num_seeds = trials_of(name), len(load(name).seeds)
    for condition in {trial.name for trial in made}:
        assert sum(trial.name == condition for trial in made) % num_seeds == 0
        assert "seed" not in condition


def test_a_claim_on_trained_models_names_what_its_training_could_decide() -> None:
    lacking = {}
    for name in names():
        source = Path(str(importlib.import_module(f"attnlab.experiments.{name}").__file__))
        if "training." in source.read_text("utf-8"):
            missing = {"start", "learning rate", "steps", "width"} - {
                *experiments.claim(name).knobs
            }
            if missing:
                lacking[name] = sorted(missing)
    assert lacking == {}


#: Curves by a pattern that is in their names, of turned knobs as well, and what all values become.
Changes = tuple[tuple[str, Any], ...]


def doctored(name: str, *changes: tuple[str, Any]) -> Result:
    """Return a stored result with some curves replaced."""
    stored = load(name)
    curves = dict(stored.curves)
    for pattern, value in changes:
        found = [curve for curve in curves if re.search(pattern, curve)]
        assert found, f"no curve of {name} has {pattern}"
        for curve in found:
            values = np.broadcast_to(value, stored[curve].array.shape)
            curves[curve] = Curve(stored[curve].x, values.tolist())
    return replace(stored, curves=curves)


#: What turns each claim's verdict to the other side.
TURNS: dict[str, Changes] = {
    "agreement": (("^attention", 0.7),),
    "alignment": (("^BiGRU: content", 0.1),),
    "axial": (("distinct rows", 0.5),),
    "bottleneck": (("vector of .*: sentence", 1.0),),
    "captions": (("looks there", 0.97),),
    "convolutions": (("", 1.0),),
    "cost": (("full: exponent", 1.5),),
    "cue": (("weight on the cue", 0.7),),
    "detection": (("found$", 0.5),),
    "forgetting": (("^no decay", 1.0), ("^computed", 0.3)),
    "hard_attention": (("^updates, (one draw, baseline|draws)", 1.0),),
    "hashing": (("clusters.*: error", 0.3),),
    "heads": (("^one head, at the beginning.*: participle", 1.0),),
    "importance": (("largest agree", 0.95),),
    "induction": ((": layer 2 with blind keys", 0.9),),
    "layer_mixes": (("^[15] local", 0.5), ("^all local", 0.95)),
    "linear_recall": (("^state of 2 features", 1.0),),
    "longer_texts": (("^none: far$", 1.0),),
    "memory": (("^GRU, one length", 1.0),),
    "norms": (("norm last, no warm-up", 0.05), ("norm first, with warm-up", 0.05)),
    "objectives": (("next token: subject", 0.95),),
    "peaked": (("^the largest 32", 0.5),),
    "positions": (("", 0.97),),
    "qk_norm": (("^normalised", 0.5),),
    "questions": (("", 0.97),),
    "reach": (("^first.*: has a gradient", 3.0),),
    "real_heads": (("^picked head", 0.95),),
    "recall": (("^vector of 16", 1.0),),
    "scaling": (("^norm, unscaled", 0.2),),
    "sentiment": (("weight on the adjective", 0.2),),
    "sinks": (
        *(("^plain.*: weight on the first", 0.2), ("^sink from 0.*, last 12", 0.01)),
        ("^(sink from [24]|gate).*, last 12", 0.5),
    ),
    "speech": (("forward", 0.5),),
    "summaries": (("first is kept", 0.8),),
    "swap": (("^Transformer: weight on the", 0.0),),
}


@pytest.mark.parametrize("name", names())
def test_every_claim_can_come_out_either_way(name: str) -> None:
    found = verdict(name, doctored(name, *TURNS[name])).level
    held = ("holds", "holds when")
    assert found in (held if verdict(name).level == "does not hold" else ("does not hold",))


UNLEARNED: dict[str, Changes] = {
    "alignment": (("sentences right", 0.4),),
    "captions": (("captions", 0.5),),
    "detection": (("right$", 0.5),),
    "forgetting": (("^no decay", 0.3),),
    "importance": (("right", 0.2),),
    "induction": ((": accuracy$", 0.5),),
    "layer_mixes": (("^all global", 0.5),),
    "longer_texts": (("^none: near", 0.5),),
    "memory": (("^attention, one length", 0.5),),
    "norms": (("norm first, with warm-up", 1.4), ("1600 steps", 1.4)),
    "objectives": (("masked: participle", 0.6),),
    "qk_norm": (("^(plain|normalised)", 0.5),),
    "questions": (("^attention", 0.3),),
    "sentiment": (("^attention in two layers$", 0.7),),
    "sinks": ((", all tokens", 0.3),),
    "speech": (("letters", 0.7),),
    "swap": (("subject swapped", 0.4),),
}


@pytest.mark.parametrize("name", UNLEARNED)
def test_models_that_have_not_learned_refute_nothing(name: str) -> None:
    assert verdict(name, doctored(name, *UNLEARNED[name])).level == "not learned"


def test_a_seed_that_has_not_learned_captions_is_not_the_counterexample() -> None:
    """It is the one that writes them and looks elsewhere."""
    stored = load("captions")
    learned = stored["attention: captions"].at(4) >= claims.LEARNED
    np.testing.assert_array_equal(learned, [True, False, True])
    located = stored["attention: looks there"].array.copy()
    located[learned] = 0.97
    changes = (("^attention: looks there", located), ("^attention, rate 0.01: looks there", 1.0))
    found = verdict("captions", doctored("captions", *changes))
    assert (found.level, found.refuted) == ("holds when", ())
    assert "4 glyphs (1 of 3 tests)" in found.not_learned


def test_a_transformer_that_looks_in_one_of_its_layers_does_not_refute_swap() -> None:
    """Cross-attention alone is not where a model looks: its decoder has self-attention, too."""
    stored = load("swap")
    assert stored["Transformer: weight on the English subject"].at(4).min() < 0.1
    assert verdict("swap").when == ("Transformer",)
    blind = ("^Transformer: weight on the French subject", 0.0)
    assert verdict("swap", doctored("swap", blind)).level == "does not hold"
