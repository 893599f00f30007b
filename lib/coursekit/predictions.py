"""What a notebook's cell waits for: a prediction, or code that the learner is to write.

The guard cells of :mod:`coursekit.notebook.gates` ask for predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

from coursekit._expect import CheckFailed
from coursekit.verdict import NOT_STARTED, PLACEHOLDER


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


def require_code(*answers: Callable[..., Any]) -> None:
    """Stop a notebook's cell that runs the learner's code while a part of it is not written.

    Parameters
    ----------
    *answers : callable
        Functions and classes that the learner is to write.

    Raises
    ------
    CheckFailed
        One of them is the placeholder still, or has a method that is.
    """
    missing = [answer.__name__ for answer in answers if any(map(_is_stub, _functions(answer)))]
    if missing:
        listed = " and ".join(f"`{name}`" for name in missing)
        raise CheckFailed(
            f"This cell runs your code, and {listed} {'is' if len(missing) == 1 else 'are'} still "
            "to be written. Do that above, then run this cell again.",
            NOT_STARTED,
        )


def _functions(answer: Callable[..., Any]) -> Iterator[FunctionType]:
    parts = vars(answer).values() if isinstance(answer, type) else [answer]
    yield from (part for part in parts if isinstance(part, FunctionType))


def _is_stub(function: FunctionType) -> bool:
    return PLACEHOLDER in function.__code__.co_consts
