"""Exercises as an nbgrader assignment, of which nbgrader makes the students' version."""
