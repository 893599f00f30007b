"""The marks that count: what was earned, less what the course's rules take off for late work."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent
from typing import TypeVar

from coursekit.command import counted, decimal, names, tell
from coursekit.errors import CoursekitError, UnknownError
from coursekit.lms import identifier
from coursekit.policy import FORMAT, Policy, read_policy
from coursekit.results import Row, read_results

#: The columns of nbgrader's table that are read, as ``nbgrader export`` writes them.
_TABLE = (
    *("assignment", "duedate", "timestamp", "student_id", "raw_score"),
    *("late_submission_penalty", "max_score"),
)


_Graded = TypeVar("_Graded", "Row", "Mark")


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What one submission counts for.

    Attributes
    ----------
    score, max_score : float
        Points earned, and points to earn.
    is_missing : bool
        Nothing was handed in, as far as that is known.
    waits : bool
        A person has yet to grade some of it.
    marked_late : bool
        The LMS marked it as late.
    duedate : datetime, optional
        When it was due from this student.
    days_late : int
        Days begun since it was due; 0 within the grace period.
    penalty : float
        Points taken off for that.
    """

    student: str
    assignment: str
    score: float
    max_score: float
    timestamp: datetime | None
    is_missing: bool
    waits: bool = False
    marked_late: bool = False
    duedate: datetime | None = None
    days_late: int = 0
    penalty: float = 0.0

    @classmethod
    def of(cls, row: Row) -> Mark:
        """Return the mark of a row, from which nothing is taken off yet."""
        both = ("student", "assignment", "score", "max_score", "timestamp", "is_missing")
        same = {name: getattr(row, name) for name in (*both, "marked_late")}
        return cls(**same, waits=row.needs_manual)

    @property
    def final_score(self) -> float:
        """The points that count: those earned, less the penalty."""
        return max(round(self.score - self.penalty, 6), 0.0)

    @property
    def share(self) -> float:
        """The points that count over those to earn."""
        return self.final_score / self.max_score if self.max_score else 0.0

    @property
    def lateness(self) -> str:
        """What a late submission lost, and of what; "" where it lost nothing."""
        if self.marked_late and self.timestamp is None:
            return "Your LMS marked this as late. What that costs is not in these points."
        if not self.days_late:
            return ""
        lost = round(self.score - self.final_score, 6)
        percent = f" (−{decimal(100 * lost / self.score, 2)} %)" if lost else ""
        return (
            f"{counted(self.score, 'point')} earned; {counted(self.days_late, 'day')} late: "
            f"−{decimal(lost)}{percent}; {decimal(self.final_score)} count."
        )


def add_marks_options(parser: argparse.ArgumentParser, also: str = "") -> None:
    """Add what every command that gives marks out takes."""
    add_results_options(parser, also)
    parser.add_argument(
        "--policy",
        metavar="FILE.toml",
        type=Path,
        help="the course's rules: due dates, extensions, late work; the format is shown below",
    )
    parser.epilog = f"{parser.epilog or ''}{dedent(FORMAT).rstrip()}"


def add_results_options(parser: argparse.ArgumentParser, also: str = "") -> None:
    """Add the results file, and ``--assignment``, read by `of_assignments`."""
    results = f"results file that `coursekit grade` wrote{also}"
    parser.add_argument("results", metavar="FILE", type=Path, help=results)
    parser.add_argument(
        "--assignment",
        metavar="CHAPTER",
        action="append",
        help="this one alone, where FILE has several; repeat it for more",
    )


def of_assignments(graded: Sequence[_Graded], names: Sequence[str] | None) -> list[_Graded]:
    """Return the rows or marks of some assignments; of all for None.

    Raises
    ------
    UnknownError
        There are none of an assignment.
    """
    known = sorted({one.assignment for one in graded})
    for name in names or ():
        if name not in known:
            raise UnknownError("results for", name, known)
    return [one for one in graded if not names or one.assignment in names]


def present(rows: Sequence[Row], file: Path) -> list[Row]:
    """Return the rows of work that is still handed in; the others are named on stderr."""
    if gone := [row.student for row in rows if row.withdrawn]:
        tell(f"{len(gone)} no longer handed in, left out: {names(gone)}")
    rows = [row for row in rows if not row.withdrawn]
    if not rows:
        raise CoursekitError(f"{file}: all work in it has been withdrawn")
    return rows


def read_marks(file: Path) -> list[Mark]:
    """Return the marks in a results file, or in the table that ``nbgrader export`` writes.

    Raises
    ------
    CoursekitError
        It is neither, or holds nothing.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as text:
            if not text.read(11).startswith("assignment,"):
                return [Mark.of(row) for row in present(read_results(file), file)]
            text.seek(0)
            return _of_table(csv.DictReader(text), file)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise CoursekitError(f"cannot read {file}: {reason}") from None


def _of_table(table: csv.DictReader[str], file: Path) -> list[Mark]:
    if missing := [name for name in _TABLE if name not in (table.fieldnames or ())]:
        raise CoursekitError(
            f"{file} lacks the column {missing[0]}; expected the table of `nbgrader export`"
        )
    marks = []
    for line in table:
        try:
            score, penalty, most = (
                float(line[n] or 0) for n in ("raw_score", "late_submission_penalty", "max_score")
            )
            handed_in, due = (_utc(line[n]) for n in ("timestamp", "duedate"))
        except ValueError as error:
            raise CoursekitError(f"{file}, line {table.line_num}: {error}") from None
        # nbgrader lists everybody, and does not say who has handed in nothing.
        is_missing = handed_in is None and not score
        mark = Mark(
            student=line["student_id"],
            assignment=line["assignment"],
            score=score,
            max_score=most,
            timestamp=handed_in,
            is_missing=is_missing,
            duedate=due,
            penalty=penalty,
        )
        marks.append(mark)
    if not marks:
        raise CoursekitError(f"{file} holds no marks")
    return marks


def _utc(text: str) -> datetime | None:
    """Return a time that nbgrader wrote: in UTC, without a time zone."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None


def with_policy(marks: Sequence[Mark], file: Path | None, source: Path) -> list[Mark]:
    """Return the marks less what late work loses by the rules in a file.

    What in the rules matches nothing, whose time is not known and who still waits for a person is
    named on stderr.
    """
    policy = read_policy(file) if file else Policy()
    marked = [_late(mark, policy) for mark in marks]
    lines = [f"{file}: {line}; expected names as in {source}" for line in _lost(policy, marks)]
    for line in [*lines, *_waiting(marked, policy)]:
        tell(line)
    return marked


def _late(mark: Mark, policy: Policy) -> Mark:
    due = policy.duedate(mark.assignment, mark.student, mark.duedate)
    mark = replace(mark, duedate=due)
    if due is None or mark.is_missing or mark.timestamp is None or not policy.percent_per_day:
        return mark  # a penalty of nbgrader's own stays
    days = policy.days_late(mark.timestamp, due)
    return replace(mark, days_late=days, penalty=policy.penalty(mark.score, days))


def _lost(policy: Policy, marks: Sequence[Mark]) -> Iterator[str]:
    """Yield what in the rules has no mark, one line for all due dates and one for extensions."""
    known = {mark.assignment for mark in marks}
    if missing := [name for name in policy.duedates if name not in known]:
        yield f"no results for the assignments {names(missing)}"
    pairs = {(mark.assignment, identifier(mark.student)) for mark in marks}
    if lost := [pair for pair in policy.extensions if pair not in pairs]:
        yield f"no results for the extensions of {names(f'{who} ({what})' for what, who in lost)}"


def _waiting(marks: Sequence[Mark], policy: Policy) -> Iterator[str]:
    """Yield what a person still has to do or to know."""
    handed_in = [mark for mark in marks if not mark.is_missing]
    due = {mark.assignment for mark in marks if mark.duedate is not None}
    undated = dict.fromkeys(m.assignment for m in handed_in if m.assignment not in due)
    if policy.percent_per_day and undated:
        yield (
            f"nothing is taken off for late work in {names(undated)}: neither the policy nor "
            "nbgrader has a due date for it"
        )
    timeless = [mark for mark in handed_in if mark.timestamp is None]
    if late := [mark.student for mark in timeless if mark.marked_late]:
        yield (
            f"{counted(len(late), 'submission')} marked late by the LMS, without a time: "
            f"{names(late)}; nothing was taken off, so enter there what they lose"
        )
    if others := [m.student for m in timeless if m.duedate and not m.marked_late]:
        yield (
            f"{counted(len(others), 'submission')} without a time, counted as on time: "
            f"{names(others)}"
        )
    if missing := [mark.student for mark in marks if mark.is_missing]:
        yield f"{len(missing)} without a notebook, not graded: {names(missing)}"
    if prose := [mark.student for mark in marks if mark.waits]:
        yield f"{counted(len(prose), 'submission')} with prose to be graded: {names(prose)}"
