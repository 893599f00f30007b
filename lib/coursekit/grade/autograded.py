"""Write the notebooks that nbgrader's formgrader and feedback show: ``autograded/`` of a course.

They are the released notebook with the student's answers in it, each check's message below the
check, and the rubric above prose. Of a submission only the source of its answers gets in: no
outputs, no other cells. nbgrader's pages would render prose as Markdown and HTML, so it is shown
as it was typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from coursekit.assignment.rubrics import rubric_cell
from coursekit.assignment.source_notebook import source_notebook
from coursekit.escaping import code_block, escape_markup
from coursekit.grade.class_files import UnusableError
from coursekit.grade.intake import Submission
from coursekit.grade.notebook_file import Cell, UnreadableError, read_notebook
from coursekit.model import Exercise
from coursekit.notebook.exercise_cells import cell_id
from coursekit.private_files import make_private_folder, write_private
from coursekit.results import Row
from coursekit.verdict import Verdict


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
    """Write a notebook for each row whose submission can be found; return how many."""
    import nbformat

    by_student = {submission.student: submission for submission in submissions}
    written = 0
    for row in rows:
        submission = by_student.get(row.student)
        if submission is None or row.is_missing:
            continue
        notebook = _notebook(chapter, exercises, _cells(submission), row)
        target = course / "autograded" / escape_markup(row.student) / chapter / f"{chapter}.ipynb"
        for folder in (target.parents[2], target.parents[1], target.parent):
            make_private_folder(folder)
        write_private(target, nbformat.writes(notebook) + "\n")
        written += 1
    return written


def _cells(submission: Submission) -> Sequence[Cell]:
    try:
        return read_notebook(submission.read()[0]).cells
    except (UnusableError, UnreadableError):
        return ()


def _notebook(chapter: str, exercises: Sequence[Exercise], cells: Sequence[Cell], row: Row) -> Any:
    answers = {cell.grade_id: cell.source for cell in cells}
    for cell in cells:
        if cell.exercise and cell.role in ("answer", "text"):
            answers[cell_id(cell.exercise, cell.role, cell.item)] = cell.source  # type: ignore[arg-type]
    verdicts = {cell_id(v.exercise, "check", v.check): v for v in row.checks}
    notebook = source_notebook(chapter, exercises)
    source, notebook.cells = notebook.cells, []
    for cell in source:
        about = cell.metadata.get("nbgrader")
        if about and about["solution"] and about["grade"]:
            notebook.cells.append(rubric_cell(cell))
        notebook.cells.append(cell)
        if about and about["solution"]:
            answer = answers.get(about["grade_id"], "# No answer was found here.")
            cell.source = answer if cell.cell_type == "code" else code_block(answer)
        elif about and about["grade"]:
            _show_verdict(cell, verdicts.get(about["grade_id"]))
    return notebook


def _show_verdict(cell: Any, verdict: Verdict | None) -> None:
    """Replace a check's code by its verdict, below the title."""
    from nbformat.v4 import new_output

    cell.source = cell.source.partition("\n")[0]
    if verdict is None:
        return
    text = " ".join([*(["Passed."] if verdict.passed else []), *verdict.lines()])
    cell.outputs = [new_output("stream", name="stdout", text=text + "\n")]
