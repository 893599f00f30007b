"""What an experiment tests, and the rule that says what its result means.

Every verdict is made by `judge`, and the thresholds that claims have in common are named here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

Level = Literal["holds", "holds when", "does not hold", "not learned"]

#: Share of right answers from which a model counts as having learned its task.
LEARNED = 0.9
#: Share of cases from which a model does what a claim says: it finds, aligns, looks, keeps.
NEARLY_ALWAYS = 0.9
#: More often than not; or more than half of a weight.
MAJORITY = 0.5
#: A share at most this far above chance counts as guessing.
NEAR_CHANCE = 0.1
#: A claim holds without a condition only if each condition has as many models, or draws of data,
#: and as many values of each of its knobs were tried.
SEEDS, VALUES = 3, 2
#: Less weight than this on one word of a sentence is next to none.
NEXT_TO_NO_WEIGHT = 0.1

#: What a conclusion could hang on: a start value, a learning rate, a width, a counterpart.
Knobs = Mapping[str, float | str]


@dataclass(frozen=True)
class Claim:
    """What an experiment tests; the name of its module is its name.

    Parameters
    ----------
    chapter : str
        The chapter of the book that shows it, by the name of its file.
    sentence : str
        One sentence that could be false.
    source : str
        Who makes the claim.
    refuted_by : str
        The observation that would refute the claim.
    seconds : float
        About how long a full run takes, in seconds of one CPU core.
    background : str
        What the sentence is, if it is not a claim made for attention.
    knobs : mapping of str to number or str
        What the conclusion could hang on, each with the value that all trials have that name no
        other: start values, learning rate, steps, width, the model beside it, the texts.
    """

    chapter: str
    sentence: str
    source: str
    refuted_by: str
    seconds: float
    background: str = ""
    knobs: Knobs = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """One trained model, or one draw of data, under one condition.

    Parameters
    ----------
    condition : str
        What a reader can know before the test: the kind of model or of word, the length; never
        the seed. Empty where a claim is tested under one condition only.
    agrees : bool
        Whether the measured numbers are as the claim says.
    learned : bool
        Whether the model has learned the task. Its weights say nothing about the claim otherwise.
    at : mapping of str to number or str
        The knobs that were turned: those of the claim whose value is another one here.
    """

    condition: str
    agrees: bool
    learned: bool = True
    at: Knobs = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The condition and the knobs that were turned, in words.

        Examples
        --------
        >>> Trial("head with a sink", True, at={"start of the sink": 4}).name
        'head with a sink, start of the sink 4'
        """
        return ", ".join(filter(None, (self.condition, *map(_knob, self.at.items()))))


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds, as `judge` derives it from trials.

    Parameters
    ----------
    level : "holds", "holds when", "does not hold" or "not learned"
    because : str
        One or more sentences with the numbers.
    when : tuple of str
        The conditions under which the claim holds, if the level is "holds when"; none are named
        if it holds under all that were tried.
    refuted : tuple of str
        The conditions under which at least one model refutes it.
    not_learned : tuple of str
        What was not tested, since models had not learned the task: conditions with counts.
    tested, total : int
        How many models had learned the task, of how many.
    tried : mapping of str to tuple
        The values of each knob that were tried and tested.
    """

    level: Level
    because: str
    when: tuple[str, ...] = ()
    not_learned: tuple[str, ...] = ()
    tested: int = 0
    total: int = 0
    tried: Mapping[str, tuple[float | str, ...]] = field(default_factory=dict)
    refuted: tuple[str, ...] = ()

    @property
    def fixed(self) -> tuple[str, ...]:
        """The knobs of which one value was tried, with it, in words."""
        return tuple(
            _knob((knob, values[0]))
            for knob, values in self.tried.items()
            if 0 < len(values) < VALUES
        )


def each_seed(
    agrees: ArrayLike, condition: str = "", learned: ArrayLike = True, at: Knobs | None = None
) -> list[Trial]:
    """Return one trial for each seed.

    Parameters
    ----------
    agrees, learned : array_like of bool, shape (num_seeds,)
    condition : str
    at : mapping of str to number or str, optional
        The knobs that were turned.

    Examples
    --------
    >>> each_seed([True, False], "long texts", learned=[True, False])[1]
    Trial(condition='long texts', agrees=False, learned=False, at={})
    """
    pairs = np.broadcast_arrays(np.atleast_1d(agrees), learned)
    turned = dict(at or {})
    return [
        Trial(condition, bool(one), bool(known), turned) for one, known in zip(*pairs, strict=True)
    ]


def judge(trials: Iterable[Trial], because: str, knobs: Knobs | None = None) -> Verdict:
    """Return what trials say about a claim; the same rule for every claim.

    Trials with the same condition and the same knobs belong together. Models that have not learned
    their task are left out, and counted. Under each condition the claim holds if all other trials
    agree, and is refuted if one does not.

    - "holds": it is refuted under no condition, each has at least ``SEEDS`` tested models, and at
      least ``VALUES`` values of each knob were tested.
    - "holds when": it is refuted under some conditions and holds under others, or one of the
      demands of "holds" is not met.
    - "does not hold": it is refuted under every condition that was tested.
    - "not learned": no model has learned the task.

    Parameters
    ----------
    trials : iterable of Trial
    because : str
        The numbers, in words.
    knobs : mapping of str to number or str, optional
        The claim's knobs with the value that trials have which name no other.

    Raises
    ------
    ValueError
        If there are no trials, or one turns a knob that the claim does not have.

    Examples
    --------
    >>> judge([Trial("nouns", True), Trial("articles", False)], "").level
    'holds when'
    >>> judge([Trial("", False, learned=False)], "").level
    'not learned'
    >>> judge([Trial("", True, at={"width": w}) for w in (32, 64) for seed in range(3)], "",
    ...       {"width": 32}).level
    'holds'
    """
    known = dict(knobs or {})
    by_condition: dict[str, list[Trial]] = {}
    values: dict[str, list[float | str]] = {knob: [] for knob in known}
    for trial in trials:
        by_condition.setdefault(trial.name, []).append(trial)
        if unknown := trial.at.keys() - known.keys():
            raise ValueError(f"a trial turns {min(unknown)!r}; the claim's knobs are {list(known)}")
        for knob, value in {**known, **trial.at}.items():
            if trial.learned and value not in values[knob]:
                values[knob].append(value)
    if not by_condition:
        raise ValueError("no trials; expected at least one to judge a claim by")
    holding: list[str] = []
    refuted: list[str] = []
    missed: list[str] = []
    is_swept = all(len(tried) >= VALUES for tried in values.values())
    tested = 0
    for condition, of_condition in by_condition.items():
        agreeing = [trial.agrees for trial in of_condition if trial.learned]
        tested += len(agreeing)
        is_swept &= len(agreeing) >= SEEDS
        if agreeing:
            (holding if all(agreeing) else refuted).append(condition)
        if len(agreeing) < len(of_condition):
            count = f"{len(of_condition) - len(agreeing)} of {len(of_condition)} models"
            missed.append(f"{condition} ({count})" if condition else count)
    level: Level = "does not hold"
    if holding:
        level = "holds" if is_swept and not refuted else "holds when"
    elif not refuted:
        level = "not learned"
    when = tuple(holding) if (refuted and holding) or (level == "holds when" and missed) else ()
    total = sum(map(len, by_condition.values()))
    tried = {knob: tuple(of_knob) for knob, of_knob in values.items()}
    named = tuple(tuple(filter(None, names)) for names in (when, refuted))
    return Verdict(level, because, named[0], tuple(missed), tested, total, tried, named[1])


def _knob(item: tuple[str, float | str]) -> str:
    """Return a knob and its value: "learning rate 0.01", or the value alone if that is words."""
    name, value = item
    return f"{name}: {value}" if isinstance(value, str) else f"{name} {value:g}"
