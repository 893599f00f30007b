"""How an exercise file declares itself.

A file in ``exercises/<chapter>/`` is read by :mod:`coursekit.bank`, which runs it once and
collects what it declared: one :func:`exercise` with its ``@check`` functions, or one
:func:`quiz` with its questions. See CONTRIBUTING, "Add an exercise in five steps".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from coursekit.checks import WRONG, Check
from coursekit.errors import DefinitionError
from coursekit.model import Exercise
from coursekit.quiz_text import questions_in

__all__ = [
    "Check",
    "DefinitionError",
    "Exercise",
    "check",
    "collecting",
    "exercise",
    "quiz",
]


@dataclass
class Collected:
    """What the file with this ``source`` has declared so far."""

    source: str = ""
    exercise: Exercise | None = None
    checks: list[Check] = field(default_factory=list)


_open: list[Collected] = []


@contextmanager
def collecting(source: str = "") -> Iterator[Collected]:
    """Collect what is declared inside the ``with`` block, where ``source`` is executed."""
    _open.append(Collected(source))
    try:
        yield _open[-1]
    finally:
        _open.pop()


def _declare(declared: Exercise) -> Exercise:
    if set("*`$") & set(declared.title):
        raise DefinitionError(f"title={declared.title!r}; expected plain text, without *, ` and $")
    if type(declared.version) is not int or declared.version < 1:
        raise DefinitionError(f"version={declared.version!r}; expected a whole number, 1 or more")
    if _open:
        if _open[-1].exercise is not None:
            raise DefinitionError("one file declares one exercise or quiz; this is the second")
        _open[-1].exercise = declared
    return declared


def exercise(
    *,
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
) -> Exercise:
    """Declare the code exercise of this file, ``exercises/<chapter>/<id>.py``.

    Its mistakes follow the solution, as ``MISTAKES``: see :mod:`coursekit.mistakes_text`.

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
    """
    return _declare(
        Exercise(
            title=title,
            version=version,
            hints=tuple(hints),
            practice=practice,
            explorable=explorable,
            binds=dict(binds or {}),
            withhold=_full_names(withhold),
            uses=_listed(uses),
            stand_in=stand_in,
            files=_listed(files),
            data=_listed(data),
        )
    )


def quiz(
    *,
    title: str,
    questions: str,
    version: int = 1,
    hints: Sequence[str] = (),
    practice: bool = False,
    explorable: str | None = None,
    recalled: bool = True,
    works: Callable[[str], bool] | None = None,
) -> Exercise:
    """Declare the quiz of this file, ``exercises/<chapter>/<id>.py``.

    Parameters
    ----------
    questions : str
        One or more questions as :mod:`coursekit.quiz_text` reads them, each with its own answer
        variable.
    version : int
        That of all its questions, prose included: see `exercise`.
    practice : bool
        True: what `coursekit release` hands out says at once whether an answer is right.
    recalled : bool
        False: its questions are about a picture of their page, and are not asked again elsewhere
        days later.
    works : callable, optional
        Whether the lines that are to be put in order, given as one text, do what is asked. The
        self-test tries it on right orders and on others.
    """
    source = _open[-1].source if _open else questions
    line = source.count("\n", 0, max(source.find(questions), 0)) + 1
    asked, misconceptions = questions_in(questions, works=works, line=line)
    return _declare(
        Exercise(
            title=title,
            version=version,
            hints=tuple(hints),
            misconceptions=misconceptions,
            practice=practice,
            explorable=explorable,
            recalled=recalled,
            questions=asked,
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


def _listed(names: Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _full_names(names: Sequence[str]) -> tuple[str, ...]:
    names = _listed(names)
    for name in names:
        if "." not in name or not all(part.isidentifier() for part in name.split(".")):
            raise DefinitionError(f"withhold has {name!r}; give full names, such as mylib.mean")
    return tuple(names)
