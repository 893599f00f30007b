"""What a check cell asks: an exercise of an installed course, or one that is packed into the cell.

A reader's notebook comes with the course's wheel, which has the exercises. Work that is handed out
may have a teacher's own, or checks mended since: its cells carry them as one word, JSON, compressed
and in Base64. That hides nothing from a reader who wants to know; it keeps the right option of a
quiz from being read on the way to the next cell. Graded work has no right answers in it at all.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from coursekit.bank import installed_exercise
from coursekit.checks import Check
from coursekit.errors import CoursekitError
from coursekit.known import Known
from coursekit.made import known_of
from coursekit.model import Exercise


class CellError(CoursekitError):
    """A check cell that cannot ask what it is to ask; the message is for the learner."""

    def _render_traceback_(self) -> list[str]:  # Jupyter shows this in place of a traceback.
        return [str(self)]


_CHANGED = (
    "this check cell has been changed, or is of another version than the course's library here: "
    "take the notebook again, as it was published, with the library beside it"
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a check cell has of an exercise.

    Attributes
    ----------
    id, starter : str
        The exercise, and what its answer cell has at first.
    checks : sequence of Check
        The visible checks; of a quiz those of its questions.
    misconceptions : mapping of str to str
        Explanations by id.
    known : mapping of str to callable
        For the names of checks, what the exercise's mistakes give in them.
    hidden : float
        Points that checks decide which the cell does not have.
    without_torch : bool
        Whether an answer that uses PyTorch is refused.
    solution : str
        What is shown after an attempt, if anything.
    is_quiz : bool
        Whether its answers are to questions.
    """

    id: str
    starter: str
    checks: Sequence[Check]
    misconceptions: Mapping[str, str]
    known: Mapping[str, Callable[[], Known]] = field(default_factory=dict)
    hidden: float = 0.0
    without_torch: bool = False
    solution: str = ""
    is_quiz: bool = False


def installed(id: str, version: int = 1) -> Asked:
    """Return an exercise of an installed course.

    Raises
    ------
    CellError
        No course here has it, it cannot be read, or its ``version`` is another.
    """
    try:
        exercise = installed_exercise(id)
    except CoursekitError as error:
        raise CellError(f"the course's library here: {error}") from None
    if exercise.version != version:
        raise CellError(
            f"the course's library here has version {exercise.version} of the exercise {id!r}, "
            f"and this notebook was made for version {version}: take notebook and library anew, "
            "from one publication"
        )
    visible = [check for check in exercise.checks if not check.hidden]
    about = about_of(exercise, exercise.solution if exercise.practice else "")
    known = {c.name: partial(known_of, exercise, c) for c in visible if not about["is_quiz"]}
    return Asked(checks=visible, misconceptions=exercise.misconceptions, known=known, **about)


def about_of(exercise: Exercise, solution: str) -> dict[str, Any]:
    """Return the fields of `Asked` that are JSON, with what is shown after an attempt."""
    return {
        "id": exercise.id,
        "starter": f"{exercise.setup}\n{exercise.starter}",
        "hidden": sum(check.points for check in exercise.checks if check.hidden),
        "without_torch": exercise.without_torch,
        "solution": solution,
        "is_quiz": bool(exercise.questions),
    }


def unpack(word: str) -> Asked:
    """Return the exercise that a check cell carries as one word.

    Raises
    ------
    CellError
        The word has been changed, or its checks import what is not here.
    """
    try:
        about: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(word)))
        known = {name: partial(Known.from_json, each) for name, each in about["known"].items()}
        # With globals of its own: what it defines is not the learner's.
        space: dict[str, Any] = {"__name__": "the checks"}
        exec(compile(about.pop("code"), "the checks", "exec", dont_inherit=True), space)
        checks = [space[name] for name in about.pop("names")]
        return Asked(**about | {"checks": checks, "known": known})
    except ImportError as error:
        raise CellError(f"{error}, which this check needs; install it, or: {_CHANGED}") from None
    except Exception:  # of the word, or of code that was made for another library
        raise CellError(_CHANGED) from None
