"""What an experiment tests, and what its result says about that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["holds", "holds when", "does not hold"]


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
    """

    chapter: str
    sentence: str
    source: str
    refuted_by: str
    seconds: float


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds; each experiment derives it from the measured numbers.

    Parameters
    ----------
    level : "holds", "holds when" or "does not hold"
        "holds when": only under the condition that ``because`` names.
    because : str
        One or two sentences with the numbers.
    """

    level: Level
    because: str
