"""Marks in the form of nbgrader's table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime

from coursekit.escaping import escape_formula
from coursekit.results.mark import Mark

_NBGRADER = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
)


def nbgrader_csv(marks: Sequence[Mark]) -> str:
    """Return the table that ``nbgrader export`` writes, without the names its gradebook knows."""
    out = io.StringIO()
    table = csv.DictWriter(out, _NBGRADER, restval="", lineterminator="\n")
    table.writeheader()
    for mark in marks:
        table.writerow(
            {
                "assignment": escape_formula(mark.assignment),
                "duedate": _time(mark.duedate),
                "timestamp": _time(mark.timestamp),
                "student_id": escape_formula(mark.student),
                "raw_score": round(mark.score, 6),
                "late_submission_penalty": round(mark.late_submission_penalty, 6),
                "score": mark.final_score,
                "max_score": round(mark.max_score, 6),
            }
        )
    return out.getvalue()


def _time(time: datetime | None) -> str:
    """Return a time as nbgrader writes it: in UTC, without a time zone."""
    return "" if time is None else str(time.astimezone(UTC).replace(tzinfo=None))
