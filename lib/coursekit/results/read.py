"""Read the file of results that ``coursekit grade`` writes: one JSON object a line."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from coursekit.errors import CoursekitError
from coursekit.private_files import make_private
from coursekit.verdict import Status


@dataclass(frozen=True)
class CheckRow:
    """The verdict of one check for one student; extra credit is not in an assignment's maximum."""

    exercise: str
    check: str
    status: Status
    points: float
    max_points: float
    hidden: bool
    message: str
    misconception: str | None
    explanation: str
    extra_credit: bool = False

    @property
    def passed(self) -> bool:
        """Whether the answer is correct."""
        return self.status is Status.PASSED

    @property
    def text(self) -> str:
        """What a learner is told: the message, and the explanation where there is one."""
        return f"{self.message} {self.explanation}".strip()


@dataclass(frozen=True)
class Result:
    """One student's result for one assignment.

    Attributes
    ----------
    raw_score, max_score : float
        Points earned, and those there are to earn; a person's and extra credit included.
    reason : str
        Why ``status`` is not ``graded``.
    timestamp, duedate : datetime, optional
        When it was handed in, and when it was due from this student.
    withdrawn : bool
        It is no longer among the submissions.
    comments : mapping of (str, str) to str
        What a person wrote: by exercise, and by question or "" for the whole exercise.
    days_late : int
        Days begun since it was due; 0 within the time of grace.
    late_submission_penalty : float
        Points taken off for that.
    """

    student: str
    assignment: str
    status: str
    raw_score: float
    max_score: float
    needs_manual: bool
    reason: str
    checks: tuple[CheckRow, ...]
    timestamp: datetime | None = None
    withdrawn: bool = False
    comments: Mapping[tuple[str, str], str] = field(default_factory=dict)
    duedate: datetime | None = None
    days_late: int = 0
    late_submission_penalty: float = 0.0

    @property
    def score(self) -> float:
        """The points that count: those earned, without the penalty."""
        return max(self.raw_score - self.late_submission_penalty, 0.0)


def read_results(file: Path) -> list[Result]:
    """Return the results of a file, by assignment and student.

    Where an assignment was graded again, the last line counts.

    Raises
    ------
    CoursekitError
        The file is missing, empty, or has a line that is no result; the message gives its number.
    """
    if file.is_file():
        make_private(file, keep=0o055)  # who may read it is its owner's to say
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise CoursekitError(f"cannot read the results in {file}: {reason}") from None
    found: dict[tuple[str, str], Result] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            result = _result(line, f"{file}, line {number}")
            found[result.assignment, result.student] = result
    if not found:
        raise CoursekitError(f"{file} holds no results; `coursekit grade` writes them")
    return [found[key] for key in sorted(found)]


def _result(line: str, where: str) -> Result:
    try:
        row = json.loads(line)
        return Result(
            student=str(row["student"]),
            assignment=str(row["assignment"]),
            status=str(row["status"]),
            raw_score=_points(row["score"]),
            max_score=_points(row["max_score"]),
            needs_manual=bool(row["needs_manual"]),
            reason=str(row.get("reason") or ""),
            checks=tuple(_check(check) for check in row["checks"]),
            timestamp=_time(row.get("timestamp")),
            withdrawn=bool(row.get("withdrawn", False)),
        )
    except KeyError as error:
        raise CoursekitError(f"{where} is no result: it lacks {error}") from None
    except (ValueError, TypeError, AttributeError):
        raise CoursekitError(
            f"{where} is no result; expected a line that `coursekit grade` wrote"
        ) from None


def _check(row: Mapping[str, Any]) -> CheckRow:
    return CheckRow(
        exercise=str(row["exercise"]),
        check=str(row["check"]),
        status=Status(row["status"]),
        points=_points(row["points"]),
        max_points=_points(row["max_points"]),
        hidden=bool(row["hidden"]),
        message=str(row["message"]),
        misconception=None if row["misconception"] is None else str(row["misconception"]),
        explanation=str(row["explanation"]),
    )


def _points(value: Any) -> float:
    points = float(value)
    if not math.isfinite(points):
        raise ValueError(value)
    return points


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
