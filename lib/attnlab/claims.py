"""What an experiment tests, and the rule that says what its result means.

Every verdict is made by `judge`, and the thresholds that claims have in common are named here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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
#: Less weight than this on one word of a sentence is next to none.
NEXT_TO_NO_WEIGHT = 0.1


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
    """

    chapter: str
    sentence: str
    source: str
    refuted_by: str
    seconds: float
    background: str = ""


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
    """

    condition: str
    agrees: bool
    learned: bool = True


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds, as `judge` derives it from trials.

    Parameters
    ----------
    level : "holds", "holds when", "does not hold" or "not learned"
    because : str
        One or more sentences with the numbers.
    when : tuple of str
        The conditions under which the claim holds, if the level is "holds when".
    not_learned : tuple of str
        What was not tested, since models had not learned the task: conditions with counts.
    """

    level: Level
    because: str
    when: tuple[str, ...] = ()
    not_learned: tuple[str, ...] = ()


def each_seed(agrees: ArrayLike, condition: str = "", learned: ArrayLike = True) -> list[Trial]:
    """Return one trial for each seed.

    Parameters
    ----------
    agrees, learned : array_like of bool, shape (num_seeds,)
    condition : str

    Examples
    --------
    >>> each_seed([True, False], "long texts", learned=[True, False])[1]
    Trial(condition='long texts', agrees=False, learned=False)
    """
    pairs = np.broadcast_arrays(np.atleast_1d(agrees), learned)
    return [Trial(condition, bool(one), bool(known)) for one, known in zip(*pairs, strict=True)]


def judge(trials: Iterable[Trial], because: str) -> Verdict:
    """Return what trials say about a claim; the same rule for every claim.

    Trials of models that have not learned their task are left out. Under each condition the claim
    holds if all other trials agree, and is refuted if one does not.

    - "holds": it is refuted under no condition.
    - "holds when": it holds under some conditions and is refuted under others.
    - "does not hold": it is refuted under every condition that was tested.
    - "not learned": no model has learned the task.

    Raises
    ------
    ValueError
        If there are no trials.

    Examples
    --------
    >>> judge([Trial("nouns", True), Trial("articles", False)], "").level
    'holds when'
    >>> judge([Trial("", False, learned=False)], "").level
    'not learned'
    """
    by_condition: dict[str, list[Trial]] = {}
    for trial in trials:
        by_condition.setdefault(trial.condition, []).append(trial)
    if not by_condition:
        raise ValueError("no trials; expected at least one to judge a claim by")
    holding: list[str] = []
    refuted: list[str] = []
    missed: list[str] = []
    for condition, of_condition in by_condition.items():
        tested = [trial.agrees for trial in of_condition if trial.learned]
        if tested:
            (holding if all(tested) else refuted).append(condition)
        if len(tested) < len(of_condition):
            count = f"{len(of_condition) - len(tested)} of {len(of_condition)} models"
            missed.append(f"{condition} ({count})" if condition else count)
    level: Level = "does not hold"
    if not refuted:
        level = "holds" if holding else "not learned"
    elif holding:
        level = "holds when"
    when = tuple(holding) if level == "holds when" else ()
    return Verdict(level, because, when, tuple(missed))
