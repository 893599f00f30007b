"""Run checks on an answer, and report the verdict.

The same function serves the page (Pyodide), the notebook, the terminal and the batch grader.
Only what is behind the learner's names differs: the object itself, or a proxy to a confined
process.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import linecache
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import lru_cache
from typing import Any

import numpy as np

from coursekit._expect import CheckFailed
from coursekit.apart import made_apart
from coursekit.checks import Check
from coursekit.error_origin import comes_from_answer, is_assertion_of, text_of, uncallable
from coursekit.known import Known, Run, running
from coursekit.numpy_only import USES_TORCH, TorchRefusedError, numpy_only
from coursekit.questions import AutoGraded
from coursekit.stopped import stoppable
from coursekit.verdict import (
    CHECK_ERROR,
    NOT_DEFINED,
    NOT_STARTED,
    PLACEHOLDER,
    Status,
    Verdict,
)


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
    without_torch: bool = False,
    known: Callable[[], Known] | None = None,
) -> Verdict:
    """Run one check on the learner's ``names`` and return its verdict; never raises.

    Message and explanation are plain text. An exception of the check itself, on a result that it
    cannot work with, is never put down to the learner's code. ``secret`` moves the random numbers
    of hidden checks alone, so that what a learner saw of a visible check stays true;
    ``submission`` is as for `check_rng`. ``without_torch`` refuses an answer that uses PyTorch.
    ``known`` is asked where the answer is wrong for what the exercise's mistakes give.
    """

    def rng() -> np.random.Generator:
        return check_rng(exercise, check.name, secret if check.hidden else "", submission)

    run = Run(known, again=lambda: noted(check, names, rng()))
    with numpy_only(without_torch), running(run):
        failure = _failure(check, names, rng())
    misconception = failure.misconception if failure else None
    return Verdict(
        exercise=exercise,
        check=check.name,
        status=Status.FAILED if failure else Status.PASSED,
        points=round(check.points * failure.credit, 2) if failure else check.points,
        max_points=check.points,
        hidden=check.hidden,
        message=failure.message if failure else check.success_message,
        misconception=misconception,
        explanation=(misconceptions or {}).get(misconception or "", failure.explanation)
        if failure
        else "",
    )


def noted(check: Check, names: Mapping[str, Any], rng: np.random.Generator) -> Run:
    """Run a check up to what ends it, note what it compares, and let it refuse nothing."""
    arguments = {name: rng if name == "rng" else names.get(name) for name in check.parameters}
    with (
        running(Run(is_noted=True)) as run,
        redirect_stdout(io.StringIO()),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        suppress(Exception),  # a condition that fails, or what the answer raises
    ):
        warnings.simplefilter("ignore")
        check(**arguments)
    return run


def _failure(
    check: Check, names: Mapping[str, Any], rng: np.random.Generator
) -> CheckFailed | None:
    """Run the check; return its failure, with a message, or None where it passes."""
    for name in check.names:
        if name not in names:
            text = f"`{name}` is not defined. Keep the name that the exercise gives."
            return CheckFailed(text, NOT_DEFINED)
    arguments = {name: names[name] for name in check.names}
    if "rng" in check.parameters:
        arguments["rng"] = rng
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # A warning is not a mistake.
            check(**arguments)
    except CheckFailed as failed:
        message = failed.message or check.failure_message
        return CheckFailed(message, failed.misconception, failed.explanation, failed.credit)
    except (Exception, SystemExit) as error:
        return _stopped_by(error, check, names)
    return None


def _stopped_by(error: BaseException, check: Check, names: Mapping[str, Any]) -> CheckFailed:
    """Return the failure of a check that an exception ended."""
    if _kind(error) == TorchRefusedError.__name__:
        return CheckFailed(USES_TORCH, "raises")
    if is_assertion_of(check, error, names):
        return CheckFailed(text_of(error) or check.failure_message)
    if name := uncallable(error, check, names):
        return CheckFailed(
            f"`{name}` is of type {type(names[name]).__name__}, which cannot be called. Keep the "
            "definition that the exercise gives.",
            NOT_DEFINED,
        )
    if comes_from_answer(error, check, names):
        if _kind(error) == "NotImplementedError" and text_of(error) in ("", PLACEHOLDER):
            return CheckFailed("Not started: replace the placeholder with your code.", NOT_STARTED)
        return CheckFailed(
            f"Your code raised {_raised(error)}{_where(error, check, names)}", "raises"
        )
    # The learner's code did its part: no word may say that it raised this.
    return CheckFailed(
        f"This check could not be completed on your answer: {_raised(error).rstrip('.')}.",
        CHECK_ERROR,
    )


def _kind(error: BaseException) -> str:
    # A confined process sends the name of its error's type, not the error.
    return str(getattr(error, "remote_type", type(error).__name__))


def _raised(error: BaseException) -> str:
    text = text_of(error)
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
    check: Check | AutoGraded | Callable[[], Check | AutoGraded],
    names: Mapping[str, Any],
    *,
    exercise: str = "",
    misconceptions: Mapping[str, str] | None = None,
    without_torch: bool = False,
    known: str = "",
) -> None:
    """Run one check (or grade one question) in a notebook, and print its verdict.

    Parameters
    ----------
    check : Check, Choice, Numeric or Parsons, or function
        What is checked, or the function of a cell that makes it.
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    exercise : str
        Id of the exercise.
    misconceptions : mapping of str to str, optional
        Explanations of the misconceptions that the check may report.
    without_torch : bool
        Whether an answer that uses PyTorch is refused.
    known : str
        What the exercise's mistakes give in the check, see `Known.as_json`, as text.

    Raises
    ------
    CheckFailed
        The answer is wrong. A notebook shows its message alone, and nbgrader gives no points.
    StoppedError
        The kernel was interrupted.
    """
    made: Check | AutoGraded = made_apart(check, names)
    check = made if isinstance(made, Check) else made.check()
    # nbgrader takes all points from a cell that writes to stderr, even where a library does.
    with redirect_stderr(sys.stdout), stoppable(names):
        verdict = run_check(
            check,
            names,
            exercise=exercise,
            misconceptions=misconceptions,
            without_torch=without_torch,
            known=(lambda: Known.from_json(json.loads(known))) if known else None,
        )
    if not verdict.passed:
        part = f" ({verdict.points:g} of {check.points:g} points)" if verdict.points else ""
        raise CheckFailed(f"✗ {check.title}{part}\n{verdict.text}", verdict.misconception)
    points = f"{check.points:g} point{'s' if check.points != 1 else ''}"
    print(f"✓ {check.title} ({points})\n{verdict.text}".rstrip("\n"))
