"""Marks in forms of their own: nbgrader's table, a term's totals, Gradescope's results."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from coursekit.escaping import escape_formula
from coursekit.results.marks import lateness
from coursekit.results.policy import Policy
from coursekit.results.read import CheckRow, Result

_NBGRADER = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
)


def nbgrader_csv(results: Sequence[Result]) -> str:
    """Return the table that ``nbgrader export`` writes, without the names its gradebook knows."""
    out = io.StringIO()
    table = csv.DictWriter(out, _NBGRADER, restval="", lineterminator="\n")
    table.writeheader()
    for result in results:
        table.writerow(
            {
                "assignment": escape_formula(result.assignment),
                "duedate": _time(result.duedate),
                "timestamp": _time(result.timestamp),
                "student_id": escape_formula(result.student),
                "raw_score": result.raw_score,
                "late_submission_penalty": result.late_submission_penalty,
                "score": result.score,
                "max_score": result.max_score,
            }
        )
    return out.getvalue()


def _time(time: datetime | None) -> str:
    """Return a time as nbgrader writes it: in UTC, without saying so."""
    return "" if time is None else str(time.astimezone(UTC).replace(tzinfo=None))


def totals_csv(results: Sequence[Result], policy: Policy) -> str:
    """Return a line a student: the points of each assignment, and the weighted mean in percent.

    What a student has not handed in counts as zero, and an assignment without points to earn (all
    of it is extra credit) does not count.
    """
    most: dict[str, float] = {}
    for result in results:
        most[result.assignment] = max(result.max_score, most.get(result.assignment, 0.0))
    weights = {name: policy.of(name).weight if most[name] else 0.0 for name in most}
    by_student: dict[str, dict[str, Result]] = {}
    for result in results:
        by_student.setdefault(result.student, {})[result.assignment] = result
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    head = [escape_formula(f"{name} (of {most[name]:g})") for name in most]
    table.writerow(["student_id", *head, "total (%)"])
    for student, own in sorted(by_student.items()):
        cells = [f"{own[name].score:g}" if name in own else "" for name in most]
        earned = sum(weights[name] * _share(result) for name, result in own.items())
        total = 100 * earned / (sum(weights.values()) or 1.0)
        table.writerow([escape_formula(student), *cells, f"{round(total, 4):g}"])
    return out.getvalue()


def _share(result: Result) -> float:
    return result.score / result.max_score if result.max_score else 0.0


def gradescope(result: Result) -> dict[str, Any]:
    """Return a result as Gradescope's autograder format; hidden checks are never shown."""
    tests = [
        {
            "name": f"{check.exercise}: {check.check}",
            "score": check.points,
            "max_score": 0.0 if check.extra_credit else check.max_points,
            "output": _output(result, check),
            "output_format": "text",
            "visibility": "hidden" if check.hidden else "visible",
        }
        for check in result.checks
    ]
    comments = [f"{place[0]}: {text}" for place, text in result.comments.items() if not place[1]]
    output = "\n".join(filter(None, [result.reason, lateness(result), *comments]))
    return {"score": result.score, "output": output, "output_format": "text", "tests": tests}


def _output(result: Result, check: CheckRow) -> str:
    comment = result.comments.get((check.exercise, check.check), "")
    return "\n".join(filter(None, ["" if check.passed else check.text, comment]))
