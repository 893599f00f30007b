"""Write grades where nbgrader keeps them, through its own API.

Every check is an autograded cell, prose a manually graded one, under the ids that ``coursekit
release --nbgrader`` gives them, so that nbgrader's formgrader, exporters and feedback go on from
here. What a person has graded or commented stays; new work on it asks for another look, as in
nbgrader.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.escaping import code_block, escape_markup
from coursekit.model import Exercise
from coursekit.notebook.exercise_cells import ExerciseCell, cells_of
from coursekit.private_files import make_private
from coursekit.verdict import Status

_FORGET_AFTER = 100


def write_gradebook(
    url: str,
    chapter: str,
    exercises: Sequence[Exercise],
    rows: Iterable[Mapping[str, Any]],
    fresh: Collection[str],
) -> int:
    """Bring the gradebook up to date with the rows; return how many it changed.

    Parameters
    ----------
    url : str
        SQLAlchemy's: ``sqlite:///gradebook.db``, ``postgresql+psycopg://user@host/name``.
    chapter : str
        The assignment's name, and its notebook's.
    exercises : sequence of Exercise
        The chapter's.
    rows : iterable of mapping
        Results rows of this chapter.
    fresh : collection of str
        The students whose work was graded just now.
    """
    parts = [part for exercise in exercises for part in cells_of(exercise)]
    with open_gradebook(url) as gradebook:
        _ensure_assignment(gradebook, chapter, parts)
        changed = 0
        for number, row in enumerate(rows, 1):
            changed += _write_row(gradebook, chapter, row, row["student"] in fresh)
            if number % _FORGET_AFTER == 0:
                gradebook.db.expunge_all()  # a large class does not fit into a session
    return changed


@contextmanager
def open_gradebook(url: str) -> Iterator[Any]:
    """Open nbgrader's gradebook, made where there is none; what is wrong with it is one line."""
    try:
        from nbgrader.api import Gradebook
        from sqlalchemy.engine import make_url
        from sqlalchemy.exc import ArgumentError, SAWarning, SQLAlchemyError
    except ImportError:
        raise MissingExtraError("nbgrader", "grading") from None
    try:
        with warnings.catch_warnings(), _python_on_path():
            warnings.simplefilter("ignore", SAWarning)  # nbgrader's way with sessions
            _make_private(make_url(url))
            gradebook = Gradebook(url)
            try:
                yield gradebook
            finally:
                gradebook.close()
                gradebook.engine.dispose()
    except ArgumentError:
        raise CoursekitError(
            f"{_without_password(url)}: no database URL; expected one like sqlite:///gradebook.db"
        ) from None
    except ModuleNotFoundError as error:
        raise CoursekitError(
            f"{_without_password(url)}: the driver {error.name} is not installed; "
            "expected sqlite:///FILE or postgresql+psycopg://…"
        ) from None
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise CoursekitError(f"the gradebook at {_without_password(url)}: {reason}") from None


def _make_private(url: Any) -> None:
    """Keep a gradebook in a file from everybody but its owner and, if it is shared, its group."""
    if url.get_backend_name() == "sqlite" and url.database and Path(url.database).parent.is_dir():
        make_private(Path(url.database), keep=0o070)


@contextmanager
def _python_on_path() -> Iterator[None]:
    # A new gradebook asks `alembic` for its version, and that lies beside Python.
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before


def _without_password(url: str) -> str:
    # By pattern: what cannot be read as a URL may hold one as well.
    return re.sub(r":[^:/@]*@", ":***@", url)


# --- the assignment ----------------------------------------------------------------------------


def _ensure_assignment(gradebook: Any, chapter: str, parts: Sequence[ExerciseCell]) -> None:
    """Make the assignment with its cells, or complete what ``release`` has made."""
    gradebook.update_or_create_assignment(chapter)
    notebook = gradebook.update_or_create_notebook(chapter, chapter)
    grades = {cell.name: cell for cell in notebook.grade_cells}
    comments = {cell.name for cell in notebook.solution_cells}
    before = len(grades) + len(comments)
    for part in parts:
        if part.role in ("check", "text"):
            known = grades.get(part.id)
            if known is None or known.max_score != part.points:
                kind = "code" if part.is_code else "markdown"
                values = {"max_score": part.points, "cell_type": kind}
                gradebook.update_or_create_grade_cell(part.id, chapter, chapter, **values)
                before -= known is None
        if part.role in ("answer", "text") and part.id not in comments:
            gradebook.update_or_create_solution_cell(part.id, chapter, chapter)
            before -= 1
    if before != len(grades) + len(comments):
        _complete_submissions(gradebook, chapter)


def _complete_submissions(gradebook: Any, chapter: str) -> None:
    """Give submissions that are older than a cell a place for its grade."""
    from nbgrader.api import Comment, Grade

    for submission in gradebook.find_assignment(chapter).submissions:
        for notebook in submission.notebooks:
            for cells, known, kind in (
                (notebook.notebook.grade_cells, notebook.grades, Grade),
                (notebook.notebook.solution_cells, notebook.comments, Comment),
            ):
                had = {one.cell_id for one in known}
                for cell in cells:
                    if cell.id not in had:
                        gradebook.db.add(kind(cell_id=cell.id, notebook=notebook))
    gradebook.db.commit()


# --- one student -------------------------------------------------------------------------------


def _write_row(gradebook: Any, chapter: str, row: Mapping[str, Any], fresh: bool) -> bool:
    """Write one row; return whether it changed anything."""
    submission = _submission(gradebook, chapter, row["student"])
    (notebook,) = [n for n in submission.notebooks if n.name == chapter]
    verdicts = _verdicts(row)
    wanted = {
        name: None if verdict["status"] == Status.MANUAL else verdict["points"]
        for name, verdict in verdicts.items()
    }
    differs = any(
        grade.cell.name in wanted and grade.auto_score != wanted[grade.cell.name]
        for grade in notebook.grades
    )
    untouched = all(g.auto_score is None and g.manual_score is None for g in notebook.grades)
    handed_in = _handed_in(row)
    if not (fresh or differs or untouched or submission.timestamp != handed_in):
        return False
    for grade in notebook.grades:
        score = wanted.get(grade.cell.name, 0.0)
        grade.auto_score = score
        grade.needs_manual_grade = score is None or grade.manual_score is not None
    submission.timestamp = handed_in
    told = _comments(row)
    for comment in notebook.comments:
        comment.auto_comment = told.get(comment.cell.name)
    gradebook.db.commit()
    return True


def _handed_in(row: Mapping[str, Any]) -> datetime | None:
    """Return when it was handed in as nbgrader keeps it: in UTC, without saying so."""
    text = row.get("timestamp")
    return datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None) if text else None


def _submission(gradebook: Any, chapter: str, student: str) -> Any:
    gradebook.update_or_create_student(escape_markup(student))
    return gradebook.update_or_create_submission(chapter, escape_markup(student))


def _verdicts(row: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the row's verdicts by the id of their cell."""
    from coursekit.notebook.exercise_cells import cell_id

    found: dict[str, Mapping[str, Any]] = {}
    for check in row["checks"]:
        found[cell_id(check["exercise"], "check", check["check"])] = check
        found[cell_id(check["exercise"], "text", check["check"])] = check
    return found


def _comments(row: Mapping[str, Any]) -> dict[str, str]:
    """Return what nbgrader's feedback says below each answer: what its checks have seen.

    nbgrader renders a comment as Markdown and as HTML, and an error's text is the learner's.
    """
    from coursekit.notebook.exercise_cells import cell_id

    lines: dict[str, list[str]] = {}
    for check in row["checks"]:
        told = lines.setdefault(cell_id(check["exercise"], "answer"), [])
        if check["status"] in (Status.FAILED, Status.NOT_RUN):
            # A hidden check's message may show what it tried.
            text = f"{check['message']} {check['explanation']}".strip()
            told.append("A hidden check failed." if check["hidden"] else text)
    if row["reason"]:
        for told in lines.values():
            told.insert(0, f"Note: {row['reason']}.")
    return {
        name: code_block("\n".join(dict.fromkeys(told))) for name, told in lines.items() if told
    }
