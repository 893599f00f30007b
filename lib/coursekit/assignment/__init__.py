"""Exercises as an nbgrader assignment.

`source_notebook` is the instructor's version, solutions and hidden checks included;
:mod:`coursekit.assignment.course` keeps the folders in which nbgrader makes the students'.
"""

from coursekit.assignment.source_notebook import source_notebook

__all__ = ["source_notebook"]
