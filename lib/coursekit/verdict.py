"""What one check found. Page, notebook, grader, gradebook, feedback and statistics all use it.

It needs the standard library alone, so that anything that reads results can import it anywhere.
`Verdict` in ``web/types.ts`` is the same type; a test holds the two equal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """How a check ended. Code compares this, and never the sentence that goes with it."""

    #: The answer is correct.
    PASSED = "passed"
    #: It is wrong or missing, or a person gave fewer than all points.
    FAILED = "failed"
    #: It waits for a person to grade it.
    MANUAL = "manual"
    #: The submission could not be read, or did not run that far.
    NOT_RUN = "not_run"


#: What the error says that a part which is not written yet raises.
PLACEHOLDER = "Replace this line with your code."
#: Said of an answer that is not defined: one key changes a cell's type.
TEXT_CELL = "A text cell does not run: change its type to code."
#: Reported where a check itself raised: a defect of the check, whatever the answer.
CHECK_ERROR = "check-error"
#: Reported of a function that wrote into what it was given.
CHANGES_ARGUMENTS = "changes-arguments"
NOT_STARTED = "not-started"
NOT_DEFINED = "not-defined"
#: Reported of an answer that is missing. They say nothing about a learner's understanding.
NO_ANSWER = frozenset({NOT_STARTED, NOT_DEFINED})
#: Misconceptions that any check may report and that no exercise needs to explain.
BUILT_IN = NO_ANSWER | {"returns-nothing", "raises", CHANGES_ARGUMENTS, CHECK_ERROR}

#: What is said of a hidden check in place of its message, which may show its inputs.
_OF_HIDDEN = {
    NOT_STARTED: "Not started.",
    NOT_DEFINED: "The name that the exercise gives is not defined.",
    "returns-nothing": "Nothing was returned.",
    "raises": "Your code raised an error for other inputs.",
    CHANGES_ARGUMENTS: "Your function changes the arrays that it is given.",
    CHECK_ERROR: "This check could not be completed on your answer. Please tell your teacher.",
}


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What one check found, in the form in which results are stored.

    Attributes
    ----------
    exercise, check : str
        Id of the exercise; name of the check or question.
    message : str
        Plain text. Passed: why the answer is correct, where the exercise says so. Failed: what was
        seen and what was expected.
    misconception : str, optional
        Id of the misconception that the answer shows.
    explanation : str
        What that misconception is; empty where the exercise does not explain it.
    """

    exercise: str
    check: str
    status: Status
    points: float
    max_points: float
    hidden: bool = False
    message: str = ""
    misconception: str | None = None
    explanation: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answer is correct."""
        return self.status is Status.PASSED

    @property
    def is_wrong(self) -> bool:
        """Whether there is an answer, and the check refused it."""
        return self.status is Status.FAILED and self.misconception not in NO_ANSWER

    @property
    def explained(self) -> bool:
        """Whether the misconception has an explanation."""
        return bool(self.explanation)

    @property
    def text(self) -> str:
        """The message, then the explanation."""
        return f"{self.message} {self.explanation}".strip()

    def lines(self) -> list[str]:
        """Return what a learner reads: the message, then the explanation, where there are any.

        Of a hidden check it is nothing that could show its inputs.
        """
        if not self.hidden or self.status is Status.NOT_RUN:
            return [text for text in (self.message, self.explanation) if text]
        if self.passed:
            return []
        told = _OF_HIDDEN.get(self.misconception or "", self.explanation)
        return [told or "Your answer does not hold for other inputs."]

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as a JSON object."""
        return asdict(self) | {
            "status": self.status.value,
            "points": float(self.points),
            "max_points": float(self.max_points),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Verdict:
        """Return the verdict that `as_json` wrote.

        Raises
        ------
        KeyError, TypeError, ValueError
            A key is missing, or its value is not of its type.
        """
        misconception = data["misconception"]
        return cls(
            exercise=str(data["exercise"]),
            check=str(data["check"]),
            status=Status(data["status"]),
            points=finite(data["points"]),
            max_points=finite(data["max_points"]),
            hidden=bool(data["hidden"]),
            message=str(data["message"]),
            misconception=None if misconception is None else str(misconception),
            explanation=str(data["explanation"]),
        )


def finite(value: Any) -> float:
    """Return a number of points, or raise `ValueError`."""
    points = float(value)
    if not math.isfinite(points):
        raise ValueError(f"{value!r} is not a finite number")
    return points
