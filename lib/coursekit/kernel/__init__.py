"""What the cells of a reader's notebook call: check an answer.

Each returns a `Shown`: HTML in Jupyter, Colab and VS Code, plain text in a terminal. Nothing here
raises because of an answer, so that *Run All* passes an exercise that has not been started.
"""

from coursekit.kernel.answers import check_answer, check_forms, check_packed
from coursekit.kernel.shown import Shown

__all__ = ["Shown", "check_answer", "check_forms", "check_packed"]
