"""Check an exercise's answer in a notebook: all of its checks at once, and nothing raises."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

import numpy as np

from coursekit._expect import CheckFailed
from coursekit.kernel.asked import Asked, installed, unpack
from coursekit.kernel.attempts import failed_attempt, line_defining
from coursekit.kernel.result import Result, failure_shown, forms_shown, result_shown
from coursekit.kernel.shown import Shown
from coursekit.questions import form_of
from coursekit.running import run_check
from coursekit.stopped import stoppable
from coursekit.verdict import NO_ANSWER, Verdict


def check_answer(id: str, names: Mapping[str, Any], *, version: int = 1) -> Shown:
    """Run the visible checks of a course's exercise, or grade its questions, and show the verdicts.

    Parameters
    ----------
    id : str
        The exercise. The course around the working directory is asked first, then those that are
        installed.
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    version : int
        The exercise's version for which the notebook was made.

    Raises
    ------
    CellError
        No course here has the exercise in this version.
    StoppedError
        The kernel was interrupted.
    """
    return answer_shown(installed(id, version), names)


def check_packed(word: str, names: Mapping[str, Any]) -> Shown:
    """Do as `check_answer` for the exercise that a cell carries, as one ``word``."""
    return answer_shown(unpack(word), names)


def answer_shown(asked: Asked, names: Mapping[str, Any]) -> Shown:
    """Return what a check cell shows of what a learner has defined."""
    if failure := failed_attempt(names, _answers(asked)):
        return failure_shown(failure)
    with stoppable(names):
        return result_shown(_result(asked, names))


def _answers(asked: Asked) -> set[str]:
    """Return the names that the answer's cell binds, of those that the checks ask for."""
    wanted = {name for check in asked.checks for name in check.names}
    return {name for name in wanted if line_defining({name}, asked.starter)} or wanted


def _result(asked: Asked, names: Mapping[str, Any]) -> Result:
    titles = {check.name: check.title for check in asked.checks}
    if asked.is_quiz:
        titles = {name: f"`{name}`" for name in titles} if len(titles) > 1 else {}
    with redirect_stderr(sys.stdout):  # A cell that writes to stderr is a red block in Jupyter.
        verdicts = tuple(
            run_check(
                check,
                names,
                exercise=asked.id,
                misconceptions=asked.misconceptions,
                without_torch=asked.without_torch,
                known=asked.known.get(check.name),
            )
            for check in asked.checks
        )
    is_untouched = _is_untouched(verdicts, asked.starter, names)
    return Result(
        verdicts=verdicts,
        titles=titles,
        is_untouched=is_untouched,
        hidden=asked.hidden,
        solution="" if is_untouched else asked.solution,
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
