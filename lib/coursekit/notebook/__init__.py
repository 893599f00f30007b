"""Exercises and chapters as notebooks.

`cells_of` yields the cells of an exercise. `student_cells` turns them into those of a reader's
notebook, and :mod:`coursekit.assignment` into those of nbgrader's. `chapter_notebook` turns a
chapter of the book into a notebook with its exercises in place.
"""

from coursekit.notebook.assignment import assignment_notebook
from coursekit.notebook.chapter import chapter_exercises, chapter_notebook
from coursekit.notebook.exercise_cells import ExerciseCell, cell_id, cells_of
from coursekit.notebook.install import add_install_cell
from coursekit.notebook.nbformat_cells import student_cells

__all__ = [
    "ExerciseCell",
    "add_install_cell",
    "assignment_notebook",
    "cell_id",
    "cells_of",
    "chapter_exercises",
    "chapter_notebook",
    "student_cells",
]
