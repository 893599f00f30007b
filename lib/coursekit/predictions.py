"""Predict first: what a notebook's guard cell asks. See :mod:`coursekit.notebook.gates`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coursekit.expect import CheckFailed
from coursekit.verdict import NOT_STARTED


def require_prediction(
    answers: Sequence[str], names: Mapping[str, Any], *, show: bool = False
) -> None:
    """Stop a notebook until a prediction has been made, whether it is correct or not.

    Parameters
    ----------
    answers : sequence of str
        The variables of the answers.
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    show : bool
        True: go on without an answer.

    Raises
    ------
    CheckFailed
        An answer is missing.
    """
    missing = [name for name in answers if names.get(name, Ellipsis) is Ellipsis]
    if missing and not show:
        listed = " and ".join(f"`{name}`" for name in missing)
        raise CheckFailed(
            f"Predict first: set {listed} above and run that cell, then run this one again. To "
            "read on without an answer, set show = True in this cell.",
            NOT_STARTED,
        )
