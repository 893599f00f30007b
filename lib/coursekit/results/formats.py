"""Marks in forms of their own: nbgrader's table, Gradescope's results."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from coursekit.escaping import escape_formula
from coursekit.results.mark import Mark
from coursekit.verdict import Verdict

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


def gradescope(mark: Mark) -> dict[str, Any]:
    """Return a mark in Gradescope's autograder format; hidden checks are never shown."""
    tests = [
        {
            "name": f"{check.exercise}: {check.check}",
            "score": round(check.points, 6),
            "max_score": 0.0 if mark.is_extra(check) else round(check.max_points, 6),
            "output": _output(mark, check),
            "output_format": "text",
            "visibility": "hidden" if check.hidden else "visible",
        }
        for check in mark.checks
    ]
    comments = [f"{place[0]}: {text}" for place, text in mark.comments.items() if not place[1]]
    output = "\n".join(filter(None, [mark.reason, mark.lateness, mark.time_note, *comments]))
    return {"score": mark.final_score, "output": output, "output_format": "text", "tests": tests}


def _output(mark: Mark, check: Verdict) -> str:
    comment = mark.comments.get((check.exercise, check.check), "")
    return "\n".join(filter(None, [check.text, comment]))
