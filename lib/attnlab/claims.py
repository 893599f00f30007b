"""Judge what an experiment's result means for its claim, by one rule for all.

Every verdict is made by `judge`, and the thresholds that claims have in common are named here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
#: A claim holds without a condition only if under each condition as many tests counted, and as many
#: values of each of its knobs were tried.
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
    """One test: one trained model, or one draw of data, under one condition.

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
        return _name(self.condition, self.at)


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
        The conditions under which at least one test refutes it.
    not_learned : tuple of str
        What was not tested, since models had not learned the task: conditions with counts.
    tested, total : int
        How many tests counted, since the model had learned the task, of how many.
    tried : mapping of str to tuple
        The values of each knob that were tried and tested.
    swept : mapping of str to tuple of str
        Knobs that were turned alone, with their values, by the conditions under which they were;
        those that were turned under all of them stand under the empty string.
    together : tuple of str
        Knobs that were turned at once, with the values that they then had.
    """

    level: Level
    because: str
    when: tuple[str, ...] = ()
    not_learned: tuple[str, ...] = ()
    tested: int = 0
    total: int = 0
    tried: Mapping[str, tuple[float | str, ...]] = field(default_factory=dict)
    refuted: tuple[str, ...] = ()
    swept: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    together: tuple[str, ...] = ()

    @property
    def fixed(self) -> tuple[str, ...]:
        """The knobs of which one value was tried, with it, in words."""
        return tuple(
            _knob((knob, values[0]))
            for knob, values in self.tried.items()
            if 0 < len(values) < VALUES
        )


@dataclass
class _Setting:
    """The trials of one condition with the same knobs turned: those that counted, and of all."""

    condition: str
    at: Knobs
    values: Knobs
    agreeing: list[bool] = field(default_factory=list)
    total: int = 0

    @property
    def holds(self) -> bool:
        return bool(self.agreeing) and all(self.agreeing)

    @property
    def refutes(self) -> bool:
        return not all(self.agreeing)


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

    - "holds": it is refuted under no condition, under each at least ``SEEDS`` trials counted, and
      under each at least ``VALUES`` values of each knob were tested.
    - "holds when": it is refuted under some conditions and holds under others, or one of the
      demands of "holds" is not met.
    - "does not hold": it is refuted under every condition that was tested.
    - "not learned": no model has learned the task.

    Where a condition holds with one value of a knob and is refuted with another, the names of
    either have the value, the default one too.

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
    settings = _settings(trials, dict(knobs or {}))
    tested = [setting for setting in settings if setting.agreeing]
    holding = [setting for setting in tested if setting.holds]
    refuted = [setting for setting in tested if setting.refutes]
    missed = [setting for setting in settings if len(setting.agreeing) < setting.total]
    level: Level = "does not hold"
    if holding:
        enough = all(map(_is_enough, settings))
        level = "holds" if enough and not refuted and _is_swept(tested) else "holds when"
    elif not refuted:
        level = "not learned"
    names_when = (refuted and holding) or (level == "holds when" and missed)
    swept, together = _turned(tested)
    return Verdict(
        level,
        because,
        _names(holding, settings) if names_when else (),
        tuple(
            f"{name} ({count})" if name else count
            for setting in missed
            for name in (_name(setting.condition, setting.at),)
            for count in (f"{setting.total - len(setting.agreeing)} of {_tests(setting.total)}",)
        ),
        sum(len(setting.agreeing) for setting in settings),
        sum(setting.total for setting in settings),
        {knob: tuple(_values(tested, knob)) for knob in knobs or {}},
        _names(refuted, settings),
        swept,
        together,
    )


def _settings(trials: Iterable[Trial], known: Knobs) -> list[_Setting]:
    """Group trials by their condition and the knobs that were turned."""
    settings: dict[str, _Setting] = {}
    for trial in trials:
        if unknown := trial.at.keys() - known.keys():
            raise ValueError(f"a trial turns {min(unknown)!r}; the claim's knobs are {list(known)}")
        values = {**known, **trial.at}
        setting = settings.setdefault(trial.name, _Setting(trial.condition, trial.at, values))
        setting.total += 1
        if trial.learned:
            setting.agreeing.append(trial.agrees)
    if not settings:
        raise ValueError("no trials; expected at least one to judge a claim by")
    return list(settings.values())


def _is_enough(setting: _Setting) -> bool:
    return len(setting.agreeing) >= SEEDS


def _values(settings: Iterable[_Setting], knob: str) -> list[float | str]:
    return list(dict.fromkeys(setting.values[knob] for setting in settings))


def _is_swept(tested: Sequence[_Setting]) -> bool:
    """Return whether enough values of every knob were tested under every condition."""
    return all(
        len(_values(_of(condition, tested), knob)) >= VALUES
        for condition in _conditions(tested)
        for knob in tested[0].values
    )


def _conditions(settings: Iterable[_Setting]) -> list[str]:
    return list(dict.fromkeys(setting.condition for setting in settings))


def _of(condition: str, settings: Iterable[_Setting]) -> list[_Setting]:
    return [setting for setting in settings if setting.condition == condition]


def _turned(tested: Sequence[_Setting]) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Return the knobs that were turned alone, by conditions, and those turned at once."""
    alone: dict[str, dict[str, None]] = {}
    values: dict[str, dict[float | str, None]] = {}
    together: dict[str, None] = {}
    for condition in _conditions(tested):
        of_condition = _of(condition, tested)
        for number, setting in enumerate(of_condition):
            apart = [_apart(setting, other) for other in of_condition if other is not setting]
            for (knob,) in (knobs for knobs in apart if len(knobs) == 1):
                alone.setdefault(knob, {})[condition] = None
                values.setdefault(knob, {})[setting.values[knob]] = None
            nearest = min(apart, key=len, default=())
            if len(nearest) > 1 and number:  # the first one is what the others are turned from
                turned = [f"{knob} {_value(setting.values[knob])}" for knob in nearest]
                together[f"{', '.join(turned[:-1])} and {turned[-1]}"] = None
    swept: dict[str, tuple[str, ...]] = {}
    for knob in (knob for knob in (tested[0].values if tested else ()) if knob in alone):
        everywhere = len(alone[knob]) == len(_conditions(tested))
        where = "" if everywhere else "; ".join(alone[knob])
        words = [_value(value) for value in values[knob]]
        tried = f"{knob}: {', '.join(words[:-1])} or {words[-1]}"
        swept[where] = (*swept.get(where, ()), tried)
    return swept, tuple(together)


def _apart(one: _Setting, other: _Setting) -> tuple[str, ...]:
    """Return the knobs whose values differ."""
    return tuple(knob for knob, value in one.values.items() if other.values[knob] != value)


def _names(alike: Sequence[_Setting], settings: Sequence[_Setting]) -> tuple[str, ...]:
    """Return the names of settings that all hold, or all are refuted.

    One name stands for all of a condition if enough tests of each of its settings came out alike.
    Otherwise each has its own, with the knobs that others turned and that came out otherwise.
    """
    names: dict[str, None] = {}
    for setting in alike:
        of_condition = _of(setting.condition, settings)
        others = [one for one in of_condition if one.agreeing and one not in alike]
        if all(one in alike and (one.refutes or _is_enough(one)) for one in of_condition):
            decided = {} if setting.condition else setting.at
        else:
            # What was refuted is not widened by a knob that was turned apart from its own.
            knobs = {
                knob
                for one in others
                if setting.holds or setting.at.items() <= one.at.items()
                for knob in one.at
            }
            decided = {k: v for k, v in setting.values.items() if k in setting.at or k in knobs}
        name = _name(setting.condition, decided)
        if setting.holds and not _is_enough(setting):
            name += f" ({_tests(len(setting.agreeing))} only)" if name else ""
        names[name] = None
    return tuple(filter(None, names))


def _tests(number: int) -> str:
    return f"{number} test" if number == 1 else f"{number} tests"


def _name(condition: str, at: Knobs) -> str:
    """Return a condition and knobs in words."""
    return ", ".join(filter(None, (condition, *map(_knob, at.items()))))


def _value(value: float | str) -> str:
    return f"“{value}”" if isinstance(value, str) else f"{value:g}"


def _knob(item: tuple[str, float | str]) -> str:
    """Return a knob and its value: "learning rate 0.01", or the value alone if that is words."""
    name, value = item
    return f"{name}: {value}" if isinstance(value, str) else f"{name} {value:g}"
