"""Hide what gives a prediction away in a notebook until it is answered.

A prediction is an exercise whose id starts with ``predict-``. As on the page, the first folded cell
below it and all that follows up to the next exercise or heading wait; so does, wherever it stands,
what is marked ``after-predict-…``: a code cell by a tag, text by a container of that class. Code
waits behind a guard cell, which stops *Run All* until there is an answer; it begins with a comment
by which the kernel stops it as well. What the guard stands before is folded. Text waits in a folded
block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from coursekit.bank.load import Bank
from coursekit.bank.model import Exercise
from coursekit.judge.own_cells import digest
from coursekit.judge.predictions import PREDICTION, WAITS, awaited, read_when_answered
from coursekit.notebooks.myst import parse
from coursekit.notebooks.nbformat_cells import Node, code_cell, fold, identify, markdown_cell

#: Tags of the cells whose output the page folds.
FOLDED_OUTPUT = frozenset({"hide-output", "hide-cell"})
_SUMMARY = "Read on when you have run the cell above"


class Gate:
    """Whether the cells at hand wait for a prediction."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._prediction: Exercise | None = None
        #: The prediction that all waits for from here on.
        self._shut_by: str | None = None
        #: What the code cells wait for that follow one another here.
        self._guarded: set[str] = set()
        self._guards: Counter[str] = Counter()

    def code(self, cell: Node) -> Iterator[Node]:
        """Yield a code cell, after a guard cell if it is the first that waits."""
        tags = cell.metadata.get("tags", [])
        waits = list(awaited(tags))
        folds = bool(waits)
        if self._prediction and FOLDED_OUTPUT & set(tags):
            self._shut_by, self._prediction = self._prediction.id, None
            folds = True
        if self._shut_by and self._shut_by not in waits:
            waits.append(self._shut_by)
        if not waits:
            self._guarded.clear()
        yield from self._guard(waits)
        if waits:
            cell.metadata.get("jupyter", {}).pop("outputs_hidden", None)  # the guard is enough
            cell.source = self._waiting(cell.source, waits)
            own = cell.metadata.get("coursekit", {})
            if "digest" in own:
                own["digest"] = digest(cell.source)
        if folds:
            fold(cell)
        yield cell

    def _waiting(self, source: str, ids: Sequence[str]) -> str:
        """Return a cell's code below a comment that says what it waits for."""
        if source.startswith("%%"):  # must be first
            return source
        names = (name for id in ids for name in self._bank[id].names)
        return f"{WAITS}{', '.join(names)}\n{source}"

    def exercise(
        self, exercise: Exercise, cells: Iterable[Node], ids: Sequence[str]
    ) -> Iterator[Node]:
        """Yield an exercise's cells, which wait for the predictions ``ids`` where there are any."""
        if not ids or is_prediction(exercise):  # it ends what waited for the one before
            self._prediction = exercise if is_prediction(exercise) else None
            self._shut_by = None
            self._guarded.clear()
        yield from self._guard(ids)
        yield from (self.folded(cell, ids) for cell in cells)

    def folded(self, cell: Node, ids: Sequence[str]) -> Node:
        """Return a cell, its text folded if it waits for predictions and is not the learner's."""
        is_ours = cell.metadata.get("coursekit", {}).get("role") != "text"
        if ids and is_ours and cell.cell_type == "markdown":
            summary = read_when_answered(self._bank[id].title for id in ids)
            cell.source = _folded(escape(summary, quote=False), cell.source)
        return cell

    def _guard(self, ids: Sequence[str]) -> Iterator[Node]:
        """Yield a guard cell for each prediction that no guard just above asks for."""
        for id in ids:
            if id not in self._guarded:
                self._guards[id] += 1
                yield _guard(self._bank[id], self._guards[id])
        self._guarded.update(ids)

    def text(self, myst: str) -> Iterator[tuple[str, bool]]:
        """Yield the parts of a text, each with whether it waits; a heading ends the waiting."""
        heading = next((t.map[0] for t in parse(myst) if t.type == "heading_open" and t.map), None)
        if not self._shut_by or heading is None:
            yield myst, bool(self._shut_by)
            return
        lines = myst.split("\n")
        yield "\n".join(lines[:heading]), True
        self._prediction, self._shut_by = None, None
        self._guarded.clear()
        yield "\n".join(lines[heading:]), False


def is_prediction(exercise: Exercise) -> bool:
    """Return whether what follows an exercise waits for its answer."""
    return exercise.id.startswith(PREDICTION) and bool(exercise.names)


def waiting_cell(markdown: str, id: str) -> Node:
    """Return a Markdown cell whose text is folded."""
    return markdown_cell(_folded(_SUMMARY, markdown), id)


def _folded(summary: str, markdown: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{markdown}\n\n</details>"


def _guard(prediction: Exercise, number: int) -> Node:
    source = (
        "#@title Predict first\n"
        f"# What follows waits for your answer to “{prediction.title}”.\n"
        "# To read on without one, set show = True.\n"
        "show = False\n"
        "from coursekit import require_prediction\n\n"
        f"require_prediction({_list(prediction.names)}, globals(), show=show)"
    )
    cell = code_cell(source, f"{prediction.id}-gate{f'-{number}' if number > 1 else ''}")
    identify(cell, prediction.version, exercise=prediction.id, role="gate")
    fold(cell)
    return cell


def _list(names: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
