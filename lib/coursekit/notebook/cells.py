"""Parts as the cells of a reader's notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from coursekit.errors import MissingExtraError
from coursekit.model import Exercise
from coursekit.notebook.parts import Part, exercise_parts
from coursekit.notebook.references import References

#: A notebook or cell: nbformat's dictionary with attributes.
Node: TypeAlias = Any

_WITHHELD = (
    "Exercises below ask you to write functions that the course's library has. Compare yours with "
    "them as you like. While your work is graded they are **withheld**, for all of its cells, and "
    "calling one is an error: {}."
)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def nbformat() -> Any:
    """Return the library that writes notebooks, or raise one line that says how to get it."""
    try:
        import nbformat
    except ImportError:
        raise MissingExtraError("nbformat", "grading") from None
    return nbformat


def withheld_cells(exercises: Iterable[Exercise]) -> Iterator[Node]:
    """Yield the cell that says what of the library is withheld in grading, where anything is."""
    if names := sorted({name for exercise in exercises for name in exercise.withhold}):
        yield markdown_cell(_WITHHELD.format(", ".join(f"`{name}`" for name in names)), "withheld")


def student_cells(
    exercise: Exercise, references: References | None = None, *, practice: bool = True
) -> list[Node]:
    """Return the cells of an exercise for a reader: nothing hidden, nothing solved.

    ``practice`` is as for `exercise_parts`.
    """
    parts = exercise_parts(exercise, references, practice=practice)
    return [part_cell(part, part.source) for part in parts if not part.hidden]


def notebook(cells: Iterable[Node]) -> Node:
    """Return a Python notebook of ``cells``."""
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    return nbformat().v4.new_notebook(cells=list(cells), metadata=metadata)


def part_cell(part: Part, source: str) -> Node:
    """Return a part's cell with the given source, folded where it is to be.

    Its metadata says what it is: ``coursekit: {exercise, role, item}``.
    """
    make = code_cell if part.is_code else markdown_cell
    cell = make(source, part.id)
    about = {"exercise": part.exercise, "role": part.role, "item": part.item}
    cell.metadata["coursekit"] = {key: value for key, value in about.items() if value}
    if part.may_raise:
        cell.metadata["tags"] = ["raises-exception"]
    if part.folded:
        fold(cell)
    return cell


def code_cell(source: str, id: str) -> Node:
    """Return a code cell that has not run."""
    return nbformat().v4.new_code_cell(source, id=id)


def markdown_cell(source: str, id: str) -> Node:
    """Return a Markdown cell."""
    return nbformat().v4.new_markdown_cell(source, id=id)


def fold(cell: Node) -> None:
    """Fold a code cell's source, in Jupyter and in Colab."""
    cell.metadata.setdefault("jupyter", {})["source_hidden"] = True
    cell.metadata["cellView"] = "form"
