"""Predict first, in a notebook: what a section says after a prediction waits for the answer.

A prediction is an exercise whose id starts with ``predict-``. As on the page, the first folded
output below it and all that follows up to the next exercise or heading wait. Code waits behind a
guard cell, which stops *Run All* until there is an answer; text waits in a folded block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coursekit.model import Exercise
from coursekit.notebook.myst import parse
from coursekit.notebook.nbformat_cells import Node, code_cell, fold, markdown_cell

PREDICTION = "predict-"
#: Tags of the cells whose output the page folds.
FOLDED_OUTPUT = frozenset({"hide-output", "hide-cell"})
_SUMMARY = "Read on when you have run the cell above"


class Gate:
    """Whether the cells at hand wait for a prediction."""

    def __init__(self) -> None:
        self._prediction: Exercise | None = None
        self._is_shut = False

    def pass_exercise(self, exercise: Exercise) -> None:
        """Begin anew: an exercise ends what waited for the one before."""
        self._prediction = exercise if is_prediction(exercise) else None
        self._is_shut = False

    def code(self, cell: Node) -> Iterator[Node]:
        """Yield a code cell, after a guard cell if it is the first that waits."""
        if self._prediction and FOLDED_OUTPUT & set(cell.metadata.get("tags", [])):
            yield _guard(self._prediction)
            cell.metadata.get("jupyter", {}).pop("outputs_hidden", None)  # the guard is enough
            self._prediction, self._is_shut = None, True
        yield cell

    def text(self, myst: str) -> Iterator[tuple[str, bool]]:
        """Yield the parts of a text, each with whether it waits; a heading ends the waiting."""
        heading = next((t.map[0] for t in parse(myst) if t.type == "heading_open" and t.map), None)
        lines = myst.split("\n")
        if not self._is_shut or heading is None:
            yield myst, self._is_shut
            return
        yield "\n".join(lines[:heading]), True
        self._prediction, self._is_shut = None, False
        yield "\n".join(lines[heading:]), False


def is_prediction(exercise: Exercise) -> bool:
    """Return whether what follows an exercise waits for its answer."""
    return exercise.id.startswith(PREDICTION) and bool(exercise.names)


def waiting_cell(markdown: str, id: str) -> Node:
    """Return a Markdown cell whose text is folded."""
    return markdown_cell(f"<details><summary>{_SUMMARY}</summary>\n\n{markdown}\n\n</details>", id)


def _guard(prediction: Exercise) -> Node:
    source = (
        "#@title Predict first\n"
        "# What follows waits for your answer above. To read on without one, set show = True.\n"
        "show = False\n"
        "from coursekit import require_prediction\n\n"
        f"require_prediction({_list(prediction.names)}, globals(), show=show)"
    )
    cell = code_cell(source, f"{prediction.id}-gate")
    cell.metadata["coursekit"] = {"exercise": prediction.id, "role": "gate"}
    fold(cell)
    return cell


def _list(names: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
