"""End a chapter's notebook with the reader's progress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coursekit.bank.model import Exercise
from coursekit.in_notebook.state import FOLDER
from coursekit.notebooks.gates import is_prediction
from coursekit.notebooks.nbformat_cells import Node, code_cell, markdown_cell

_HEADING = (
    "## Your progress\n\n"
    "Run the cell below at any time: it lists this chapter's exercises with your points so far. "
    f"They are kept in the folder `{FOLDER}` beside this notebook."
)
_GATES = (
    " *Run All* stops at the first prediction without an answer: answer it, and run on from there."
)


def progress_cells(exercises: Iterable[Exercise]) -> Iterator[Node]:
    """Yield the text and the cell that shows each exercise with its points, and what is left."""
    predicts = any(map(is_prediction, exercises))
    yield markdown_cell(_HEADING + _GATES * predicts, "progress-text")
    cell = code_cell("import coursekit; coursekit.progress()", "progress")
    cell.metadata["coursekit"] = {"role": "progress"}
    yield cell
