"""A term's totals: a line a student, with the weighted mean of all assignments."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coursekit.command import decimal
from coursekit.escaping import escape_formula
from coursekit.results.mark import Mark
from coursekit.results.policy import Policy


@dataclass(frozen=True)
class _Column:
    """One assignment: points to earn, those of extra credit, and its weight."""

    name: str
    max_score: float
    extra_points: float
    weight: float

    @property
    def is_bonus(self) -> bool:
        """Whether all of it is extra credit."""
        return self.max_score == 0

    @property
    def title(self) -> str:
        if self.is_bonus:
            return f"{self.name} ({decimal(self.extra_points)} extra)"
        return f"{self.name} (of {decimal(self.max_score)})"


def totals_csv(marks: Sequence[Mark], policy: Policy) -> str:
    """Return a line a student: the points of each assignment, and the weighted mean in percent.

    What a student has not handed in counts as zero. An assignment that is extra credit throughout
    adds up to its weight to the points earned and nothing to those expected. Where the policy
    drops the lowest, a column names what was dropped.
    """
    by_student: dict[str, dict[str, Mark]] = {}
    for mark in marks:
        own = by_student.setdefault(mark.student, {})
        if not mark.is_missing:
            own[mark.assignment] = mark
    columns = _columns(marks, policy)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    drops = ["dropped"] if policy.drop_lowest else []
    titles = [escape_formula(column.title) for column in columns]
    table.writerow(["student_id", *titles, "total (%)", *drops])
    for student, own in sorted(by_student.items()):
        cells = [decimal(own[c.name].final_score) if c.name in own else "" for c in columns]
        shares = {name: mark.share for name, mark in own.items()}
        dropped = _lowest(columns, shares, policy.drop_lowest)
        total = decimal(_percent([c for c in columns if c.name not in dropped], shares))
        names = [escape_formula("; ".join(dropped))] if drops else []
        table.writerow([escape_formula(student), *cells, total, *names])
    return out.getvalue()


def _columns(marks: Sequence[Mark], policy: Policy) -> list[_Column]:
    columns = []
    for name in dict.fromkeys(mark.assignment for mark in marks):
        own = [mark for mark in marks if mark.assignment == name]
        most, extra = max(m.max_score for m in own), max(m.extra_points for m in own)
        columns.append(_Column(name, most, extra, policy.of(name).weight))
    return columns


def _lowest(columns: Sequence[_Column], shares: Mapping[str, float], count: int) -> list[str]:
    """Return the assignments that are dropped; one that is expected always stays.

    Of equal shares the one with more weight goes, which is never worse for the student.
    """
    expected = [column for column in columns if column.weight and not column.is_bonus]
    worst = sorted(expected, key=lambda c: (round(shares.get(c.name, 0.0), 9), -c.weight, c.name))
    return [column.name for column in worst[: min(count, len(expected) - 1)]]


def _percent(columns: Sequence[_Column], shares: Mapping[str, float]) -> float:
    earned = sum(column.weight * shares.get(column.name, 0.0) for column in columns)
    expected = sum(column.weight for column in columns if not column.is_bonus)
    most = expected or sum(column.weight for column in columns)
    return 100 * earned / most if most else 0.0
