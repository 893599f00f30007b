"""The instructor's notebook, in nbgrader's format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coursekit.model import Exercise
from coursekit.notebook.assignment import opening_cells
from coursekit.notebook.exercise_cells import ExerciseCell, cells_of
from coursekit.notebook.nbformat_cells import Node, nbformat_cell, notebook

#: nbgrader's version of the metadata that describes a cell.
SCHEMA = 3
_HIDDEN_TITLE = "#@title A check that runs when the work is graded"


def source_notebook(
    title: str,
    exercises: Sequence[Exercise],
    install: str | None = None,
    *,
    practice: bool = False,
) -> Node:
    """Return the exercises as nbgrader's source notebook.

    Each check is an autograded cell with its points, free text a manually graded cell whose
    rubric stands where its solution would. Grade ids are the ids of the cells, as
    :func:`coursekit.notebook.cell_id` gives them. ``install`` and ``practice`` are as for
    `assignment_notebook`: without practice, what grades a question is a hidden test, so that the
    release has a cell which looks at the form alone.
    """
    cells: list[Node] = []
    for exercise in exercises:
        cells += [_cell(part) for part in cells_of(exercise, practice=practice)]
    return notebook([*opening_cells(title, exercises, cells, install), *cells])


def _cell(part: ExerciseCell) -> Node:
    cell = nbformat_cell(part, _source(part))
    if part.role == "answer":
        cell.metadata["nbgrader"] = _metadata(part, solution=True)
    elif part.role == "check":
        cell.metadata["nbgrader"] = _metadata(part, grade=True, locked=True)
    elif part.role == "text":
        cell.metadata["nbgrader"] = _metadata(part, grade=True, solution=True)
    return cell


def _source(part: ExerciseCell) -> str:
    if part.role in ("answer", "text"):
        return part.solved
    if part.hidden:
        _, _, code = part.source.partition("\n")  # Its title would say what is hidden.
        return _with_hidden(_HIDDEN_TITLE, code)
    if part.solved:
        return _with_hidden(part.source, part.solved.partition("\n")[2])
    return part.source


def _with_hidden(source: str, code: str) -> str:
    """Return a test cell whose release is ``source`` alone."""
    return f"{source}\n### BEGIN HIDDEN TESTS\n{code}\n### END HIDDEN TESTS"


def _metadata(
    part: ExerciseCell, *, grade: bool = False, solution: bool = False, locked: bool = False
) -> dict[str, Any]:
    about = {
        "schema_version": SCHEMA,
        "grade_id": part.id,
        "grade": grade,
        "solution": solution,
        "locked": locked,
        "task": False,
    }
    return about | ({"points": part.points} if grade else {})
