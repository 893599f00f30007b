"""Check an exercise's answer in a notebook: all of its checks at once, and nothing raises."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from typing import Any

import numpy as np

from coursekit._expect import CheckFailed
from coursekit.apart import made_apart
from coursekit.checks import Check
from coursekit.kernel.attempts import failed_attempt, line_defining
from coursekit.kernel.packed import question_of, unpack
from coursekit.kernel.result import Result, failure_shown, forms_shown, result_shown
from coursekit.kernel.shown import Shown
from coursekit.known import Known
from coursekit.questions import form_of
from coursekit.running import run_check
from coursekit.stopped import stoppable
from coursekit.verdict import NO_ANSWER, Verdict


def check_answer(
    about: str,
    names: Mapping[str, Any],
    checks: Sequence[Check] | Callable[[], Sequence[Check]] = (),
) -> Shown:
    """Run an exercise's visible checks, or grade its questions, and show what they found.

    Parameters
    ----------
    about : str
        The exercise: the word that :func:`coursekit.kernel.packed.pack` made.
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    checks : sequence of Check, or function
        The checks of a code exercise, or the function of its cell that makes them; a quiz has its
        questions in ``about``.

    Raises
    ------
    ChangedCellError
        ``about`` has been changed, or is of another version.
    StoppedError
        The kernel was interrupted.
    """
    exercise = unpack(about)
    made: Sequence[Check] = made_apart(checks, names)
    if failure := failed_attempt(names, _answers(exercise, made)):
        return failure_shown(failure)
    with stoppable(names):
        return result_shown(_result(exercise, names, made))


def _answers(exercise: Mapping[str, Any], checks: Sequence[Check]) -> set[str]:
    """Return the names that the answer's cell binds, of those that the checks ask for."""
    asked = {name for check in checks for name in check.names}
    asked |= {each["name"] for each in exercise.get("questions", ()) if "name" in each}
    return {name for name in asked if line_defining({name}, exercise.get("starter", ""))} or asked


def _result(
    exercise: Mapping[str, Any], names: Mapping[str, Any], checks: Sequence[Check]
) -> Result:
    questions = [question_of(data).check() for data in exercise.get("questions", ())]
    titles = {check.name: check.title for check in checks}
    known = exercise.get("known", {})
    if len(questions) > 1:
        titles = {check.name: f"`{check.name}`" for check in questions}
    with redirect_stderr(sys.stdout):  # A cell that writes to stderr is a red block in Jupyter.
        verdicts = tuple(
            run_check(
                check,
                names,
                exercise=exercise["id"],
                misconceptions=exercise.get("misconceptions", {}),
                without_torch=exercise.get("without_torch", False),
                known=partial(Known.from_json, known[check.name]) if known else None,
            )
            for check in questions or checks
        )
    is_untouched = _is_untouched(verdicts, exercise.get("starter", ""), names)
    return Result(
        verdicts=verdicts,
        titles=titles,
        is_untouched=is_untouched,
        hidden=exercise.get("hidden", 0.0),
        solution="" if is_untouched else exercise.get("solution", ""),
    )


def _is_untouched(verdicts: Sequence[Verdict], starter: str, names: Mapping[str, Any]) -> bool:
    """Return whether nothing has been answered yet, be it that the starter runs."""
    if any(verdict.passed for verdict in verdicts):
        return False
    if all(verdict.misconception in NO_ANSWER for verdict in verdicts):
        return True
    began: dict[str, Any] = {}
    try:
        with redirect_stdout(StringIO()):
            exec(compile(starter, "<starter>", "exec", dont_inherit=True), dict(names), began)
    except Exception:
        return False
    return bool(began) and all(
        name in names and _is_same(value, names[name], starter) for name, value in began.items()
    )


def _is_same(began: Any, value: Any, starter: str) -> bool:
    """Return whether a value is what the starter makes: the same object, number, or function."""
    if began is value:
        return True
    try:
        if inspect.isfunction(value):
            return inspect.isfunction(began) and inspect.getsource(value).strip() in starter
        return type(began) is type(value) and bool(np.array_equal(began, value))
    except Exception:  # A function whose source is not known, and objects that compare badly.
        return False


def check_forms(names: Mapping[str, Any], **forms: Mapping[str, Any]) -> Shown:
    """Show whether answers can be graded, and not whether they are correct.

    Parameters
    ----------
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    **forms : mapping
        For each answer's variable the arguments of :func:`coursekit.check_form`.
    """
    if failure := failed_attempt(names, forms):
        return failure_shown(failure)
    said: dict[str, str | CheckFailed] = {}
    for name, form in forms.items():
        try:
            said[name] = form_of(name, names, **form)
        except CheckFailed as failed:
            said[name] = failed
    return forms_shown(said)
