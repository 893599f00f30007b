"""Marks in forms of their own: nbgrader's table, a term's totals, Gradescope's results."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from coursekit.escaping import escape_formula
from coursekit.results.mark import Mark
from coursekit.results.policy import Policy
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
                "raw_score": mark.score,
                "late_submission_penalty": mark.late_submission_penalty,
                "score": mark.final_score,
                "max_score": mark.max_score,
            }
        )
    return out.getvalue()


def _time(time: datetime | None) -> str:
    """Return a time as nbgrader writes it: in UTC, without a time zone."""
    return "" if time is None else str(time.astimezone(UTC).replace(tzinfo=None))


def totals_csv(marks: Sequence[Mark], policy: Policy) -> str:
    """Return a line a student: the points of each assignment, and the weighted mean in percent.

    What a student has not handed in counts as zero, and an assignment without points to earn (all
    of it is extra credit) does not count.
    """
    max_scores: dict[str, float] = {}
    by_student: dict[str, dict[str, Mark]] = {}
    for mark in marks:
        max_scores[mark.assignment] = max(mark.max_score, max_scores.get(mark.assignment, 0.0))
        own = by_student.setdefault(mark.student, {})
        if not mark.is_missing:
            own[mark.assignment] = mark
    weights = {name: policy.of(name).weight if max_scores[name] else 0.0 for name in max_scores}
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    header = [escape_formula(f"{name} (of {points:g})") for name, points in max_scores.items()]
    table.writerow(["student_id", *header, "total (%)"])
    for student, own in sorted(by_student.items()):
        cells = [f"{own[name].final_score:g}" if name in own else "" for name in max_scores]
        earned = sum(weights[name] * _share(mark) for name, mark in own.items())
        total = 100 * earned / (sum(weights.values()) or 1.0)
        table.writerow([escape_formula(student), *cells, f"{round(total, 4):g}"])
    return out.getvalue()


def _share(mark: Mark) -> float:
    return mark.final_score / mark.max_score if mark.max_score else 0.0


def gradescope(mark: Mark) -> dict[str, Any]:
    """Return a mark in Gradescope's autograder format; hidden checks are never shown."""
    tests = [
        {
            "name": f"{check.exercise}: {check.check}",
            "score": check.points,
            "max_score": 0.0 if mark.is_extra(check) else check.max_points,
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
