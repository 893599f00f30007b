"""How an exercise file declares itself.

A file in ``exercises/<chapter>/`` is read by :mod:`coursekit.bank`, which runs it once and
collects what it declared: one :func:`exercise` with its ``@check`` functions, or one
:func:`quiz` with its questions. See CONTRIBUTING, "Add an exercise in five steps".
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

#: Parameter names that a check may ask for and that no learner defines.
RESERVED = frozenset({"rng"})

_IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
_F = TypeVar("_F", bound=Callable[..., None])


class DefinitionError(ValueError):
    """An exercise file is not well formed; the message says what to change."""


@dataclass(frozen=True)
class Check:
    """One graded property of an answer.

    Called with the learner's names it returns nothing, or raises
    :class:`~coursekit.expect.CheckFailed`. ``names`` are the names which the learner defines;
    ``title`` is the first line of the docstring.
    """

    function: Callable[..., None]
    points: float
    hidden: bool = False
    misconception: str | None = None

    @property
    def name(self) -> str:
        """The check's name, unique within its exercise."""
        return self.function.__name__

    @property
    def title(self) -> str:
        """What the check looks at, in words: the first line of its docstring."""
        return (inspect.getdoc(self.function) or self.name.replace("_", " ")).splitlines()[0]

    @property
    def parameters(self) -> tuple[str, ...]:
        """All parameters, reserved ones included."""
        return tuple(inspect.signature(self.function).parameters)

    @property
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
    ``rejected_by`` are checks that must fail; at least one of them must report
    ``misconception``.
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


@dataclass(frozen=True, kw_only=True)
class Numeric:
    """A question answered by one number or a list of numbers.

    ``mistakes`` maps a misconception's id to the values which that mistake gives.
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


@dataclass
class Exercise:
    """Everything that one exercise file declares; see :func:`exercise` and :func:`quiz`."""

    id: str
    chapter: str
    title: str
    hints: tuple[str, ...] = ()
    misconceptions: Mapping[str, str] = field(default_factory=dict)
    practice: bool = False
    explorable: str | None = None
    binds: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()
    # Filled in by the bank from the file itself:
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
    def kind(self) -> str:
        """``"quiz"`` or ``"code"``."""
        return "quiz" if self.questions else "code"

    @property
    def points(self) -> float:
        """All points, those for free text included."""
        manual = sum(q.points for q in self.questions if isinstance(q, FreeText))
        return sum(check.points for check in self.checks) + manual

    @property
    def names(self) -> tuple[str, ...]:
        """What the learner defines, in order of first use by a check (or question)."""
        asked = [name for check in self.checks for name in check.names]
        asked += [q.name for q in self.questions]
        return tuple(dict.fromkeys(asked))


class _Collector:
    """What the file that is being read has declared so far."""

    def __init__(self) -> None:
        self.exercise: Exercise | None = None
        self.checks: list[Check] = []


_open: list[_Collector] = []


def _declare(declared: Exercise) -> Exercise:
    for what, value in (("id", declared.id), ("chapter", declared.chapter)):
        if not _IDENTIFIER.match(value):
            raise DefinitionError(f"{what}={value!r}: use lower-case words joined by hyphens")
    if _open:
        if _open[-1].exercise is not None:
            raise DefinitionError("one file declares one exercise or quiz; this is the second")
        _open[-1].exercise = declared
    return declared


def exercise(
    *,
    id: str,
    chapter: str,
    title: str,
    hints: Sequence[str],
    misconceptions: Mapping[str, str],
    practice: bool = False,
    explorable: str | None = None,
    binds: Mapping[str, str] | None = None,
) -> Exercise:
    """Declare the code exercise of this file.

    Parameters
    ----------
    id, chapter : str
        Lower-case words joined by hyphens; the file is ``exercises/<chapter>/<id>.py``.
    title : str
        A few words, without a number.
    hints : sequence of str
        The ladder: a question, a pointer, nearly the code. MyST.
    misconceptions : mapping of str to str
        Id to its explanation, three sentences at most: what the answer would mean, where it
        parts from the definition, what to look at.
    practice : bool
        True: the model solution is shown after an attempt, and so is embedded in the page.
        False: graded work, whose solution never leaves the bank.
    explorable : str, optional
        Class name of the explorable with which this is a widget exercise.
    binds : mapping of str to str, optional
        Learner's variable to the explorable's state field that it restores.
    """
    return _declare(
        Exercise(
            id=id,
            chapter=chapter,
            title=title,
            hints=tuple(hints),
            misconceptions=dict(misconceptions),
            practice=practice,
            explorable=explorable,
            binds=dict(binds or {}),
        )
    )


def quiz(
    *,
    id: str,
    chapter: str,
    title: str,
    questions: Sequence[Question],
    hints: Sequence[str] = (),
    misconceptions: Mapping[str, str] | None = None,
    explorable: str | None = None,
) -> Exercise:
    """Declare the quiz of this file: one or more questions, each with its own answer variable."""
    names = [q.name for q in questions]
    if len(set(names)) != len(names):
        raise DefinitionError(f"quiz {id}: two questions share a name: {sorted(names)}")
    declared = Exercise(
        id=id,
        chapter=chapter,
        title=title,
        hints=tuple(hints),
        misconceptions=dict(misconceptions or {}),
        explorable=explorable,
        questions=tuple(questions),
    )
    return _declare(declared)


def check(
    *, points: float, hidden: bool = False, misconception: str | None = None
) -> Callable[[_F], Check]:
    """Make a function a check. Its parameter names are the names that the learner defines.

    The reserved parameter ``rng`` is a :class:`numpy.random.Generator`, seeded per check (and,
    for hidden checks in batch, by the instructor's secret). ``misconception`` is what a failure
    reveals when the failing comparison does not know better.
    """
    if points < 0:
        raise DefinitionError(f"points={points}: expected 0 or more")

    def decorate(function: _F) -> Check:
        made = Check(function, float(points), hidden, misconception)
        if _open:
            _open[-1].checks.append(made)
        return made

    return decorate


def wrong(
    code: str | None = None,
    *,
    misconception: str,
    rejected_by: Sequence[str],
    replace: Mapping[str, str] | None = None,
) -> Wrong:
    """Declare one entry of ``WRONG``: whole ``code``, or edits (``replace``) of the solution."""
    if (code is None) == (replace is None):
        raise DefinitionError("wrong(): give either code or replace, not both or neither")
    if isinstance(rejected_by, str):
        rejected_by = (rejected_by,)
    return Wrong(
        misconception=misconception,
        rejected_by=tuple(rejected_by),
        code=None if code is None else inspect.cleandoc(code) + "\n",
        replace=dict(replace or {}),
    )


def option(
    text: str, *, feedback: str, correct: bool = False, misconception: str | None = None
) -> Option:
    """Return one option of a :func:`choice`; every wrong one names its misconception."""
    if correct == (misconception is not None):
        raise DefinitionError(
            f"option {text!r}: wrong options name a misconception, right ones none"
        )
    return Option(text=text, feedback=feedback, correct=correct, misconception=misconception)


def choice(
    name: str, statement: str, options: Mapping[str, Option], *, points: float = 1.0
) -> Choice:
    """Return a multiple-choice question with exactly one right option. Keys are a, b, c …"""
    right = [key for key, value in options.items() if value.correct]
    if len(right) != 1:
        raise DefinitionError(
            f"choice {name}: {len(right)} options are correct; expected exactly 1"
        )
    return Choice(name=name, statement=statement, options=dict(options), points=points)


def numeric(
    name: str,
    statement: str,
    *,
    answer: Sequence[float] | float,
    tolerance: float,
    mistakes: Mapping[str, Sequence[float] | float] | None = None,
    unit: str = "",
    right: str = "",
    points: float = 1.0,
) -> Numeric:
    """Return a numeric question; ``mistakes`` maps misconception ids to the values they give.

    ``right`` is what a right answer is told: why it is right, in a sentence.
    """
    return Numeric(
        name=name,
        statement=statement,
        answer=answer,
        tolerance=tolerance,
        mistakes=dict(mistakes or {}),
        unit=unit,
        right=right,
        points=points,
    )


def free_text(name: str, statement: str, *, rubric: Sequence[tuple[float, str]]) -> FreeText:
    """Return a prose question; ``rubric`` lists points and what earns them."""
    return FreeText(name=name, statement=statement, rubric=tuple(rubric))
