"""Run checks on an answer, and report the verdict.

The same function serves the page (Pyodide), the notebook, the terminal and the batch grader.
Only what is behind the learner's names differs: the object itself, or a proxy to a confined
process.
"""

from __future__ import annotations

import hashlib
import hmac
import linecache
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from coursekit.judge.checks import Check
from coursekit.judge.comparisons import AND, Comparison, Known, comparing
from coursekit.judge.error_origin import comes_from_answer, is_assertion_of, text_of, uncallable
from coursekit.judge.expect import CheckFailed, not_defined
from coursekit.judge.numpy_only import USES_TORCH, TorchRefusedError, numpy_only
from coursekit.judge.stopped import FILE, LOOP, TimeUpError, line_in
from coursekit.judge.verdict import (
    CHECK_ERROR,
    NOT_DEFINED,
    NOT_STARTED,
    PLACEHOLDER,
    Status,
    Verdict,
    counted_points,
)

#: Longest error text that a message repeats (characters).
_ERROR_TEXT = 300
_NOT_STARTED = "Not started: replace the placeholder with your code."
_ALONE = "An answer is judged on its own: what it uses has to stand in its cell."


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
    draws: bool = False,
) -> Verdict:
    """Run one check on the learner's ``names`` and return its verdict; never raises.

    Message and explanation are plain text. An exception of the check itself, on a result that it
    cannot work with, is never put down to the learner's code. ``secret`` moves the random numbers
    of hidden checks alone, so that what a learner saw of a visible check stays true;
    ``submission`` is as for `check_rng`. ``without_torch`` refuses an answer that uses PyTorch.
    ``known`` returns what mistakes give in this check; it is called where the answer is wrong.
    With ``draws`` the verdict has a picture of a wrong value.
    """
    rng = check_rng(exercise, check.name, secret if check.hidden else "", submission)
    with numpy_only(without_torch), comparing(known):
        failure = _failure(check, names, rng)
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
        explanation=_explanation(failure, misconceptions or {}) if failure else "",
        drawing=failure.drawing if failure and draws else None,
    )


def _explanation(failure: CheckFailed, texts: Mapping[str, str]) -> str:
    """Return what the learner is told of the mistake, or of two that were made at once."""
    ids = (failure.misconception or "").split(AND)
    if len(ids) == 1:
        return texts.get(ids[0], failure.explanation)
    told = [f"{number}. {texts.get(id, id)}" for number, id in enumerate(ids, 1)]
    return " ".join(["Two things together give this value.", *told])


def comparisons_of(
    check: Check,
    names: Mapping[str, Any],
    *,
    exercise: str = "",
    secret: str = "",
    submission: str = "",
) -> list[Comparison]:
    """Return all comparisons that a check makes of ``names``, up to where it raises.

    The parameters are those of `run_check`. The check goes on behind what is wrong.
    """
    rng = check_rng(exercise, check.name, secret if check.hidden else "", submission)
    with comparing(goes_on=True) as state:
        _failure(check, names, rng)
    return state.made


def _failure(
    check: Check, names: Mapping[str, Any], rng: np.random.Generator
) -> CheckFailed | None:
    """Run the check; return its failure, with a message, or None where it passes."""
    for name in check.names:
        if name not in names:
            return not_defined(name)
    arguments = {name: names[name] for name in check.names}
    if "rng" in check.parameters:
        arguments["rng"] = rng
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # A warning is not a mistake.
            check(**arguments)
    except CheckFailed as failed:
        message = failed.message or check.failure_message
        return CheckFailed(
            message, failed.misconception, failed.explanation, failed.credit, failed.drawing
        )
    except (Exception, SystemExit, TimeUpError) as error:
        return _stopped_by(error, check, names)
    return None


def _stopped_by(error: BaseException, check: Check, names: Mapping[str, Any]) -> CheckFailed:
    """Return the failure of a check that an exception ended."""
    if told := _told(error, _where(error, check, names)):
        return told
    if is_assertion_of(check, error, names):
        message = text_of(error)[:_ERROR_TEXT]
        return CheckFailed(message or check.failure_message)
    if name := uncallable(error, check, names):
        return CheckFailed(
            f"`{name}` is of type {type(names[name]).__name__}, which cannot be called. Keep the "
            "definition that the exercise gives.",
            NOT_DEFINED,
        )
    if comes_from_answer(error, check, names):
        if _is_placeholder(error):
            return CheckFailed(_NOT_STARTED, NOT_STARTED)
        alone = _alone(error)
        raised = f"{_raised(error)}{_where(error, check, names)}{'.' if alone else ''}"
        return CheckFailed(f"Your code raised {raised}{alone}", "raises")
    # The learner's code did its part: no word may say that it raised this.
    return CheckFailed(
        f"This check could not be completed on your answer: {_raised(error).rstrip('.')}.",
        CHECK_ERROR,
    )


def _told(error: BaseException, where: str) -> CheckFailed | None:
    """Return what is said wherever an answer uses PyTorch or does not end, if it does."""
    if _kind(error) == TorchRefusedError.__name__:
        return CheckFailed(USES_TORCH, "raises")
    if _kind(error) == TimeUpError.__name__:
        return CheckFailed(f"Stopped: {text_of(error)}. {LOOP}{where}.", "raises")
    return None


def _is_placeholder(error: BaseException) -> bool:
    return _kind(error) == "NotImplementedError" and text_of(error) in ("", PLACEHOLDER)


def _alone(error: BaseException) -> str:
    return f" {_ALONE}" if _kind(error) == "NameError" else ""


def _kind(error: BaseException) -> str:
    # A confined process sends the name of its error's type, not the error.
    return str(getattr(error, "remote_type", type(error).__name__))


def _raised(error: BaseException) -> str:
    text = text_of(error)[:_ERROR_TEXT]
    if isinstance(error, SyntaxError) and not hasattr(error, "remote_type"):
        text = error.msg  # the error's own text would name the cell
    return f"{_kind(error)}: {text}" if text else _kind(error)


def _where(error: BaseException, check: Check, names: Mapping[str, Any]) -> str:
    """Return the learner's line that raised, as the end of a sentence, where it is known."""
    codes = (getattr(names[name], "__code__", None) for name in check.names)
    files = {code.co_filename for code in codes if code is not None}
    line = line_in(error, *files - {check.function.__code__.co_filename})
    return f" ({line})" if line else ""


def with_reason(verdict: Verdict, error: BaseException | None) -> Verdict:
    """Return a verdict on a name that is missing, with what stopped the cell that defines it.

    ``error`` may come from a confined process, with the ``line`` that raised it.
    """
    if error is None or verdict.misconception != NOT_DEFINED:
        return verdict
    if _is_placeholder(error):
        return replace(verdict, message=_NOT_STARTED, misconception=NOT_STARTED)
    if told := _told(error, _line(error)):
        return replace(verdict, message=told.message, misconception=told.misconception)
    reason = f"The answer's cell stopped with {described(error)}"
    return replace(verdict, message=f"{verdict.message} {reason}")


def described(error: BaseException) -> str:
    """Return what an answer's cell raised, with the learner's line, as the end of a sentence."""
    return f"{_raised(error)}{_line(error)}.{_alone(error)}"


def _line(error: BaseException) -> str:
    line = getattr(error, "line", "") or line_in(error, FILE)
    if isinstance(error, SyntaxError) and error.lineno and not line:
        text = error.text or linecache.getline(FILE, error.lineno)
        line = f"line {error.lineno}: {text.strip()}"
    return f" ({line})" if line else ""


def tell(title: str, verdict: Verdict) -> None:
    """Print a verdict in a notebook.

    Raises
    ------
    CheckFailed
        The answer is wrong. A notebook shows its message alone, and nbgrader gives no points.
    """
    points = counted_points(verdict.max_points)
    if not verdict.passed:
        part = f" ({verdict.points:g} of {points})" if verdict.points else ""
        raise CheckFailed(f"✗ {title}{part}\n{verdict.text}", verdict.misconception)
    print(f"✓ {title} ({points})\n{verdict.text}".rstrip("\n"))
