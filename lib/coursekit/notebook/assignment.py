"""Exercises alone as a notebook."""

from __future__ import annotations

from collections.abc import Iterable

from coursekit.model import Exercise
from coursekit.notebook.cells import Node, markdown_cell, notebook, student_cells
from coursekit.notebook.install import from_source, install_cell


def assignment_notebook(
    title: str, exercises: Iterable[Exercise], install: str | None = None
) -> Node:
    """Return a notebook of exercises alone, without the chapter's text.

    ``install`` is as for `chapter_notebook`.
    """
    cells = [cell for exercise in exercises for cell in student_cells(exercise)]
    first = [install_cell(from_source(cells, install))] if install else []
    return notebook([markdown_cell(f"# {title}", "title"), *first, *cells])
