"""What an exercise is made of: checks, questions, wrong answers.

Exercise files make these through :mod:`coursekit.define`; everything else reads them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

#: Parameter names that a check may ask for and that no learner defines.
RESERVED = frozenset({"rng"})

#: Reported where a check itself raised: a defect of the check, whatever the answer.
CHECK_ERROR = "check-error"
#: Misconceptions that any check may report and that no exercise needs to explain.
BUILT_IN = frozenset({"not-started", "not-defined", "returns-nothing", "raises", CHECK_ERROR})


@dataclass(frozen=True)
class Check:
    """One graded property of an answer.

    Called with the learner's values it returns nothing, or raises
    :class:`~coursekit.expect.CheckFailed`.

    Attributes
    ----------
    function : callable
        Its parameters are the learner's names, and ``rng`` where it needs random numbers.
    points : float
        What it is worth, all or nothing.
    hidden : bool
        True: it lives with the grader only.
    misconception : str, optional
        What a failure reveals when the failing comparison does not know better.
    success_message : str
        What a right answer is told: why it is right.
    """

    function: Callable[..., None]
    points: float
    hidden: bool = False
    misconception: str | None = None
    success_message: str = ""

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


@dataclass(frozen=True, kw_only=True)
class Wrong:
    """A plausible wrong answer, which the exercise must reject and explain.

    Either whole ``code`` for the learner's part, or ``replace``: edits of the model solution.
    The checks ``rejected_by`` must fail; at least one of them must report ``misconception``.
    """

    misconception: str
    rejected_by: tuple[str, ...]
    code: str | None = None
    replace: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option of a multiple-choice question."""

    text: str
    feedback: str
    correct: bool = False
    misconception: str | None = None


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A multiple-choice question; ``name`` is the variable that holds the answer's letter."""

    name: str
    statement: str
    options: Mapping[str, Option]
    points: float = 1.0

    @property
    def right(self) -> str:
        """The letter of the right option."""
        return next(key for key, option in self.options.items() if option.correct)


@dataclass(frozen=True, kw_only=True)
class Numeric:
    """A question answered by one number or a list of numbers.

    ``mistakes`` maps a misconception's id to the values which that mistake gives;
    ``tolerance`` is absolute, in the answer's unit.
    """

    name: str
    statement: str
    answer: Sequence[float] | float
    tolerance: float
    mistakes: Mapping[str, Sequence[float] | float] = field(default_factory=dict)
    unit: str = ""
    right: str = ""
    points: float = 1.0


@dataclass(frozen=True, kw_only=True)
class FreeText:
    """A question answered in prose and graded by a person with ``rubric``."""

    name: str
    statement: str
    rubric: Sequence[tuple[float, str]]

    @property
    def points(self) -> float:
        """The sum of the rubric's points."""
        return sum(points for points, _ in self.rubric)


Question = Choice | Numeric | FreeText


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """Everything that one exercise file declares.

    The first block is what :func:`~coursekit.define.exercise` or
    :func:`~coursekit.define.quiz` was given; the second is read by the bank from the file.
    ``withhold`` has full names of library functions: see `coursekit.grade.learner.withhold`.
    ``starter``, ``solution``, wrong and other right answers run after ``setup``.
    """

    id: str
    chapter: str
    title: str
    hints: tuple[str, ...] = ()
    misconceptions: Mapping[str, str] = field(default_factory=dict)
    practice: bool = False
    explorable: str | None = None
    binds: Mapping[str, str] = field(default_factory=dict)
    withhold: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()

    statement: str = ""
    setup: str = ""
    starter: str = ""
    solution: str = ""
    checks: tuple[Check, ...] = ()
    wrong: Mapping[str, Wrong] = field(default_factory=dict)
    also_right: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    path: str = ""

    @property
    def kind(self) -> Literal["code", "quiz"]:
        """``"quiz"`` or ``"code"``."""
        return "quiz" if self.questions else "code"

    @property
    def points(self) -> float:
        """All points, those for free text included."""
        return sum(check.points for check in self.checks) + sum(q.points for q in self.free_text)

    @property
    def free_text(self) -> tuple[FreeText, ...]:
        """The questions that a person grades."""
        return tuple(q for q in self.questions if isinstance(q, FreeText))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the learner defines, in order of first use by a check (or question)."""
        asked = [name for check in self.checks for name in check.names]
        asked += [question.name for question in self.questions]
        return tuple(dict.fromkeys(asked))
