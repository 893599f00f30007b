"""Exercises and chapters as notebooks.

`exercise_parts` says which cells an exercise has; `student_cells` are those of the notebook which
a reader gets, and :mod:`coursekit.assignment` makes nbgrader's of the same parts.
`chapter_notebook` turns a chapter of the book into a notebook with its exercises in place.
"""

from coursekit.notebook.assignment import assignment_notebook
from coursekit.notebook.cells import student_cells
from coursekit.notebook.chapter import chapter_exercises, chapter_notebook
from coursekit.notebook.install import Install, add_install_cell
from coursekit.notebook.parts import Part, cell_id, exercise_parts

__all__ = [
    "Install",
    "Part",
    "add_install_cell",
    "assignment_notebook",
    "cell_id",
    "chapter_exercises",
    "chapter_notebook",
    "exercise_parts",
    "student_cells",
]
