"""How an exercise file declares itself.

A file in ``exercises/<chapter>/`` is read by :mod:`coursekit.bank`, which runs it once and
collects what it declared: one :func:`exercise` with its ``@check`` functions, or one
:func:`quiz` with its questions. See CONTRIBUTING, "Add an exercise in five steps".
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from textwrap import dedent

from coursekit.errors import DefinitionError
from coursekit.model import Check, Choice, Exercise, FreeText, Numeric, Option, Question, Wrong

__all__ = [
    "Check",
    "Choice",
    "DefinitionError",
    "Exercise",
    "FreeText",
    "Numeric",
    "Option",
    "Question",
    "Wrong",
    "check",
    "choice",
    "collecting",
    "exercise",
    "free_text",
    "numeric",
    "option",
    "quiz",
    "wrong",
]

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


@dataclass
class Collected:
    """What the file that is being read has declared so far."""

    exercise: Exercise | None = None
    checks: list[Check] = field(default_factory=list)


_open: list[Collected] = []


@contextmanager
def collecting() -> Iterator[Collected]:
    """Collect what is declared inside the ``with`` block."""
    _open.append(Collected())
    try:
        yield _open[-1]
    finally:
        _open.pop()


def _declare(declared: Exercise) -> Exercise:
    for what, value in (("id", declared.id), ("chapter", declared.chapter)):
        if not _ID.match(value):
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
    withhold: Sequence[str] = (),
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
    withhold : sequence of str
        Functions and classes of a library that the learner is asked to write, or that would do it
        in one call, by their full public names: ``["mylib.mean"]``. While work is graded they
        are withheld from the learner's code; see :mod:`coursekit.grade.learner.withhold`.
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
            withhold=_full_names(id, withhold),
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
    practice: bool = False,
    explorable: str | None = None,
) -> Exercise:
    """Declare the quiz of this file: one or more questions, each with its own answer variable.

    ``practice=True``: what `coursekit release` hands out says at once whether an answer is right.
    """
    names = [question.name for question in questions]
    if not names:
        raise DefinitionError(f"quiz {id}: has no questions")
    if len(set(names)) != len(names):
        raise DefinitionError(f"quiz {id}: two questions share a name: {sorted(names)}")
    return _declare(
        Exercise(
            id=id,
            chapter=chapter,
            title=title,
            hints=tuple(hints),
            misconceptions=dict(misconceptions or {}),
            practice=practice,
            explorable=explorable,
            questions=tuple(questions),
        )
    )


def check(
    *, points: float, hidden: bool = False, misconception: str | None = None
) -> Callable[[Callable[..., None]], Check]:
    """Make a function a check. Its parameter names are the names that the learner defines.

    The reserved parameter ``rng`` is a :class:`numpy.random.Generator`, seeded per check (and,
    for hidden checks in batch, by the instructor's secret). ``misconception`` is what a failure
    reveals when the failing comparison does not know better.
    """
    if points < 0:
        raise DefinitionError(f"points={points}: expected 0 or more")

    def decorate(function: Callable[..., None]) -> Check:
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
        code=None if code is None else dedent(code).strip("\n") + "\n",
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
    right = sum(option.correct for option in options.values())
    if right != 1:
        raise DefinitionError(f"choice {name}: {right} options are correct; expected exactly 1")
    return Choice(name=_variable(name), statement=statement, options=dict(options), points=points)


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
        name=_variable(name),
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
    return FreeText(name=_variable(name), statement=statement, rubric=tuple(rubric))


def _full_names(id: str, names: Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str):
        names = (names,)
    for name in names:
        if "." not in name or not all(part.isidentifier() for part in name.split(".")):
            raise DefinitionError(
                f"exercise {id}: withhold has {name!r}; give full names, such as mylib.mean"
            )
    return tuple(names)


def _variable(name: str) -> str:
    if not name.isidentifier():
        raise DefinitionError(
            f"question {name!r}: its name is the answer's variable, such as weights"
        )
    if hasattr(builtins, name) or keyword.iskeyword(name):
        raise DefinitionError(
            f"question {name!r}: Python has a meaning for this name; take another, such as weights"
        )
    return name
