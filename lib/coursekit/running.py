"""Run checks on an answer, and say how it went.

The same function serves the page (Pyodide), the notebook, the terminal and the batch judge:
only what stands behind the learner's names differs (the object itself, or a proxy to a
confined process).
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from coursekit.define import Check
from coursekit.expect import CheckFailed

NOT_STARTED = "not-started"


@dataclass(frozen=True)
class CheckResult:
    """The verdict of one check, in the form in which results are stored."""

    exercise: str
    check: str
    points: float
    max_points: float
    hidden: bool
    message: str
    misconception: str | None = None

    @property
    def passed(self) -> bool:
        """Whether all points were earned."""
        return self.points == self.max_points and not self.message


def check_rng(exercise: str, check: str, secret: str = "") -> np.random.Generator:
    """Return the generator of one check: the same everywhere, unless a secret moves it."""
    digest = hashlib.sha256(f"{secret}\n{exercise}\n{check}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "big"))


def run_check(
    check: Check,
    names: Mapping[str, Any],
    *,
    exercise: str = "",
    misconceptions: Mapping[str, str] | None = None,
    secret: str = "",
) -> CheckResult:
    """Run one check on the learner's ``names`` and return its verdict. Never raises.

    The message is plain text: what was seen and expected, then the explanation of the
    misconception where one was recognised.
    """
    message, found = "", None
    missing = [name for name in check.names if name not in names]
    if missing:
        message = f"`{missing[0]}` is not defined. Keep the name that the exercise gives."
        found = "not-defined"
    else:
        arguments = {name: names[name] for name in check.names}
        if "rng" in check.parameters:
            arguments["rng"] = check_rng(exercise, check.name, secret)
        try:
            # A learner's warning is not a mistake; a check's own is seen by the bank's tests.
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                check(**arguments)
        except CheckFailed as failed:
            message, found = failed.message, failed.misconception or check.misconception
        except NotImplementedError:
            message, found = "Not started: replace the placeholder with your code.", NOT_STARTED
        except Exception as error:
            message, found = _explain_error(error), "raises"
    if found is not None and (misconceptions or {}).get(found):
        message = f"{message} {(misconceptions or {})[found]}"
    return CheckResult(
        exercise=exercise,
        check=check.name,
        points=0.0 if message else check.points,
        max_points=check.points,
        hidden=check.hidden,
        message=message,
        misconception=found,
    )


def _explain_error(error: BaseException) -> str:
    name = getattr(error, "remote_type", type(error).__name__)
    text = " ".join(str(error).split())
    return f"Your code raised {name}: {text[:300]}" if text else f"Your code raised {name}."


def report(
    check: Check,
    names: Mapping[str, Any],
    *,
    exercise: str = "",
    misconceptions: Mapping[str, str] | None = None,
) -> float:
    """Run one check in a notebook: print the verdict and return its points, or raise `CheckFailed`.

    nbgrader reads the raised error as no points; a learner sees the message alone.
    """
    result = run_check(check, names, exercise=exercise, misconceptions=misconceptions)
    if not result.passed:
        raise CheckFailed(f"✗ {check.title}\n{result.message}", result.misconception)
    print(f"✓ {check.title} ({check.points:g} of {check.points:g} points)")
    return check.points
