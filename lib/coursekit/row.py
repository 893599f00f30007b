"""Define one line of the results file: what ``coursekit grade`` found in one submission."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from coursekit.judge.verdict import Status, Verdict, finite


class RowStatus(StrEnum):
    """How a submission as a whole ended, from the mildest to the gravest."""

    GRADED = "graded"
    #: A person has to look; the reason says why.
    NEEDS_REVIEW = "needs_review"
    #: Its process ended itself.
    CRASHED = "crashed"
    MEMORY = "memory"
    TIMEOUT = "timeout"
    UNREADABLE = "unreadable"
    #: There is no notebook.
    NOT_SUBMITTED = "not_submitted"

    @property
    def gravity(self) -> int:
        """How grave it is: 0 for work that was graded."""
        return list(RowStatus).index(self)


@dataclass(frozen=True, kw_only=True)
class Former:
    """Another result for one exercise of the same work, which does not count.

    Attributes
    ----------
    version : int
        The exercise's version.
    check_hash : str
        What `coursekit.bank.check_hash` made of it.
    checks : tuple of Verdict
        What its checks found.
    is_newer : bool
        The checks are newer than those that count: the higher result was kept.
    """

    version: int
    check_hash: str
    checks: tuple[Verdict, ...]
    is_newer: bool = False

    @property
    def points(self) -> float:
        """The points earned."""
        return round(sum(check.points for check in self.checks), 6)

    @property
    def max_points(self) -> float:
        """The points to earn."""
        return round(sum(check.max_points for check in self.checks), 6)

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {**vars(self), "checks": [check.as_json() for check in self.checks]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Former:
        """Return what `as_json` wrote; raise as `Row.from_json` does."""
        return cls(
            version=int(data["version"]),
            check_hash=str(data["check_hash"]),
            checks=tuple(Verdict.from_json(check) for check in data["checks"]),
            is_newer=bool(data["is_newer"]),
        )


@dataclass(frozen=True, kw_only=True)
class Row:
    """The grade of one submission, in the order in which its line has it.

    The grader knows what the checks found; the batch adds whose work it is and how it was run.

    Attributes
    ----------
    key : str
        A digest of all that the grade depends on: equal keys need no second run.
    status : RowStatus
        How the submission as a whole ended.
    score, max_score : float
        Points earned, and points to earn.
    needs_manual : bool
        A person has to grade some of it.
    isolation : str
        How the submission's process was confined.
    secret_fingerprint : str
        Tells whether hidden checks used a secret, and whether two rows used the same; "" for none.
    limits : mapping of str to float
        What it was allowed to use.
    seconds : float
        How long grading took.
    reason : str
        Why ``status`` is not ``graded``.
    is_idle : bool
        It ran out of time because it waited; no second try would end otherwise.
    timestamp : datetime, optional
        When it was handed in.
    time_source : str
        Where that is from: ``timestamp.txt``, the LMS's ``list``, the ``name`` that it gave to the
        file, or a ``file``'s last change.
    time_doubt : str
        Why a person has to look at the time before anything depends on it; "" for no reason.
    marked_late : bool
        The LMS marked it as late, which may be all that is known of its time.
    withdrawn : bool
        It is no longer among the submissions.
    course : str
        Name and version of the course whose exercises graded it; "" where that is not known.
    versions : mapping of str to int
        The exercises' versions by their ids. Rows from before exercises had versions lack it.
    check_hashes : mapping of str to str
        What `coursekit.bank.check_hash` made of the exercises, by their ids. Old rows lack it.
    work : str
        A digest of what was handed in; "" where that is not known.
    answers : mapping of str to str
        The code of wrong answers, by exercise; see `coursekit.grade.wrong_answers`.
    former : mapping of str to Former
        By exercise: the best other result of the same work, where its points differ.
    attempts : tuple of Row
        The rows of what was handed in before, oldest first, where it earned points or may do so.
    """

    key: str = ""
    student: str = ""
    assignment: str = ""
    status: RowStatus
    score: float
    max_score: float
    needs_manual: bool
    isolation: str = ""
    secret_fingerprint: str = ""
    limits: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    reason: str = ""
    is_idle: bool = False
    timestamp: datetime | None = None
    time_source: str = ""
    time_doubt: str = ""
    marked_late: bool = False
    withdrawn: bool = False
    course: str = ""
    versions: Mapping[str, int] = field(default_factory=dict)
    check_hashes: Mapping[str, str] = field(default_factory=dict)
    work: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)
    former: Mapping[str, Former] = field(default_factory=dict)
    attempts: tuple[Row, ...] = ()
    checks: tuple[Verdict, ...]

    @property
    def is_missing(self) -> bool:
        """Whether nothing was handed in: such a row has no points and is not in means."""
        return self.status is RowStatus.NOT_SUBMITTED

    def version_of(self, exercise: str) -> int:
        """Return the version of an exercise in which this was graded."""
        return self.versions.get(exercise, 1)

    @classmethod
    def of(cls, checks: Iterable[Verdict], status: RowStatus, reason: str = "") -> Row:
        """Return the row of a submission in which the checks found this."""
        checks = tuple(checks)
        return cls(
            status=status,
            score=round(sum(check.points for check in checks), 6),
            max_score=round(sum(check.max_points for check in checks), 6),
            needs_manual=any(check.status is Status.MANUAL for check in checks),
            reason=reason,
            checks=checks,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        data = {name: getattr(self, name) for name in FIELDS}
        return data | {
            "limits": dict(self.limits),
            "versions": dict(self.versions),
            "check_hashes": dict(self.check_hashes),
            "answers": dict(self.answers),
            "former": {name: result.as_json() for name, result in self.former.items()},
            "attempts": [attempt.as_json() for attempt in self.attempts],
            "timestamp": None if self.timestamp is None else self.timestamp.isoformat(),
            "checks": [check.as_json() for check in self.checks],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Row:
        """Return the row that `as_json` wrote; keys that have a default may be missing.

        Raises
        ------
        KeyError
            Another key is missing; the error names it.
        TypeError, ValueError, AttributeError
            A value is not of its type.
        """
        return cls(
            key=str(data.get("key", "")),
            student=str(data["student"]),
            assignment=str(data["assignment"]),
            status=RowStatus(data["status"]),
            score=finite(data["score"]),
            max_score=finite(data["max_score"]),
            needs_manual=bool(data["needs_manual"]),
            isolation=str(data.get("isolation") or ""),
            secret_fingerprint=str(data.get("secret_fingerprint") or ""),
            limits=dict(data.get("limits") or {}),
            seconds=finite(data.get("seconds") or 0.0),
            reason=str(data.get("reason") or ""),
            is_idle=data.get("is_idle") is True,
            timestamp=_time(data.get("timestamp")),
            time_source=str(data.get("time_source") or ""),
            time_doubt=str(data.get("time_doubt") or ""),
            marked_late=bool(data.get("marked_late", False)),
            withdrawn=bool(data.get("withdrawn", False)),
            course=str(data.get("course") or ""),
            versions=_versions(data.get("versions") or {}),
            check_hashes={k: str(v) for k, v in (data.get("check_hashes") or {}).items()},
            work=str(data.get("work") or ""),
            answers={k: str(v) for k, v in (data.get("answers") or {}).items()},
            former={k: Former.from_json(v) for k, v in (data.get("former") or {}).items()},
            attempts=tuple(map(cls.from_json, data.get("attempts") or ())),
            checks=tuple(Verdict.from_json(check) for check in data["checks"]),
        )


#: The keys of a line, in order.
FIELDS = tuple(f.name for f in fields(Row))
#: Those that every line has, whichever version of coursekit wrote it.
ALWAYS = frozenset(FIELDS) - {
    *("is_idle", "time_source", "time_doubt", "marked_late", "course", "versions"),
    *("check_hashes", "work", "answers", "former", "attempts"),
}


def _versions(data: Mapping[str, Any]) -> dict[str, int]:
    versions = {str(exercise): version for exercise, version in data.items()}
    if any(type(version) is not int or version < 1 for version in versions.values()):
        raise ValueError(f"{versions} has a version that is not a whole number from 1")
    return versions


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
