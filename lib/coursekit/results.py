"""What ``coursekit grade`` found: a row for each submission, and reading a file of rows."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from coursekit.errors import CoursekitError
from coursekit.verdict import Status, Verdict, finite


class Outcome(StrEnum):
    """How a submission as a whole ended, from the mildest to the gravest."""

    GRADED = "graded"
    #: Something is odd, and a person should look.
    NEEDS_REVIEW = "needs_review"
    #: Its process ended, needed too much memory or took too long; points earned before count.
    CRASHED = "crashed"
    MEMORY = "memory"
    TIMEOUT = "timeout"
    #: What was handed in is no notebook that can be run.
    UNREADABLE = "unreadable"
    #: There is no file. Such a row has no points, and is not in means.
    NOT_SUBMITTED = "not_submitted"


@dataclass(frozen=True, kw_only=True)
class Row:
    """The grade of one submission: the grader knows what the checks found, the batch the rest.

    Attributes
    ----------
    key : str
        A digest of the work, and one of all else that the grade depends on: equal keys need no
        second run.
    status : Outcome
        How it ended.
    reason : str
        Why ``status`` is not ``graded``.
    timestamp : datetime, optional
        When it was handed in, where nbgrader or the LMS says it.
    marked_late : bool
        The LMS marked it as late, which may be all that is known of its time.
    withdrawn : bool
        It is no longer among the submissions.
    isolation : str
        How its process was confined; "" where none was needed.
    secret_fingerprint : str
        Tells whether hidden checks used a secret, and whether two rows used the same; "" for none.
    seconds : float
        How long grading took.
    checks : tuple of Verdict
        What the checks found, by exercise.
    """

    key: str = ""
    student: str = ""
    assignment: str = ""
    status: Outcome
    reason: str = ""
    timestamp: datetime | None = None
    marked_late: bool = False
    withdrawn: bool = False
    isolation: str = ""
    secret_fingerprint: str = ""
    seconds: float = 0.0
    checks: tuple[Verdict, ...]

    @property
    def score(self) -> float:
        """Points earned."""
        return round(sum(check.points for check in self.checks), 6)

    @property
    def max_score(self) -> float:
        """Points to earn."""
        return round(sum(check.max_points for check in self.checks), 6)

    @property
    def needs_manual(self) -> bool:
        """Whether a person has to grade some of it."""
        return any(check.status is Status.MANUAL for check in self.checks)

    @property
    def is_missing(self) -> bool:
        """Whether nothing was handed in."""
        return self.status is Outcome.NOT_SUBMITTED

    @property
    def place(self) -> tuple[str, str]:
        """Assignment and student, of which a results file has one row."""
        return self.assignment, self.student

    def is_same_work(self, other: Row) -> bool:
        """Return whether two rows of a student are of the same notebook."""
        return self.key.partition("-")[0] == other.key.partition("-")[0]

    def as_json(self) -> dict[str, Any]:
        """Return the row as a JSON object, with its points."""
        return vars(self) | {
            "status": self.status.value,
            "timestamp": None if self.timestamp is None else self.timestamp.isoformat(),
            "checks": [check.as_json() for check in self.checks],
            "score": self.score,
            "max_score": self.max_score,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Row:
        """Return the row that `as_json` wrote.

        Raises
        ------
        KeyError
            A key is missing; the error names it.
        TypeError, ValueError
            A value is not of its type.
        """
        texts = ("key", "student", "assignment", "reason", "isolation", "secret_fingerprint")
        time = data["timestamp"]
        return cls(
            **{name: _text(data[name]) for name in texts},
            status=Outcome(data["status"]),
            timestamp=None if time is None else datetime.fromisoformat(time).astimezone(UTC),
            marked_late=data["marked_late"] is True,
            withdrawn=data["withdrawn"] is True,
            seconds=finite(data["seconds"]),
            checks=tuple(map(Verdict.from_json, data["checks"])),
        )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    value.encode()  # raises for half a surrogate pair
    return value


def read_results(file: Path) -> list[Row]:
    """Return the rows of a file, by assignment and student.

    Where an assignment was graded again, the last line counts.

    Raises
    ------
    CoursekitError
        The file is missing, empty, or has a line that is not a result; the message names the line.
    """
    try:
        # Half a character at the end is the rest of a row, too.
        text = codecs.getincrementaldecoder("utf-8")().decode(file.read_bytes())
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise CoursekitError(f"cannot read the results in {file}: {reason}") from None
    rows = rows_of(text, file)
    if not rows:
        raise CoursekitError(f"{file} holds no results; `coursekit grade` writes them")
    return [rows[place] for place in sorted(rows)]


def rows_of(text: str, path: Path) -> dict[tuple[str, str], Row]:
    """Return the newest row of each assignment and student in a file's text."""
    rows = {}
    for number, line in enumerate(io.StringIO(text), 1):
        if line.strip():
            row = _row(line, f"{path}, line {number}")
            rows[row.place] = row
    return rows


def _row(line: str, where: str) -> Row:
    try:
        return Row.from_json(json.loads(line))
    except KeyError as error:
        raise CoursekitError(
            f"{where} is not a result of this version of coursekit: it lacks {error}; grade into "
            "another file"
        ) from None
    except (ValueError, TypeError, AttributeError):
        if not line.endswith("\n") and is_half_written(line.encode()):
            raise CoursekitError(
                f"{where} ends in the middle: the run that wrote it was stopped. Run the same "
                "`coursekit grade` again, which mends the line and goes on from there"
            ) from None
        raise CoursekitError(
            f"{where} is not a result; expected a file that `coursekit grade --results` wrote"
        ) from None


def is_half_written(line: bytes) -> bool:
    """Whether a line without an end begins as a row does, and not as a file of another kind."""
    begin = b'{"key": "'
    return line.startswith(begin) or begin.startswith(line)
