"""Write an exercise's cells in nbformat, as a reader's notebook has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from coursekit.bank.model import Exercise, withheld_by
from coursekit.errors import MissingExtraError
from coursekit.notebooks.check_cells import attachment
from coursekit.notebooks.exercise_cells import ExerciseCell, cells_of
from coursekit.notebooks.references import References

#: A notebook or a cell: nbformat's dictionary, whose keys are attributes as well.
Node: TypeAlias = Any

_WITHHELD = (
    "Exercises below ask you to write functions that the course's library has. You may compare "
    "yours with them. While your work is graded they are **withheld** from all of its cells, and "
    "calling one is an error: {}."
)
#: Whole, as Jupyter writes it: it would complete what it lacks, and say that the notebook changed.
_LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": "3.11.0",
}
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
    exercise: Exercise, references: References | None = None, *, practice: bool = True
) -> list[Node]:
    """Return the cells of an exercise for a reader, without hidden checks and solutions.

    ``practice`` is as for `cells_of`. One cell runs all checks.
    """
    cells = cells_of(exercise, references, practice=practice, together=True)
    return [nbformat_cell(cell, cell.source, exercise.version) for cell in cells if not cell.hidden]


def attach(cells: list[Node], exercises: Iterable[Exercise], *, practice: bool = True) -> None:
    """Insert the cell that has what check cells need above all that may use it, or add to it."""
    chapter = [cell.source for cell in cells if _role(cell) == "chapter"]
    made = next((cell for cell in cells if _role(cell) == "attachment"), None)
    if made is None:
        made = code_cell("", "attachment")
        made.metadata["coursekit"] = {"role": "attachment"}
        fold(made)
        uses = (at for at, cell in enumerate(cells) if cell.cell_type == "code" or _role(cell))
        cells.insert(next(uses, len(cells)), made)
    made.source = attachment(exercises, practice, chapter, made.source)


def _role(cell: Node) -> str:
    return str(cell.metadata.get("coursekit", {}).get("role", ""))


def notebook(cells: Iterable[Node], kernel: Mapping[str, str] = KERNEL) -> Node:
    """Return a Python notebook of ``cells``."""
    metadata = {"kernelspec": dict(kernel), "language_info": dict(_LANGUAGE)}
    return nbformat().v4.new_notebook(cells=list(_levelled(cells)), metadata=metadata)


def _levelled(cells: Iterable[Node]) -> Iterator[Node]:
    """Yield cells whose headings skip no level: those below a title are of the second."""
    above: list[int] = []  # the levels, as written, of the headings that a line is below
    for cell in cells:
        if cell.cell_type == "markdown":
            lines, in_code = cell.source.split("\n"), False
            for at, line in enumerate(lines):
                in_code ^= line.lstrip().startswith(("```", "~~~"))
                heading = None if in_code else re.match(r"(#{1,6}) ", line)
                if heading:
                    level = len(heading[1])
                    above = [*(each for each in above if each < level), level]
                    lines[at] = "#" * len(above) + line[level:]
            cell.source = "\n".join(lines)
        yield cell


def nbformat_cell(cell: ExerciseCell, source: str, version: int = 1) -> Node:
    """Return a cell in nbformat, with ``source`` in place of its own."""
    node = (code_cell if cell.is_code else markdown_cell)(source, cell.id)
    identify(node, version, exercise=cell.exercise, role=cell.role, item=cell.item)
    if cell.may_raise:
        node.metadata["tags"] = ["raises-exception"]
    if cell.folded:
        fold(node)
    return node


def identify(node: Node, version: int, **about: str) -> None:
    """Say in a cell's metadata which exercise it belongs to, in which version if not the first."""
    metadata = {key: value for key, value in about.items() if value}
    node.metadata["coursekit"] = metadata | ({"version": version} if version > 1 else {})


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
