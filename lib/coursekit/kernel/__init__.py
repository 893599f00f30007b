"""What the cells of a reader's notebook call: check an answer, show the chapter's progress.

Each returns a `Shown`: HTML in Jupyter, Colab and VS Code, plain text in a terminal. Nothing here
raises because of an answer, so that *Run All* passes an exercise that has not been started. What
waits for a prediction does stop it: see :mod:`coursekit.predictions`.
"""

from coursekit.kernel.answers import check_answer, check_forms
from coursekit.kernel.progress import progress
from coursekit.kernel.shown import Shown

__all__ = ["Shown", "check_answer", "check_forms", "progress"]
