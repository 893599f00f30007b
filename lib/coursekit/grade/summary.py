"""Summarise a run in the lines that ``coursekit grade`` prints at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coursekit.command import counted, decimal, names
from coursekit.grade.regrade import Change
from coursekit.row import Row, RowStatus
from coursekit.sandbox.restrictions import LEVELS

#: How many rows a list names, and how much it says of each: a learner may have caused it.
_MOST_NAMES = 20
_LONGEST = 300


@dataclass
class Summary:
    """What a run did, and what the results file then holds of the chapter.

    Attributes
    ----------
    chapter : str
        The assignment's name.
    selected, kept, missing : int
        Submissions that the run was asked for; of these, those whose row was up to date, and those
        that have no row.
    graded : collection of str
        The students whose work was graded in this run.
    retimed : int
        Of the submissions kept, those whose row has another time of submission now.
    withdrawn : list of str
        Students with a row whose work is no longer there.
    times : list of str
        Lines about the times of submission.
    changed, resubmitted : list of Change
        Whose points changed in this run: for the same work, and because other work was handed in.
    rows, manual : int
        Rows in the file, without those of withdrawn work; of these, those with prose to grade.
    statuses, weak : Counter
        Rows by status, and rows by each isolation level below the sandbox.
    has_points : bool
        Whether any row has points, or prose that may earn some.
    to_look_at : list of (str, str, str)
        Student, status and reason of the first rows that are not graded.
    """

    chapter: str
    selected: int = 0
    kept: int = 0
    missing: int = 0
    graded: Collection[str] = ()
    retimed: int = 0
    withdrawn: list[str] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    resubmitted: list[Change] = field(default_factory=list)
    rows: int = 0
    manual: int = 0
    statuses: Counter[RowStatus] = field(default_factory=Counter)
    weak: Counter[str] = field(default_factory=Counter)
    has_points: bool = False
    to_look_at: list[tuple[str, RowStatus, str]] = field(default_factory=list)

    def count(self, rows: Iterable[Row]) -> None:
        """Count the chapter's rows in the results file."""
        for row in rows:
            self.rows += 1
            self.manual += row.needs_manual
            self.has_points |= row.score > 0 or row.needs_manual
            self.statuses[row.status] += 1
            level = row.isolation.partition("+")[0]
            if level not in ("", LEVELS[0]):
                self.weak[level] += 1
            if row.status is not RowStatus.GRADED and len(self.to_look_at) <= _MOST_NAMES:
                self.to_look_at.append((row.student, row.status, row.reason))

    def as_text(self, results: Path) -> str:
        """Return the lines for the instructor."""
        statuses = ", ".join(f"{n} {status}" for status, n in sorted(self.statuses.items()))
        lines = [
            self._run(),
            *_changes("changed", self.changed),
            *_changes("handed in again", self.resubmitted),
            f"{results}: {counted(self.rows, 'row')} of {self.chapter} ({statuses or 'none'})",
        ]
        if self.rows and not self.has_points:
            lines.append(
                f"warning: no submission has earned a point; check that these are submissions to "
                f"{self.chapter}, and that --layout is right"
            )
        lines += [
            f"graded without a sandbox: {n} at level {level}"
            for level, n in sorted(self.weak.items())
        ]
        if self.withdrawn:
            lines.append(
                f"no longer handed in, kept in the file and left out of exports: "
                f"{names(self.withdrawn)}"
            )
        shown = self.to_look_at[:_MOST_NAMES]
        lines += [f"  {student}: {status} ({_short(reason)})" for student, status, reason in shown]
        if len(self.to_look_at) > _MOST_NAMES:
            lines.append("  and more, in the results file")
        if self.manual:
            lines.append(f"{counted(self.manual, 'submission')} with prose to be graded")
        return "\n".join([*lines, *self.times])

    def _run(self) -> str:
        parts = [f"{len(self.graded)} graded now"]
        if self.kept:
            again = f" ({self.retimed} with another time of submission)" if self.retimed else ""
            parts.append(f"{self.kept} kept from an earlier run{again}")
        if self.missing:
            parts.append(f"{self.missing} without a row: run the same command again")
        return f"{counted(self.selected, 'submission')}: {', '.join(parts)}"


def _changes(what: str, changes: Sequence[Change]) -> list[str]:
    """Return the line that says whose points changed, those who lost most first."""
    if not changes:
        return []
    ordered = sorted(changes, key=lambda c: (c.after[0] - c.before[0], c.student))
    shown = names([_change(change) for change in ordered])
    return [f"{what}: {shown}; lower: {sum(change.is_lower for change in changes)}"]


def _change(change: Change) -> str:
    before, after = (decimal(points) for points in (change.before[0], change.after[0]))
    if change.before[1] != change.after[1]:
        before += f" of {decimal(change.before[1])}"
        after += f" of {decimal(change.after[1])}"
    return f"{change.student} {before} → {after}"


def _short(reason: str) -> str:
    return reason if len(reason) <= _LONGEST else f"{reason[:_LONGEST]}…"
