"""Write exercises and chapters as notebooks.

`cells_of` yields the cells of an exercise. `student_cells` turns them into those of a reader's
notebook, and `source_notebook` into those of nbgrader's. `chapter_notebook` turns a
chapter of the book into a notebook with its exercises in place.
"""

from coursekit.notebooks.cell_ids import cell_id
from coursekit.notebooks.chapter import chapter_exercises, chapter_notebook
from coursekit.notebooks.exercise_cells import ExerciseCell, cells_of
from coursekit.notebooks.handout import assignment_notebook
from coursekit.notebooks.install import Install, add_install_cell, install_of
from coursekit.notebooks.nbformat_cells import attach, student_cells
from coursekit.notebooks.source_notebook import source_notebook

__all__ = [
    "ExerciseCell",
    "Install",
    "add_install_cell",
    "assignment_notebook",
    "attach",
    "cell_id",
    "cells_of",
    "chapter_exercises",
    "chapter_notebook",
    "install_of",
    "source_notebook",
    "student_cells",
]
