"""What has been checked since the kernel started; the progress at a chapter's end reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from coursekit.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How an exercise stood when it was last checked.

    Attributes
    ----------
    points : float
        Points earned, of those that the notebook's checks give.
    answered, of : int
        How many checks pass, or answers have the right form, and how many there are.
    is_started : bool
        Whether there is an answer.
    is_graded : bool
        Whether the notebook can tell what is right.
    """

    points: float = 0.0
    answered: int = 0
    of: int = 0
    is_started: bool = True
    is_graded: bool = True

    @classmethod
    def of_verdicts(cls, verdicts: Sequence[Verdict], is_untouched: bool) -> Standing:
        """Return the standing after a check."""
        return cls(
            points=sum(verdict.points for verdict in verdicts),
            answered=sum(verdict.passed for verdict in verdicts),
            of=len(verdicts),
            is_started=not is_untouched,
        )


_standings: dict[str, Standing] = {}
standings: Mapping[str, Standing] = MappingProxyType(_standings)


def remember(exercise: str, standing: Standing) -> None:
    """Note how an exercise stands."""
    _standings[exercise] = standing
