"""Serve the cells of a reader's notebook: check an answer, show the chapter's progress.

Each function returns a `Shown`: HTML in Jupyter, Colab and VS Code, plain text in a terminal.
Nothing here raises because of an answer, so that *Run All* passes an exercise that has not been
started. What waits for a prediction does stop it: see :mod:`coursekit.judge.predictions`.
"""

from coursekit.in_notebook.answers import check_answer, load_checks, report
from coursekit.in_notebook.progress import progress
from coursekit.in_notebook.shown import Shown

__all__ = ["Shown", "check_answer", "load_checks", "progress", "report"]
