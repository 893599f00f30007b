"""End a notebook that is handed in with the cell that makes the file for it."""

from __future__ import annotations

from collections.abc import Iterable

from coursekit.bank.model import Exercise
from coursekit.calls import source_of
from coursekit.in_notebook.hand_in import fingerprint
from coursekit.notebooks.exercise_cells import cells_of
from coursekit.notebooks.nbformat_cells import Node, code_cell, fold, markdown_cell

_HEADING = (
    "## Hand in\n\nSave the notebook, then run the cell below. It says what is not answered yet "
    "and writes the file to hand in."
)


def add_hand_in_cell(notebook: Node, file: str, exercises: Iterable[Exercise]) -> None:
    """Append the cell that says what is unanswered and writes ``hand-in/<file>``.

    nbgrader takes it for a check, which fails while something is unanswered: without one, `nbgrader
    validate` says of an empty notebook that it passes all tests.
    """
    begun = {
        cell.id: (exercise.title, fingerprint(cell.source))
        for exercise in exercises
        for cell in cells_of(exercise)
        if cell.role in ("answer", "text")
    }
    call = f"hand_in({source_of(file)}, {source_of(begun)})"
    title = "#@title Hand in: save the notebook, then run this cell"
    cell = code_cell(
        f"{title}\nfrom coursekit.in_notebook.hand_in import hand_in\n\n{call}", "hand-in"
    )
    cell.metadata["coursekit"] = {"role": "hand-in"}
    cell.metadata["nbgrader"] = {
        "schema_version": 3,
        "grade_id": "hand-in",
        "grade": True,
        "points": 1,
        "locked": True,
        "solution": False,
        "task": False,
    }
    fold(cell)
    notebook.cells += [markdown_cell(_HEADING, "hand-in-text"), cell]
