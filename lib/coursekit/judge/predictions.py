"""Decide what a notebook's cell waits for: a prediction, or code that the learner is to write.

The guard cells of :mod:`coursekit.notebooks.gates` ask for predictions. What waits for one beside
the folded cell below it is marked ``after-predict-…``, on pages and in notebooks. A cell of code
that waits begins with a comment that says so, which a kernel with the notebook's checks reads.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

from coursekit.judge.expect import CheckFailed
from coursekit.judge.verdict import NOT_STARTED, PLACEHOLDER

#: Begins the id of an exercise that is a prediction.
PREDICTION = "predict-"
AWAITED_IS_MISSING = "'after-{0}' waits for {0!r}, a question that this page does not have"
#: What waits for one on a page, beside what its section says after it, as a selector.
MARKED = '[class*="after-predict-"]'
#: Opens all gates where it is set, for programs that run notebooks.
OPEN = "COURSEKIT_OPEN_GATES"
_BY_PROGRAM = f" (A program that runs the notebook goes on with {OPEN}=1 in its environment.)"
#: For how long a kernel that stopped at a gate takes cells for a part of *Run All* (seconds). They
#: may arrive late, and by default it runs those that do.
_ARRIVES_LATE = 2.0
#: Begins a cell of code that waits, before the variables of the answers.
WAITS = "# Waits for your prediction: "
_MARK = re.compile(rf"(?:tag_)?after-({PREDICTION}[\w-]+)")


def awaited(marks: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the predictions that something waits for, from its tags or classes."""
    found = (_MARK.fullmatch(mark) for mark in marks)
    return tuple(dict.fromkeys(match[1] for match in found if match))


def read_when_answered(titles: Iterable[str]) -> str:
    """Return the words on a fold whose text waits for predictions with these titles."""
    named = " and ".join(f"“{title}”" for title in titles)
    return f"Read this when you have answered {named}"


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
        True: go on without an answer, as with the environment variable ``COURSEKIT_OPEN_GATES``.

    Raises
    ------
    CheckFailed
        An answer is missing.
    """
    held = hold(_shell())
    if show:
        held.shown.update(answers)
    _ask(answers, names, held, "set show = True in this cell.")


class Held:
    """Asks in each cell of a kernel for the predictions that its first line says it waits for.

    Attributes
    ----------
    shown : set of str
        Answers without which the learner has asked to go on.
    """

    def __init__(self) -> None:
        self.shown: set[str] = set()

    def __call__(self, lines: list[str]) -> list[str]:
        """Return a cell's lines, the first one a call where it says what the cell waits for."""
        if not lines or not lines[0].startswith(WAITS):
            return lines
        answers = lines[0].removeprefix(WAITS).strip().split(", ")
        module = f"__import__({__name__!r}, fromlist=['*'])"
        return [f"{module}.ask_above({answers!r}, globals())\n", *lines[1:]]


def hold(shell: Any) -> Held:
    """Have a kernel's shell ask in cells that wait, if it does not yet; return what asks."""
    transforms = [] if shell is None else shell.input_transformers_cleanup
    held = next((each for each in transforms if isinstance(each, Held)), None)
    if held is None:
        transforms.append(held := Held())
    return held


def ask_above(answers: Sequence[str], names: Mapping[str, Any]) -> None:
    """Stop a cell that waits, as the guard above it does."""
    otherwise = "set show = True in the cell above it that asks for this, and run that."
    _ask(answers, names, hold(_shell()), otherwise)


def _ask(answers: Sequence[str], names: Mapping[str, Any], held: Held, otherwise: str) -> None:
    """Raise CheckFailed where an answer is missing that nobody has asked to go on without."""
    missing = [name for name in answers if names.get(name, Ellipsis) is Ellipsis]
    if not missing or held.shown.issuperset(missing) or os.environ.get(OPEN):
        return
    _drop_what_follows()
    listed = " and ".join(f"`{name}`" for name in missing).replace(" and ", ", ", len(missing) - 2)
    # Jupyter's server names the notebook; a program that runs it has no cell to edit.
    by_program = "" if "JPY_SESSION_NAME" in os.environ else _BY_PROGRAM
    raise CheckFailed(
        f"Predict first: set {listed} below the question and run that cell, then run this one "
        f"again. To read on without an answer, {otherwise}{by_program}",
        NOT_STARTED,
    )


def _drop_what_follows() -> None:
    """Have the kernel drop the cells of *Run All* that are still on their way to it."""
    kernel = getattr(_shell(), "kernel", None)
    if kernel is not None and hasattr(kernel, "stop_on_error_timeout"):
        kernel.stop_on_error_timeout = _ARRIVES_LATE


def _shell() -> Any:
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


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
