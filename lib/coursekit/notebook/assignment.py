"""Exercises alone as a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coursekit.model import Exercise
from coursekit.notebook.install import imported_by, install_cell
from coursekit.notebook.nbformat_cells import (
    Node,
    markdown_cell,
    notebook,
    student_cells,
    withheld_cells,
)


def assignment_notebook(
    title: str,
    exercises: Sequence[Exercise],
    install: str | None = None,
    *,
    practice: bool = False,
) -> Node:
    """Return a notebook to hand out, with exercises but without the chapter's text.

    ``install`` is as for `chapter_notebook`, ``practice`` as for `cells_of`.
    """
    cells = [cell for e in exercises for cell in student_cells(e, practice=practice)]
    return notebook([*opening_cells(title, exercises, cells, install), *cells])


def opening_cells(
    title: str, exercises: Sequence[Exercise], cells: Sequence[Node], install: str | None
) -> Iterator[Node]:
    """Yield the cells above an assignment's exercises: title, installation, what is withheld."""
    yield markdown_cell(f"# {title}", "title")
    if install:
        yield install_cell(imported_by(cells, exercises), install.splitlines())
    yield from withheld_cells(exercises)
