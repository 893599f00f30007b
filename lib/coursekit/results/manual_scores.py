"""Manual scores and comments, from nbgrader's gradebook, where formgrader keeps them.

Where a gradebook is named, its points count: the same as nbgrader itself would export.
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
from coursekit.judge.verdict import Status, Verdict
from coursekit.notebooks.cell_ids import cell_id
from coursekit.results.grade import Grade
from coursekit.row import Row, RowStatus

_SQLITE = "sqlite:///"
_FORGET_AFTER = 100


def with_gradebook(grades: Sequence[Grade], url: str) -> list[Grade]:
    """Return the grades with the gradebook's points, comments, dates and penalties.

    Raises
    ------
    CoursekitError
        There is no such gradebook, or it lacks one of the submissions.
    """
    from coursekit.grade.gradebook import open_gradebook

    file = url.removeprefix(_SQLITE)
    if file != url and not Path(file).is_file():  # opening it would create an empty one
        raise CoursekitError(f"{url}: no such gradebook; `coursekit grade --gradebook` makes it")
    with open_gradebook(url) as gradebook:
        scored = list(_all(gradebook, grades))
    if stale := sum(is_stale for _, is_stale in scored):
        print(
            f"{counted(stale, 'result')} newer than the gradebook, whose points count; "
            "run `coursekit grade --gradebook` to bring it up to date",
            file=sys.stderr,
        )
    return [grade for grade, _ in scored]


def _all(gradebook: Any, grades: Sequence[Grade]) -> Iterator[tuple[Grade, bool]]:
    assignments = dict.fromkeys(grade.assignment for grade in grades)
    more = {name: _cells_without_check(gradebook, grades, name) for name in assignments}
    for number, grade in enumerate(grades, 1):
        yield _scored(gradebook, grade, more[grade.assignment])
        if number % _FORGET_AFTER == 0:
            gradebook.db.expunge_all()  # a large class does not fit into a session


def _cells_without_check(
    gradebook: Any, grades: Sequence[Grade], assignment: str
) -> Mapping[str, float]:
    """Return cells in which a person gave points and that no row has: id, and maximum points."""
    from nbgrader.api import MissingEntry

    known = {
        id
        for grade in grades
        if grade.assignment == assignment
        for check in grade.checks
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
        if cell.name not in known and any(map(_is_manual, cell.grades))
    }


def _ids(check: Verdict) -> tuple[str, str]:
    return (
        cell_id(check.exercise, "check", check.check),
        cell_id(check.exercise, "text", check.check),
    )


def _is_manual(grade: Any) -> bool:
    return grade.manual_score is not None or bool(grade.extra_credit)


@dataclass(frozen=True)
class _Scored:
    """A verdict with the gradebook's points.

    ``is_stale``: the gradebook has not seen the newest row. ``is_outdated``: a person's points are
    those of an earlier version of the work.
    """

    verdict: Verdict
    is_stale: bool = False
    is_outdated: bool = False


def _scored(gradebook: Any, grade: Grade, more: Mapping[str, float]) -> tuple[Grade, bool]:
    """Return one grade with what the gradebook has, and whether its row is newer than that."""
    from nbgrader.api import MissingEntry

    try:
        submission = gradebook.find_submission(grade.assignment, escape_markup(grade.student))
    except MissingEntry:
        if grade.is_missing:
            return grade, False
        raise CoursekitError(
            f"the gradebook has no grades of {grade.student} for {grade.assignment}; "
            "run `coursekit grade --gradebook` first"
        ) from None
    by_cell = {one.cell.name: one for book in submission.notebooks for one in book.grades}
    if grade.is_missing and not any(map(_is_manual, by_cell.values())):
        return grade, False
    comments = {c.cell.name: c.manual_comment for b in submission.notebooks for c in b.comments}
    scored = [_with_grade(check, by_cell) for check in grade.checks]
    checks = [one.verdict for one in scored]
    others = [_extra_cell(name, points, by_cell.get(name)) for name, points in more.items()]
    checks += others
    return replace(
        grade,
        status=RowStatus.GRADED if grade.is_missing else grade.status,  # by who gave points
        score=round(sum(check.points for check in checks), 6),
        max_score=round(grade.max_score + sum(more.values()), 6),
        needs_manual=any(one.needs_manual_grade for one in by_cell.values()),
        checks=tuple(checks),
        comments=dict(_comments(grade.checks, comments)),
        # `coursekit grade` brings the row up to date, with or without a gradebook.
        timestamp=grade.timestamp or _utc(submission.timestamp),
        duedate=_utc(submission.duedate) if submission.assignment.duedate else None,
        late_submission_penalty=round(float(submission.late_submission_penalty or 0.0), 6),
        attempts=tuple(_by_hand(attempt, by_cell, others) for attempt in grade.attempts),
        outdated=tuple(one.verdict.check for one in scored if one.is_outdated),
    ), any(one.is_stale for one in scored)


def _by_hand(attempt: Row, by_cell: Mapping[str, Any], others: Sequence[Verdict]) -> Row:
    """Return an earlier attempt with what a person gave for its prose.

    The gradebook knows only the last attempt: of its other points this one has none.
    """
    waiting = (check for check in attempt.checks if check.status is Status.MANUAL)
    given = {check: _with_grade(check, by_cell).verdict for check in waiting}
    checks = [*(given.get(check, check) for check in attempt.checks), *others]
    return replace(
        attempt,
        checks=tuple(checks),
        score=round(sum(check.points for check in checks), 6),
        max_score=round(attempt.max_score + sum(other.max_points for other in others), 6),
        needs_manual=any(check.status is Status.MANUAL for check in checks),
    )


def _with_grade(check: Verdict, by_cell: Mapping[str, Any]) -> _Scored:
    grade = next((by_cell[id] for id in _ids(check) if id in by_cell), None)
    if grade is None:
        return _Scored(check, is_stale=True)
    is_stale = grade.auto_score is not None and grade.auto_score != check.points
    if grade.manual_score is None and grade.auto_score is None:
        points = round(grade.extra_credit or 0.0, 6)
        return _Scored(replace(check, status=Status.MANUAL, points=points))
    if not _is_manual(grade) and not is_stale:
        return _Scored(check)
    points = grade.auto_score if grade.manual_score is None else grade.manual_score
    status = Status.PASSED if points >= check.max_points else Status.FAILED
    points += grade.extra_credit or 0.0
    if check.status not in (status, Status.MANUAL):
        check = replace(check, message="", misconception=None, explanation="")
    return _Scored(
        replace(check, status=status, points=round(float(points), 6)),
        is_stale=is_stale,
        # Newer work makes `coursekit grade` ask for another look, as nbgrader's autograder does.
        is_outdated=grade.manual_score is not None and bool(grade.needs_manual_grade),
    )


def _extra_cell(name: str, max_points: float, grade: Any) -> Verdict:
    points = 0.0 if grade is None else (grade.manual_score or 0.0) + (grade.extra_credit or 0.0)
    return Verdict(
        exercise=name,
        check="graded by a person",
        status=Status.PASSED if points >= max_points else Status.FAILED,
        points=round(float(points), 6),
        max_points=float(max_points),
    )


def _comments(
    checks: Sequence[Verdict], written: Mapping[str, str | None]
) -> Iterator[tuple[tuple[str, str], str]]:
    for exercise in dict.fromkeys(check.exercise for check in checks):
        if text := written.get(cell_id(exercise, "answer")):
            yield (exercise, ""), text
    for check in checks:
        if text := written.get(cell_id(check.exercise, "text", check.check)):
            yield (check.exercise, check.check), text


def _utc(time: datetime | None) -> datetime | None:
    return None if time is None else time.replace(tzinfo=UTC)  # as nbgrader keeps it
