"""A grade: what one submission counts for, with a person's points and the course's rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime

from coursekit.command import counted, decimal
from coursekit.judge.verdict import Status, Verdict
from coursekit.row import Row


@dataclass(frozen=True, kw_only=True)
class Grade(Row):
    """A row of the results file, and what a person and the course's rules make of it.

    Attributes
    ----------
    score, max_score : float
        Points earned, a person's and extra credit included; points to earn, without extra credit.
    extra_points : float
        Points of extra credit to earn.
    comments : mapping of (str, str) to str
        What a person wrote: by exercise, and by question or "" for the whole exercise.
    extra_credit : frozenset of str
        Exercises, or checks as EXERCISE/CHECK, whose points are not in the maximum.
    duedate : datetime, optional
        When it was due from this student.
    days_late : int
        Days begun since it was due; 0 within the grace period.
    late_submission_penalty : float
        Points taken off for that.
    outdated : tuple of str
        Checks with a manual score that a person gave to an earlier version of the work.
    is_earlier : bool
        It is the grade of an attempt before the last.
    """

    comments: Mapping[tuple[str, str], str] = field(default_factory=dict)
    extra_points: float = 0.0
    extra_credit: frozenset[str] = frozenset()
    duedate: datetime | None = None
    days_late: int = 0
    late_submission_penalty: float = 0.0
    outdated: tuple[str, ...] = ()
    is_earlier: bool = False

    @classmethod
    def from_row(cls, row: Row) -> Grade:
        """Return the grade of a row to which nothing is added."""
        return cls(**{f.name: getattr(row, f.name) for f in fields(Row)})

    def of_attempt(self, row: Row) -> Grade:
        """Return the grade of an earlier attempt: with its own time, points and checks.

        A penalty from nbgrader is that of the last attempt. It stays unless this one was in time.
        """
        own = {f.name: getattr(row, f.name) for f in fields(Row)}
        in_time = self.duedate and row.timestamp and row.timestamp <= self.duedate
        penalty = 0.0 if in_time else self.late_submission_penalty
        return replace(self, **own, late_submission_penalty=penalty, outdated=(), is_earlier=True)

    @property
    def final_score(self) -> float:
        """The points that count: those earned, less the penalty."""
        return max(round(self.score - self.late_submission_penalty, 6), 0.0)

    @property
    def share(self) -> float:
        """The points that count over those to earn, which may be extra credit alone."""
        most = self.max_score or self.extra_points
        return self.final_score / most if most else 0.0

    @property
    def points_text(self) -> str:
        """The points that count, and what they are of."""
        if self.max_score or not self.extra_points:
            return f"{decimal(self.final_score)} of {counted(self.max_score, 'point')}"
        return f"{decimal(self.final_score)} of {counted(self.extra_points, 'extra point')}"

    @property
    def is_ungraded(self) -> bool:
        """Whether a person has yet to grade some of it for the first time."""
        waiting = any(check.status is Status.MANUAL for check in self.checks)
        return waiting or (self.needs_manual and not self.outdated)

    @property
    def is_late_without_time(self) -> bool:
        """Whether all that is known of its time is that the LMS marked it as late."""
        return self.marked_late and self.timestamp is None

    @property
    def is_graded_unlike(self) -> bool:
        """Whether some attempt was graded by other checks than another one."""
        return any(row.check_hashes != self.check_hashes for row in self.attempts)

    def is_extra(self, verdict: Verdict) -> bool:
        """Return whether a check's points are extra credit."""
        names = {verdict.exercise, f"{verdict.exercise}/{verdict.check}"}
        return not names.isdisjoint(self.extra_credit)

    @property
    def time_note(self) -> str:
        """What a student has to know of a time that is not known or not believed."""
        if self.time_doubt:
            return (
                f"It is not certain when this was handed in: {self.time_doubt}. A person will look "
                "at it; nothing was taken off for late work."
            )
        if self.is_late_without_time:
            return "Your LMS marked this as late. What that costs is not in these points."
        return ""

    @property
    def lateness(self) -> str:
        """What a late submission lost, and of what; "" where it lost nothing."""
        lost = round(self.score - self.final_score, 6)
        if not (self.days_late or lost):
            return ""
        late = f"{counted(self.days_late, 'day')} late" if self.days_late else "late"
        percent = f" (−{decimal(100 * lost / self.score, 2)} %)" if lost else ""
        return (
            f"{counted(self.score, 'point')} earned; {late}: −{decimal(lost)}{percent}; "
            f"{decimal(self.final_score)} count."
        )
