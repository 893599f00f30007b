"""What a person gave: points and comments from nbgrader's gradebook, where formgrader keeps them.

A gradebook that is named has the last word: the points are then those that nbgrader would export.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from coursekit.command import counted
from coursekit.errors import CoursekitError
from coursekit.escaping import escape_markup
from coursekit.notebook.exercise_cells import cell_id
from coursekit.results.read import CheckRow, Result
from coursekit.verdict import Status

_SQLITE = "sqlite:///"
_FORGET_AFTER = 100


def with_gradebook(results: Sequence[Result], url: str) -> list[Result]:
    """Return the results with the gradebook's points, comments, dates and penalties.

    Raises
    ------
    CoursekitError
        There is no such gradebook, or it lacks one of the results.
    """
    from coursekit.grade.gradebook import open_gradebook

    file = url.removeprefix(_SQLITE)
    if file != url and not Path(file).is_file():  # it would be made, and be empty
        raise CoursekitError(f"{url}: no such gradebook; `coursekit grade --gradebook` makes it")
    with open_gradebook(url) as gradebook:
        scored = list(_all(gradebook, results))
    if stale := sum(is_stale for _, is_stale in scored):
        print(
            f"{counted(stale, 'result')} newer than the gradebook, whose points count; "
            "`coursekit grade --gradebook` brings it up to date",
            file=sys.stderr,
        )
    return [result for result, _ in scored]


def _all(gradebook: Any, results: Sequence[Result]) -> Iterator[tuple[Result, bool]]:
    own = {name: _cells_of_its_own(gradebook, results, name) for name in _assignments(results)}
    for number, result in enumerate(results, 1):
        yield _scored(gradebook, result, own[result.assignment])
        if number % _FORGET_AFTER == 0:
            gradebook.db.expunge_all()  # a large class does not fit into a session


def _assignments(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(result.assignment for result in results))


def _cells_of_its_own(
    gradebook: Any, results: Sequence[Result], assignment: str
) -> Mapping[str, float]:
    """Return cells in which a person gave points and that no result knows: id, and points."""
    from nbgrader.api import MissingEntry

    known = {
        id
        for result in results
        if result.assignment == assignment
        for check in result.checks
        for id in _ids(check)
    }
    try:
        notebooks = gradebook.find_assignment(assignment).notebooks
    except MissingEntry:
        return {}
    return {
        cell.name: cell.max_score
        for notebook in notebooks
        for cell in (*notebook.grade_cells, *notebook.task_cells)
        if cell.name not in known and any(_is_by_hand(grade) for grade in cell.grades)
    }


def _ids(check: CheckRow) -> tuple[str, str]:
    return (
        cell_id(check.exercise, "check", check.check),
        cell_id(check.exercise, "text", check.check),
    )


def _is_by_hand(grade: Any) -> bool:
    return grade.manual_score is not None or bool(grade.extra_credit)


@dataclass(frozen=True)
class _Graded:
    check: CheckRow
    is_stale: bool = False


def _scored(gradebook: Any, result: Result, own: Mapping[str, float]) -> tuple[Result, bool]:
    """Return one result with what the gradebook says, and whether it is newer than that."""
    from nbgrader.api import MissingEntry

    try:
        found = gradebook.find_submission(result.assignment, escape_markup(result.student))
    except MissingEntry:
        raise CoursekitError(
            f"the gradebook has no grades of {result.student} for {result.assignment}; "
            "run `coursekit grade --gradebook` first"
        ) from None
    grades = {grade.cell.name: grade for book in found.notebooks for grade in book.grades}
    told = {c.cell.name: c.manual_comment for book in found.notebooks for c in book.comments}
    graded = [_check(check, grades) for check in result.checks]
    checks = [one.check for one in graded]
    checks += [_of_its_own(name, most, grades.get(name)) for name, most in own.items()]
    scored = replace(
        result,
        raw_score=round(sum(check.points for check in checks), 6),
        max_score=result.max_score + sum(own.values()),
        needs_manual=any(grade.needs_manual_grade for grade in grades.values()),
        checks=tuple(checks),
        comments=dict(_comments(result.checks, told)),
        timestamp=_utc(found.timestamp) or result.timestamp,
        duedate=_utc(found.duedate) if found.assignment.duedate else None,
        late_submission_penalty=float(found.late_submission_penalty or 0.0),
    )
    return scored, any(one.is_stale for one in graded)


def _check(check: CheckRow, grades: Mapping[str, Any]) -> _Graded:
    grade = next((grades[id] for id in _ids(check) if id in grades), None)
    if grade is None:
        return _Graded(check, is_stale=True)
    is_stale = grade.auto_score is not None and grade.auto_score != check.points
    if grade.manual_score is None and grade.auto_score is None:
        return _Graded(replace(check, status=Status.MANUAL, points=grade.extra_credit or 0.0))
    if not _is_by_hand(grade) and not is_stale:
        return _Graded(check)
    points = grade.auto_score if grade.manual_score is None else grade.manual_score
    status = Status.PASSED if points >= check.max_points else Status.FAILED
    points += grade.extra_credit or 0.0
    return _Graded(replace(check, status=status, points=float(points)), is_stale)


def _of_its_own(name: str, most: float, grade: Any) -> CheckRow:
    points = 0.0 if grade is None else (grade.manual_score or 0.0) + (grade.extra_credit or 0.0)
    return CheckRow(
        exercise=name,
        check="graded by a person",
        status=Status.PASSED if points >= most else Status.FAILED,
        points=float(points),
        max_points=float(most),
        hidden=False,
        message="",
        misconception=None,
        explanation="",
    )


def _comments(
    checks: Sequence[CheckRow], told: Mapping[str, str | None]
) -> Iterator[tuple[tuple[str, str], str]]:
    for exercise in dict.fromkeys(check.exercise for check in checks):
        if text := told.get(cell_id(exercise, "answer")):
            yield (exercise, ""), text
    for check in checks:
        if text := told.get(cell_id(check.exercise, "text", check.check)):
            yield (check.exercise, check.check), text


def _utc(time: datetime | None) -> datetime | None:
    return None if time is None else time.replace(tzinfo=UTC)  # as nbgrader keeps it
