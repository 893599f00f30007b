"""Declare exercises, quizzes, checks and mistakes in an exercise file.

A file in ``exercises/<chapter>/`` is read by :mod:`coursekit.bank.load`, which runs it once and
collects what it declared: one :func:`exercise` with its ``@check`` functions, or one
:func:`quiz` with its questions. See docs/exercises.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from coursekit.bank.model import Edit, Exercise, Mistake
from coursekit.errors import DefinitionError
from coursekit.judge.checks import WRONG, Check
from coursekit.kinds.base import Question

__all__ = [
    "Check",
    "DefinitionError",
    "Exercise",
    "Question",
    "check",
    "collecting",
    "exercise",
    "mistake",
    "quiz",
    "shared_mistakes",
]

#: Takes the arguments of a call, and returns what mistakes give for them.
Made: TypeAlias = Callable[..., Mapping[str, Any]]
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


@dataclass
class Collected:
    """What the file that is being read has declared so far."""

    exercise: Exercise | None = None
    checks: list[Check] = field(default_factory=list)
    mistakes: dict[str, Mistake] = field(default_factory=dict)
    shared: dict[str, Made] = field(default_factory=dict)
    shared_texts: dict[str, str] = field(default_factory=dict)


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
    if set("*`$") & set(declared.title):
        raise DefinitionError(
            f"{declared.id}: title={declared.title!r}; expected plain text, without *, ` and $"
        )
    if type(declared.version) is not int or declared.version < 1:
        raise DefinitionError(
            f"{declared.id}: version={declared.version!r}; expected a whole number, 1 or more"
        )
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
    version: int = 1,
    hints: Sequence[str],
    practice: bool = False,
    explorable: str | None = None,
    binds: Mapping[str, str] | None = None,
    withhold: Sequence[str] = (),
    uses: Sequence[str] = (),
    stand_in: str = "",
    files: Sequence[str] = (),
    data: Sequence[str] = (),
    pairs: bool = True,
) -> Exercise:
    """Declare the code exercise of this file, ``exercises/<chapter>/<id>.py``.

    Parameters
    ----------
    version : int
        Raise it whenever an old right answer may now be wrong: pages then ask for a new check of
        answers that they keep, and rows of results say in which version they were graded.
    hints : sequence of str
        The ladder: a question, a pointer, nearly the code. MyST.
    practice : bool
        True: the page embeds the model solution, and shows it after an attempt.
    explorable, binds : str, mapping of str to str
        Class of a widget exercise's explorable; learner's variable to state field.
    withhold : sequence of str
        Full names of library functions that do what is asked: see `coursekit.grade.learner`.
    uses : sequence of str
        Ids of exercises of the same chapter whose functions the answer builds on. In a notebook
        the reader has them; in the page the reader's answers that passed run first.
    stand_in : str
        A module with functions of the same names. In the page they take the place of an answer that
        does not pass yet, for exercises that use this one.
    files : sequence of str
        Data files of packages that the answer or its checks read, such as ``mylib/words.npz``. The
        page fetches them when the code first runs.
    data : sequence of str
        Files that the course's ``page-data`` writes when the site is built, such as
        ``mylib/data/map.bin`` where the module is ``mylib.maps``. The page puts those that there
        are into this place beside the module when the code first runs; elsewhere, and on a site
        without them, there are none, and the code has to do without.
    pairs : bool
        False: answers with two mistakes at once are not run beforehand, since one run takes long.
    """
    return _declare(
        Exercise(
            id=id,
            chapter=chapter,
            title=title,
            version=version,
            hints=tuple(hints),
            practice=practice,
            explorable=explorable,
            binds=dict(binds or {}),
            withhold=_full_names(id, withhold),
            uses=_listed(uses),
            stand_in=stand_in,
            files=_listed(files),
            data=_listed(data),
            pairs=pairs,
        )
    )


def quiz(
    *,
    id: str,
    chapter: str,
    title: str,
    questions: Sequence[Question],
    version: int = 1,
    hints: Sequence[str] = (),
    misconceptions: Mapping[str, str] | None = None,
    practice: bool = False,
    explorable: str | None = None,
    recalled: bool = True,
) -> Exercise:
    """Declare the quiz of this file: one or more questions, each with its own answer variable.

    ``practice=True``: what `coursekit release` hands out says at once whether an answer is right.
    ``recalled=False``: its questions are about a picture of their page, and are not asked again
    elsewhere days later. ``version`` is that of all its questions, prose included: see `exercise`.
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
            version=version,
            hints=tuple(hints),
            misconceptions=dict(misconceptions or {}),
            practice=practice,
            explorable=explorable,
            recalled=recalled,
            questions=tuple(questions),
        )
    )


def check(
    *,
    points: float,
    hidden: bool = False,
    success_message: str = "",
    failure_message: str = WRONG,
) -> Callable[[Callable[..., None]], Check]:
    """Make a function a check. Its parameter names are the names that the learner defines.

    The reserved parameter ``rng`` is a :class:`numpy.random.Generator`, seeded per check (and,
    for hidden checks in batch, by the instructor's secret).

    Parameters
    ----------
    points : float
        What the check is worth, all or nothing.
    hidden : bool
        True: learners never see it.
    success_message : str
        Why a correct answer is correct, in a sentence.
    failure_message : str
        Shown with a wrong answer when the check fails without a message of its own: a plain
        ``assert``, ``expect`` or `CheckFailed` without one.
    """
    if points < 0:
        raise DefinitionError(f"points={points}: expected 0 or more")

    def decorate(function: Callable[..., None]) -> Check:
        made = Check(function, float(points), hidden, success_message, failure_message)
        if _open:
            _open[-1].checks.append(made)
        return made

    return decorate


def mistake(id: str, text: str = "", *edits: Edit) -> None:
    """Declare a mistake that learners make: what it is told, and the answers that make it.

    The answers are run, and every comparison of a check then knows the values that they give: an
    answer with the value of this mistake, and of no other one, is told ``text``. A mistake that no
    value shows (it raises, or changes its arguments) is named by a check: ``expect(…, id)``.

    Parameters
    ----------
    id : str
        Lower-case words joined by hyphens.
    text : str
        What was done, where it parts from what is asked, what to look at; plain text. Left out, it
        is the text of the shared mistake of this name.
    *edits : mapping of str to str, or str
        Each an answer: texts of the model solution with what takes their places; code in place of
        what stands between the marks of the solution; or whole code.
    """
    if not _ID.match(id):
        raise DefinitionError(f"mistake {id!r}: use lower-case words joined by hyphens")
    if _open:
        known = _open[-1].mistakes
        if id in known:
            raise DefinitionError(f"the mistake {id!r} is declared twice; give it all its edits")
        known[id] = Mistake(id, text, edits)


def shared_mistakes(texts: Mapping[str, str], **made: Made) -> None:
    """Declare mistakes that this exercise shares with others.

    Parameters
    ----------
    texts : mapping of str to str
        What each is told, by its id.
    **made : callable
        By the name of a function that the learner writes: takes the arguments of its calls and
        returns what mistakes give for them, by id: values, or functions without arguments.
    """
    if _open:
        _open[-1].shared |= made
        _open[-1].shared_texts |= texts


def _listed(names: Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _full_names(id: str, names: Sequence[str]) -> tuple[str, ...]:
    names = _listed(names)
    for name in names:
        if "." not in name or not all(part.isidentifier() for part in name.split(".")):
            raise DefinitionError(
                f"exercise {id}: withhold has {name!r}; give full names, such as mylib.mean"
            )
    return tuple(names)
