"""An exercise's cells in nbformat, as a reader's notebook has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from coursekit.errors import MissingExtraError
from coursekit.model import Exercise, withheld_by
from coursekit.notebook.exercise_cells import ExerciseCell, cells_of
from coursekit.notebook.references import References

#: A notebook or a cell: nbformat's dictionary, whose keys are attributes as well.
Node: TypeAlias = Any

_WITHHELD = (
    "Exercises below ask you to write functions that the course's library has. You may compare "
    "yours with them. While your work is graded they are **withheld** from all of its cells, and "
    "calling one is an error: {}."
)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def nbformat() -> Any:
    """Return the module nbformat, or raise `MissingExtraError` where it is not installed."""
    try:
        import nbformat
    except ImportError:
        raise MissingExtraError("nbformat", "grading") from None
    return nbformat


def withheld_cells(exercises: Iterable[Exercise]) -> Iterator[Node]:
    """Yield the cell that lists what grading withholds from the library, if it withholds any."""
    if names := withheld_by(exercises):
        yield markdown_cell(_WITHHELD.format(", ".join(f"`{name}`" for name in names)), "withheld")


def student_cells(
    exercise: Exercise,
    references: References | None = None,
    *,
    practice: bool = True,
    by_name: bool = False,
) -> list[Node]:
    """Return the cells of an exercise for a reader, without hidden checks and solutions.

    ``practice`` and ``by_name`` are as for `cells_of`. One cell runs all checks.
    """
    cells = cells_of(exercise, references, practice=practice, together=True, by_name=by_name)
    return [nbformat_cell(cell, cell.source, exercise.version) for cell in cells if not cell.hidden]


def notebook(cells: Iterable[Node], kernel: Mapping[str, str] = KERNEL) -> Node:
    """Return a Python notebook of ``cells``."""
    metadata = {"kernelspec": dict(kernel), "language_info": {"name": "python"}}
    return nbformat().v4.new_notebook(cells=list(cells), metadata=metadata)


def nbformat_cell(cell: ExerciseCell, source: str, version: int = 1) -> Node:
    """Return a cell in nbformat, with ``source`` in place of its own.

    Its metadata identify it: ``coursekit: {exercise, role, item}``, and the exercise's ``version``
    if it is not the first.
    """
    node = (code_cell if cell.is_code else markdown_cell)(source, cell.id)
    metadata = {"exercise": cell.exercise, "role": cell.role, "item": cell.item}
    node.metadata["coursekit"] = {key: value for key, value in metadata.items() if value}
    if version > 1:
        node.metadata["coursekit"]["version"] = version
    if cell.may_raise:
        node.metadata["tags"] = ["raises-exception"]
    if cell.folded:
        fold(node)
    return node


def code_cell(source: str, id: str) -> Node:
    """Return a code cell without outputs."""
    return nbformat().v4.new_code_cell(source, id=id)


def markdown_cell(source: str, id: str) -> Node:
    """Return a Markdown cell."""
    return nbformat().v4.new_markdown_cell(source, id=id)


def fold(cell: Node) -> None:
    """Hide a code cell's source until the reader opens it, in Jupyter and in Colab."""
    cell.metadata.setdefault("jupyter", {})["source_hidden"] = True
    cell.metadata["cellView"] = "form"
