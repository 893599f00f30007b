"""Write the instructor's notebook, in nbgrader's format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coursekit.bank.model import Exercise
from coursekit.notebooks.exercise_cells import ExerciseCell, cells_of
from coursekit.notebooks.handout import opening_cells
from coursekit.notebooks.nbformat_cells import Node, nbformat_cell, notebook

#: Version of nbgrader's cell metadata.
SCHEMA = 3
_HIDDEN_TITLE = "#@title A check that runs when the work is graded"


def source_notebook(title: str, exercises: Sequence[Exercise], *, practice: bool = False) -> Node:
    """Return the exercises as nbgrader's source notebook.

    Each check is an autograded cell with its points. Each question for free text is a manually
    graded cell, which has the rubric in place of a solution. Grade ids are the ids of the cells
    (:func:`coursekit.notebooks.cell_id`). ``practice`` is as for
    `assignment_notebook`: without practice, the code that grades a question is a hidden test, and
    the released cell checks only the form of the answer.
    """
    cells: list[Node] = []
    for exercise in exercises:
        own = cells_of(exercise, practice=practice)
        cells += [_node(cell, exercise.version) for cell in own]
    return notebook([*opening_cells(title, exercises), *cells])


def _node(cell: ExerciseCell, version: int) -> Node:
    node = nbformat_cell(cell, _source(cell), version)
    if cell.role == "answer":
        node.metadata["nbgrader"] = _metadata(cell, solution=True)
    elif cell.role == "check":
        node.metadata["nbgrader"] = _metadata(cell, grade=True, locked=True)
    elif cell.role == "text":
        node.metadata["nbgrader"] = _metadata(cell, grade=True, solution=True)
    return node


def _source(cell: ExerciseCell) -> str:
    if cell.role in ("answer", "text"):
        return cell.solved
    if cell.hidden:
        _, _, code = cell.source.partition("\n")  # Its title would reveal what is checked.
        return _with_hidden(_HIDDEN_TITLE, code)
    if cell.solved:
        return _with_hidden(cell.source, cell.solved.partition("\n")[2])
    return cell.source


def _with_hidden(source: str, code: str) -> str:
    """Return a test cell of which nbgrader releases only ``source``."""
    return f"{source}\n### BEGIN HIDDEN TESTS\n{code}\n### END HIDDEN TESTS"


def _metadata(
    cell: ExerciseCell, *, grade: bool = False, solution: bool = False, locked: bool = False
) -> dict[str, Any]:
    metadata = {
        "schema_version": SCHEMA,
        "grade_id": cell.id,
        "grade": grade,
        "solution": solution,
        "locked": locked,
        "task": False,
    }
    return metadata | ({"points": cell.points} if grade else {})
