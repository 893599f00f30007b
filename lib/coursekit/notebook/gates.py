"""Predict first, in a notebook: text that gives a prediction away is folded.

A prediction is an exercise whose id starts with ``predict-``. As on the page, the first folded cell
below it and all text that follows up to the next exercise or heading wait; so does, wherever it
stands, what is marked ``after-predict-…``: a code cell by a tag, text by a container of that class.
Nothing has to stop: a cell has no output until its reader runs it, alone or with all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from coursekit.bank import Bank
from coursekit.model import Exercise
from coursekit.notebook.commonmark import folded
from coursekit.notebook.myst import parse
from coursekit.notebook.nbformat_cells import Node, fold, markdown_cell
from coursekit.predictions import PREDICTION, awaited, read_when_answered

#: Tags of the cells whose output the page folds.
FOLDED_OUTPUT = frozenset({"hide-output", "hide-cell"})
_SUMMARY = "Read on when you have run the cell above"


class Gate:
    """Whether the cells at hand wait for a prediction."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._is_asked = self._is_shut = False

    def code(self, cell: Node) -> Node:
        """Return a code cell, folded if it waits."""
        tags = cell.metadata.get("tags", [])
        settles = self._is_asked and bool(FOLDED_OUTPUT & {*tags})
        if settles:
            self._is_asked, self._is_shut = False, True
        if settles or awaited(tags):
            fold(cell)
        return cell

    def exercise(
        self, exercise: Exercise, cells: Sequence[Node], ids: Sequence[str]
    ) -> Iterator[Node]:
        """Yield an exercise's cells, which wait for the predictions ``ids`` where there are any."""
        is_prediction = exercise.id.startswith(PREDICTION) and bool(exercise.names)
        if not ids or is_prediction:  # it ends what waited for the one before
            self._is_asked, self._is_shut = is_prediction, False
        yield from (self.folded(cell, ids) for cell in cells)

    def folded(self, cell: Node, ids: Sequence[str]) -> Node:
        """Return a cell, its text folded if it waits for predictions and is not the learner's."""
        is_ours = cell.metadata.get("coursekit", {}).get("role") != "text"
        if ids and is_ours and cell.cell_type == "markdown":
            summary = read_when_answered(self._bank[id].title for id in ids)
            cell.source = folded(escape(summary, quote=False), cell.source)
        return cell

    def text(self, myst: str) -> Iterator[tuple[str, bool]]:
        """Yield the parts of a text, each with whether it waits; a heading ends the waiting."""
        heading = next((t.map[0] for t in parse(myst) if t.type == "heading_open" and t.map), None)
        if not self._is_shut or heading is None:
            yield myst, self._is_shut
            return
        lines = myst.split("\n")
        yield "\n".join(lines[:heading]), True
        self._is_asked = self._is_shut = False
        yield "\n".join(lines[heading:]), False


def waiting_cell(markdown: str, id: str) -> Node:
    """Return a Markdown cell whose text is folded."""
    return markdown_cell(folded(_SUMMARY, markdown), id)
