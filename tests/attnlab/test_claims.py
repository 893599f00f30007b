"""The rule for verdicts, and the verdict of each stored result."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attnlab import claims, experiments
from attnlab.claims import Trial, each_seed, judge
from attnlab.experiments import load, names, verdict

#: As many tested models as a condition needs, all of which agree.
THREE = [Trial("a", True)] * claims.SEEDS
YES, NO, MISSED = Trial("a", True), Trial("a", False), Trial("a", False, learned=False)
#: What the stored results say. A change here is news, and belongs into the notes.
LEVELS = {
    "agreement": "holds when",
    "alignment": "holds when",
    "axial": "holds",
    "bottleneck": "holds when",
    "captions": "does not hold",
    "convolutions": "holds when",
    "cost": "holds when",
    "cue": "does not hold",
    "detection": "holds when",
    "forgetting": "holds when",
    "hard_attention": "holds when",
    "hashing": "holds when",
    "heads": "holds when",
    "importance": "does not hold",
    "induction": "holds when",
    "layer_mixes": "holds when",
    "linear_recall": "holds when",
    "longer_texts": "holds when",
    "memory": "holds when",
    "norms": "holds when",
    "objectives": "holds when",
    "peaked": "holds when",
    "positions": "holds when",
    "qk_norm": "holds when",
    "questions": "holds when",
    "reach": "holds",
    "real_heads": "does not hold",
    "recall": "holds when",
    "scaling": "holds when",
    "sentiment": "holds when",
    "sinks": "holds when",
    "speech": "holds when",
    "summaries": "does not hold",
    "swap": "holds when",
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


def test_a_trial_turns_knobs_of_its_claim_only() -> None:
    with pytest.raises(ValueError, match=r"turns 'depth'; the claim's knobs are \['width'\]"):
        judge([Trial("", True, at={"depth": 2})], "", {"width": 32})


def test_a_claim_needs_trials() -> None:
    with pytest.raises(ValueError, match="no trials; expected at least one"):
        judge([], "")


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


def test_every_experiment_has_its_verdict_in_this_file() -> None:
    assert list(LEVELS) == sorted(names())


@pytest.mark.parametrize("name", names())
def test_each_verdict_follows_from_the_stored_result(name: str) -> None:
    assert verdict(name).level == LEVELS[name]


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
