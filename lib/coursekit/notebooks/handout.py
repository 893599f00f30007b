"""Write exercises alone as a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coursekit.bank.model import Exercise
from coursekit.notebooks.nbformat_cells import (
    Node,
    attach,
    markdown_cell,
    notebook,
    student_cells,
    withheld_cells,
)


def assignment_notebook(
    title: str, exercises: Sequence[Exercise], *, practice: bool = False
) -> Node:
    """Return a notebook to hand out, with exercises but without the chapter's text.

    ``practice`` is as for `cells_of`.
    """
    cells = [cell for e in exercises for cell in student_cells(e, practice=practice)]
    attach(cells, exercises, practice=practice)
    return notebook([*opening_cells(title, exercises), *cells])


def opening_cells(title: str, exercises: Sequence[Exercise]) -> Iterator[Node]:
    """Yield the cells above an assignment's exercises: its title, and what is withheld."""
    yield markdown_cell(f"# {title}", "title")
    yield from withheld_cells(exercises)
