"""Exercises as an nbgrader assignment.

`source_notebook` returns the instructor's version, with solutions and hidden checks.
:mod:`coursekit.assignment.course` runs nbgrader, which makes the students' version of it.
"""

from coursekit.assignment.source_notebook import source_notebook

__all__ = ["source_notebook"]
