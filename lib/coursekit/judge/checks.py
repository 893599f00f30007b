"""Define a check: one graded property of an answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

#: Parameter names that a check may ask for and that no learner defines.
RESERVED = frozenset({"rng"})
#: The message where an exercise has none of its own.
RIGHT, WRONG = "That is right.", "That is not it."


@dataclass(frozen=True)
class Check:
    """One graded property of an answer.

    Called with the learner's values it returns nothing, or raises
    :class:`~coursekit.CheckFailed`.

    Attributes
    ----------
    function : callable
        Its parameters are the learner's names, and ``rng`` where it needs random numbers.
    points : float
        What it is worth: all or nothing, unless a failure gives partial credit.
    hidden : bool
        True: it lives with the grader only.
    success_message : str
        Shown with a correct answer: why it is correct.
    failure_message : str
        Shown with a wrong answer where the failing comparison has no message.
    """

    function: Callable[..., None]
    points: float
    hidden: bool = False
    success_message: str = ""
    failure_message: str = WRONG

    @property
    def name(self) -> str:
        """The check's name, unique within its exercise."""
        return self.function.__name__

    @property
    def title(self) -> str:
        """What the check looks at, in words: the first line of its docstring."""
        return (inspect.getdoc(self.function) or self.name.replace("_", " ")).splitlines()[0]

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """All parameters, reserved ones included."""
        return tuple(inspect.signature(self.function).parameters)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The learner's names that the check calls or reads."""
        return tuple(name for name in self.parameters if name not in RESERVED)

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Run the check on the learner's values."""
        self.function(*args, **kwargs)


def check_of_question(
    name: str,
    grade: Callable[[Any], None],
    points: float,
    success_message: str,
) -> Check:
    """Return the check that grades the answer in the variable ``name``."""
    # A check's parameters are the learner's names, so a function with that parameter is made.
    scope: dict[str, Any] = {"grade": grade}
    exec(f"def {name}({name}):\n    grade({name})\n", scope)
    return Check(scope[name], points, success_message=success_message)
