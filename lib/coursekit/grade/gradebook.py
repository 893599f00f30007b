"""Write grades and graded notebooks where nbgrader keeps them.

A check is an autograded cell, prose a manually graded one, under the ids from ``coursekit release
--nbgrader``, so that nbgrader's formgrader, exporters and feedback work on them. Manual grades and
comments stay; when the work changes they are marked for another look, as in nbgrader.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from coursekit.assignment.course import python_on_path
from coursekit.assignment.source_notebook import source_notebook
from coursekit.assignment.steps import rubric_cell
from coursekit.command import counted
from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.escaping import code_block, escape_markup
from coursekit.grade.class_files import UnusableError
from coursekit.grade.intake import Submission
from coursekit.grade.notebook_file import UnreadableError, read_notebook
from coursekit.grade.plan import Answer, answers_in
from coursekit.model import Exercise
from coursekit.notebook.exercise_cells import ExerciseCell, Role, cell_id, cells_of
from coursekit.private_files import make_private_folder, owner_only, write_private
from coursekit.results import Row
from coursekit.verdict import Status, Verdict

_FORGET_AFTER = 100
#: Stands for "<" in comments.
_LESS_THAN = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
#: The roles of cells that have points.
_GRADED: tuple[Role, ...] = ("check", "text")


def write_gradebook(
    url: str,
    chapter: str,
    exercises: Sequence[Exercise],
    rows: Iterable[Row],
    fresh: Collection[str],
    submissions: Iterable[Submission] = (),
) -> int:
    """Bring the gradebook up to date with the rows; return how many submissions changed in it.

    Parameters
    ----------
    url : str
        SQLAlchemy's: ``sqlite:///gradebook.db``, ``postgresql+psycopg://user@host/name``.
    chapter : str
        The assignment's name, and its notebook's.
    exercises : sequence of Exercise
        The chapter's.
    rows : iterable of Row
        This chapter's.
    fresh : collection of str
        The students whose work was graded in this run.
    submissions : iterable of Submission
        What the rows were made of, where it is there: nbgrader compares its own reading of their
        timestamp.txt with the time in the gradebook.
    """
    records = {submission.student: submission.record for submission in submissions}
    parts = [part for exercise in exercises for part in cells_of(exercise)]
    with open_gradebook(url) as gradebook:
        _ensure_assignment(gradebook, chapter, parts)
        changed = 0
        for number, row in enumerate(rows, 1):
            if row.is_missing and not _has_submission(gradebook, chapter, row.student):
                continue
            time = _nbgraders_time(row, records.get(row.student))
            changed += _write_row(gradebook, chapter, row, time, row.student in fresh)
            if number % _FORGET_AFTER == 0:
                gradebook.db.expunge_all()  # a large class does not fit into a session
    return changed


@contextmanager
def open_gradebook(url: str) -> Iterator[Any]:
    """Open nbgrader's gradebook, or make one; its errors become a `CoursekitError` of one line."""
    try:
        from nbgrader.api import Gradebook
        from sqlalchemy.engine import make_url
        from sqlalchemy.exc import ArgumentError, SAWarning, SQLAlchemyError
    except ImportError:
        raise MissingExtraError("nbgrader", "grading") from None
    try:
        with warnings.catch_warnings(), python_on_path():
            warnings.simplefilter("ignore", SAWarning)  # about how nbgrader uses sessions
            _make_private(make_url(url))
            gradebook = Gradebook(url)
            try:
                yield gradebook
            finally:
                gradebook.close()
                gradebook.engine.dispose()
    except ArgumentError:
        raise CoursekitError(
            f"{_without_password(url)}: not a database URL; expected one like "
            "sqlite:///gradebook.db"
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
    """Make a new gradebook in a file one that only its owner may read."""
    if url.get_backend_name() == "sqlite" and url.database and Path(url.database).parent.is_dir():
        open(url.database, "ab", opener=owner_only).close()


def _without_password(url: str) -> str:
    # By pattern, because a text that is not a URL may contain one as well.
    return re.sub(r":[^:/@]*@", ":***@", url)


# --- the assignment ----------------------------------------------------------------------------


def _ensure_assignment(gradebook: Any, chapter: str, parts: Sequence[ExerciseCell]) -> None:
    """Make the assignment with its cells, or add those that ``release`` has not made."""
    gradebook.update_or_create_assignment(chapter)
    notebook = gradebook.update_or_create_notebook(chapter, chapter)
    grades = {cell.name: cell for cell in notebook.grade_cells}
    comments = {cell.name for cell in notebook.solution_cells}
    before = len(grades) + len(comments)
    for part in parts:
        if part.role in _GRADED:
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
    """Add a grade or comment for each new cell to submissions that are older than it."""
    from nbgrader.api import Comment, Grade

    for submission in gradebook.find_assignment(chapter).submissions:
        for notebook in submission.notebooks:
            for cells, known, kind in (
                (notebook.notebook.grade_cells, notebook.grades, Grade),
                (notebook.notebook.solution_cells, notebook.comments, Comment),
            ):
                existing = {entry.cell_id for entry in known}
                for cell in cells:
                    if cell.id not in existing:
                        gradebook.db.add(kind(cell_id=cell.id, notebook=notebook))
    gradebook.db.commit()


# --- one student -------------------------------------------------------------------------------


def _has_submission(gradebook: Any, chapter: str, student: str) -> bool:
    from nbgrader.api import MissingEntry

    try:
        gradebook.find_submission(chapter, escape_markup(student))
    except MissingEntry:
        return False
    return True


def _nbgraders_time(row: Row, record: str | None) -> datetime | None:
    """Return the time as nbgrader has it: in UTC, without a time zone.

    Formgrader shows a submission as graded only if the gradebook has exactly what nbgrader reads
    in timestamp.txt, and nothing where there is no such file.
    """
    from nbgrader.utils import parse_utc

    if record is not None:
        with suppress(ValueError, OverflowError):
            return cast("datetime | None", parse_utc(record.strip()))
    return row.timestamp and row.timestamp.astimezone(UTC).replace(tzinfo=None)


def _write_row(
    gradebook: Any, chapter: str, row: Row, handed_in: datetime | None, fresh: bool
) -> bool:
    """Write one row; return whether it changed anything."""
    gradebook.update_or_create_student(escape_markup(row.student))
    submission = gradebook.update_or_create_submission(chapter, escape_markup(row.student))
    (notebook,) = [n for n in submission.notebooks if n.name == chapter]
    scores = {
        cell_id(v.exercise, role, v.check): None if v.status is Status.MANUAL else v.points
        for v in row.checks
        for role in _GRADED
    }
    differs = any(
        grade.cell.name in scores and grade.auto_score != scores[grade.cell.name]
        for grade in notebook.grades
    )
    untouched = all(g.auto_score is None and g.manual_score is None for g in notebook.grades)
    is_written = bool(fresh or differs or untouched)  # or else a person's points are as they were
    is_changed = is_written or submission.timestamp != handed_in
    submission.timestamp = handed_in
    comments = _comments(row)
    for grade in notebook.grades if is_written else ():
        score = scores.get(grade.cell.name, 0.0)
        grade.auto_score = score
        grade.needs_manual_grade = score is None or grade.manual_score is not None
    for comment in notebook.comments if is_written else ():
        comment.auto_comment = comments.get(comment.cell.name)
    gradebook.db.commit()
    return is_changed


def _comments(row: Row) -> dict[str, str]:
    """Return the comment on each answer for nbgrader's feedback: the messages of its checks.

    nbgrader renders comments as Markdown and HTML, and the learner chooses an error's text. Inside
    a fence an entity would be shown as it is written, and formgrader shows the whole comment so:
    the sign that begins markup becomes one that looks like it.
    """
    comments: dict[str, list[str]] = {}
    for verdict in row.checks:
        lines = comments.setdefault(cell_id(verdict.exercise, "answer"), [])
        if verdict.status in (Status.FAILED, Status.NOT_RUN):
            lines.append(" ".join(verdict.lines()))
    if row.reason:
        for lines in comments.values():
            lines.insert(0, f"Note: {row.reason}.")
    return {
        name: code_block("\n".join(dict.fromkeys(lines)).replace("<", _LESS_THAN))
        for name, lines in comments.items()
        if lines
    }


# --- what formgrader shows ------------------------------------------------------------------------


def course_of(submitted: Path) -> Path | None:
    """Return the nbgrader course whose work this is, or None.

    That is the one whose folder ``submitted`` it is, or else that of the current folder, into which
    a download from an LMS is graded.
    """
    folders = [submitted.parent] if submitted.name == "submitted" else []
    return next((f for f in [*folders, Path()] if (f / "nbgrader_config.py").is_file()), None)


def write_autograded(
    course: Path,
    chapter: str,
    exercises: Sequence[Exercise],
    submissions: Iterable[Submission],
    rows: Iterable[Row],
) -> int:
    """Write what formgrader and nbgrader's feedback show, and return how many notebooks.

    For each row whose submission can be found it is the released notebook with the student's
    answers in it, each check's message below the check, and the rubric above prose. Of a submission
    only the source of its answers gets in. nbgrader's pages would render prose as Markdown and
    HTML, so it is shown as it was typed.
    """
    import nbformat

    by_student = {submission.student: submission for submission in submissions}
    parts = [part for exercise in exercises for part in cells_of(exercise)]
    written = 0
    for row in rows:
        submission = by_student.get(row.student)
        if submission is None or row.is_missing:
            continue
        answers = {}
        with suppress(UnusableError, UnreadableError):
            cells = read_notebook(submission.read()[0])[0]
            answers = answers_in(cells, exercises, parts)
        notebook = source_notebook(chapter, exercises)
        _fill(notebook, answers, row, submission.entries[0].name)
        target = course / "autograded" / escape_markup(row.student) / chapter / f"{chapter}.ipynb"
        for folder in (target.parents[2], target.parents[1], target.parent):
            make_private_folder(folder)
        write_private(target, nbformat.writes(notebook) + "\n")
        written += 1
    return written


def _fill(notebook: Any, answers: Mapping[str, Answer], row: Row, place: str) -> None:
    """Put answers and verdicts into the instructor's notebook, and the rubric above prose."""
    verdicts = {cell_id(v.exercise, "check", v.check): v for v in row.checks}
    source, notebook.cells = notebook.cells, []
    for cell in source:
        about = cell.metadata.get("nbgrader")
        if about and about["solution"] and about["grade"]:
            notebook.cells.append(rubric_cell(cell))
        notebook.cells.append(cell)
        if about and about["solution"]:
            answer = answers.get(about["grade_id"]) or Answer("# No answer was found here.")
            # No picture of a learner's gets into nbgrader's pages.
            note = f"\n\n({counted(answer.pictures, 'picture')}: open the notebook of {place})"
            prose = code_block(answer.source + note * bool(answer.pictures))
            cell.source = answer.source if cell.cell_type == "code" else prose
        elif about and about["grade"]:
            _show_verdict(cell, verdicts.get(about["grade_id"]))


def _show_verdict(cell: Any, verdict: Verdict | None) -> None:
    """Replace a check's code by its verdict, below the title."""
    from nbformat.v4 import new_output

    cell.source = cell.source.partition("\n")[0]
    if verdict is None:
        return
    text = " ".join([*(["Passed."] if verdict.passed else []), *verdict.lines()])
    cell.outputs = [new_output("stream", name="stdout", text=text + "\n")]
