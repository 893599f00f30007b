"""Run checks on an answer, and say how it went.

The same function serves the page (Pyodide), the notebook, the terminal and the batch grader:
only what stands behind the learner's names differs (the object itself, or a proxy to a
confined process).
"""

from __future__ import annotations

import hashlib
import hmac
import linecache
import sys
import traceback
import warnings
from collections.abc import Mapping
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from coursekit.error_origin import comes_from_answer, uncallable
from coursekit.expect import CheckFailed
from coursekit.model import CHECK_ERROR, Check, Choice, Numeric
from coursekit.questions import question_check
from coursekit.verdict import Status

NOT_STARTED = "not-started"
#: Longest error text that a message repeats (characters).
_ERROR_TEXT = 300


@dataclass(frozen=True)
class CheckResult:
    """The verdict of one check, in the form in which results are stored.

    ``message`` says what was seen and expected, ``explanation`` what a recognised misconception is.
    """

    exercise: str
    check: str
    status: Status
    points: float
    max_points: float
    hidden: bool
    message: str
    misconception: str | None = None
    explanation: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answer is correct."""
        return self.status is Status.PASSED

    @property
    def text(self) -> str:
        """What a learner is told: the message, and the explanation where there is one."""
        return f"{self.message} {self.explanation}".strip()


def check_rng(
    exercise: str, check: str, secret: str = "", submission: str = ""
) -> np.random.Generator:
    """Return the generator of one check: the same everywhere, unless a secret moves it.

    With a secret, each ``submission`` has draws of its own: one that leaks is of no use to another.
    """
    asked = f"\n{exercise}\n{check}".encode()
    if secret:
        asked += f"\n{submission}".encode()
        return np.random.default_rng(list(hmac.digest(_key(secret), asked, "sha256")))
    return np.random.default_rng(int.from_bytes(hashlib.sha256(asked).digest()[:8], "big"))


@lru_cache(maxsize=8)
def _key(secret: str) -> bytes:
    """Return a secret's key, slowly: a leaked draw must not let short secrets be tried."""
    return hashlib.scrypt(secret.encode(), salt=b"coursekit checks", n=2**14, r=8, p=1, dklen=32)


def run_check(
    check: Check,
    names: Mapping[str, Any],
    *,
    exercise: str = "",
    misconceptions: Mapping[str, str] | None = None,
    secret: str = "",
    submission: str = "",
) -> CheckResult:
    """Run one check on the learner's ``names`` and return its verdict; never raises.

    Message and explanation are plain text. An exception of the check itself, on a result that it
    cannot work with, is never put down to the learner's code. ``secret`` moves the random numbers
    of hidden checks alone, so that what a learner saw of a visible check stays true;
    ``submission`` is as for `check_rng`.
    """
    missing = next((name for name in check.names if name not in names), None)
    if missing is None:
        rng = check_rng(exercise, check.name, secret if check.hidden else "", submission)
        message, found = _verdict(check, names, rng)
    else:
        message = f"`{missing}` is not defined. Keep the name that the exercise gives."
        found = "not-defined"
    return CheckResult(
        exercise=exercise,
        check=check.name,
        status=Status.FAILED if message else Status.PASSED,
        points=0.0 if message else check.points,
        max_points=check.points,
        hidden=check.hidden,
        message=message,
        misconception=found,
        explanation=(misconceptions or {}).get(found or "", ""),
    )


def _verdict(
    check: Check, names: Mapping[str, Any], rng: np.random.Generator
) -> tuple[str, str | None]:
    """Return (message, misconception) of a check whose names are all there; "" is right."""
    arguments = {name: names[name] for name in check.names}
    if "rng" in check.parameters:
        arguments["rng"] = rng
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # A warning is not a mistake.
            check(**arguments)
    except CheckFailed as failed:
        return failed.message or "That is not it.", failed.misconception or check.misconception
    except (Exception, SystemExit) as error:
        return _stopped_by(error, check, names)
    return "", None


def _stopped_by(
    error: BaseException, check: Check, names: Mapping[str, Any]
) -> tuple[str, str | None]:
    """Return (message, misconception) of a check that an exception ended."""
    if comes_from_answer(error, check, names):
        if _kind(error) == "NotImplementedError":
            return "Not started: replace the placeholder with your code.", NOT_STARTED
        return f"Your code raised {_raised(error)}{_where(error, check, names)}", "raises"
    if name := uncallable(error, check, names):
        kind = type(names[name]).__name__
        return (
            f"`{name}` is of type {kind}, which cannot be called. Keep the definition that the "
            "exercise gives.",
            "not-defined",
        )
    # The learner's code did its part: no word may say that it raised this.
    return (
        f"This check could not be completed on your answer: {_raised(error).rstrip('.')}.",
        CHECK_ERROR,
    )


def _kind(error: BaseException) -> str:
    # A confined process sends the name of its error's type, not the error.
    return str(getattr(error, "remote_type", type(error).__name__))


def _raised(error: BaseException) -> str:
    text = " ".join(str(error).split())[:_ERROR_TEXT]
    return f"{_kind(error)}: {text}" if text else _kind(error)


def _where(error: BaseException, check: Check, names: Mapping[str, Any]) -> str:
    """Return the learner's line that raised, as the end of a sentence, where it is known."""
    codes = (getattr(names[name], "__code__", None) for name in check.names)
    files = {code.co_filename for code in codes if code is not None}
    files.discard(check.function.__code__.co_filename)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename in files]
    if not frames:
        return ""
    line = linecache.getline(frames[-1].filename, frames[-1].lineno or 0).strip()
    return f" (line {frames[-1].lineno}{': ' if line else ''}{line})"


def report(
    check: Check | Choice | Numeric,
    names: Mapping[str, Any],
    *,
    exercise: str = "",
    misconceptions: Mapping[str, str] | None = None,
) -> None:
    """Run one check (or grade one question) in a notebook, and say how it went.

    A wrong answer raises `CheckFailed`, which a notebook shows as its message alone and which
    nbgrader reads as no points.

    Parameters
    ----------
    check : Check, Choice or Numeric
        What is checked.
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    exercise : str
        Id of the exercise.
    misconceptions : mapping of str to str, optional
        Explanations of the misconceptions that the check may report.

    Raises
    ------
    CheckFailed
        Unless the answer is right.
    """
    if not isinstance(check, Check):
        check = question_check(check)
    # nbgrader takes all points from a cell that wrote to stderr, whoever wrote.
    with redirect_stderr(sys.stdout):
        result = run_check(check, names, exercise=exercise, misconceptions=misconceptions)
    if not result.passed:
        raise CheckFailed(f"✗ {check.title}\n{result.text}", result.misconception)
    points = f"{check.points:g} point{'s' if check.points != 1 else ''}"
    print(
        f"✓ {check.title} ({points})"
        + (f"\n{check.success_message}" if check.success_message else "")
    )
