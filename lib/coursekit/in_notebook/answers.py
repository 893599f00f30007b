"""Check an exercise's answer in a notebook: all of its checks at once, and nothing raises."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from typing import Any

from coursekit.bank.alone import Ran, judge, verdicts_on
from coursekit.bank.running import described, run_check, tell
from coursekit.in_notebook.cells import callers, run_own, shell_of, watch
from coursekit.in_notebook.obfuscated import ChangedCellError, unpack
from coursekit.in_notebook.result import Result, failure_shown, forms_shown, result_shown
from coursekit.in_notebook.shown import Shown, not_loaded
from coursekit.in_notebook.state import Standing, known, recalled, remember, standings, take
from coursekit.judge.expect import CheckFailed
from coursekit.judge.predictions import hold
from coursekit.judge.stopped import limited, stoppable
from coursekit.judge.verdict import NO_ANSWER, NOT_DEFINED, Verdict
from coursekit.kinds.registry import form_of, question_of

_MEND = "Mend it, run its cell, then this one."


def load_checks(word: str) -> None:
    """Take what a notebook has of its exercises: the word that `pack` made.

    Raises
    ------
    ChangedCellError
        It has been changed, or is of another version.
    """
    take(unpack(word))
    shell = shell_of(callers())
    watch(shell)
    hold(shell)


def check_answer(exercise: str, names: Mapping[str, Any] | None = None) -> Shown:
    """Run an exercise's visible checks, or grade its questions, and show what they found.

    Parameters
    ----------
    exercise : str
        Its id.
    names : mapping of str to object, optional
        What the learner has defined; by default the ``globals()`` of the cell that calls.

    Raises
    ------
    ChangedCellError
        What the notebook has of the exercise is of another version.
    StoppedError
        The kernel was interrupted.
    """
    if exercise not in known:
        return not_loaded()
    about = known[exercise]
    with _guarded():
        ran = run_own(about, known, callers() if names is None else names)
        if "forms" in about:
            return _forms(about, ran)
        verdicts = _verdicts(about, ran)
    is_untouched = _is_untouched(about, ran, verdicts)
    remember(about, Standing.of_verdicts(verdicts, is_untouched), ran.cells)
    if ran.error is not None and any(v.misconception == NOT_DEFINED for v in verdicts):
        return failure_shown(f"Your answer does not run: {described(ran.error)} {_MEND}")
    (message, *others) = {verdict.message for verdict in verdicts}
    if not others and all(verdict.misconception == "raises" for verdict in verdicts):
        return failure_shown(message)
    return result_shown(_result(about, verdicts, is_untouched))


def report(word: str) -> None:
    """Run one check, or grade one question, in a cell of its own, and print its verdict.

    ``word`` is what `pack` made of all that the cell knows of the exercise.

    Raises
    ------
    CheckFailed
        The answer is wrong.
    ChangedCellError, StoppedError
        As in `check_answer`.
    """
    about = unpack(word)
    # nbgrader takes all points from a cell that writes to stderr, even where a library does.
    with _guarded():
        (verdict,) = _verdicts(about, run_own(about, {}, callers()))
    tell(about["titles"][verdict.check], verdict)


@contextmanager
def _guarded() -> Iterator[None]:
    # A cell that writes to stderr is a red block in Jupyter.
    with redirect_stderr(sys.stdout), stoppable(), limited():
        yield


def _verdicts(about: Mapping[str, Any], ran: Ran) -> tuple[Verdict, ...]:
    if "questions" not in about:
        return judge(about, ran)
    try:
        checks = [question_of(data).check() for data in about["questions"]]
    except (KeyError, TypeError):
        raise ChangedCellError from None
    texts = about["misconceptions"]
    return verdicts_on(
        ran,
        checks,
        lambda check, names: run_check(
            check, names, exercise=about["exercise"], misconceptions=texts, draws=True
        ),
    )


def _is_untouched(about: Mapping[str, Any], ran: Ran, verdicts: Sequence[Verdict]) -> bool:
    """Return whether nothing has been answered yet, be it that the starter runs."""
    if any(verdict.passed for verdict in verdicts):
        return False
    is_starter = " ".join(ran.cells).split() == about["starter"].split()
    return is_starter or all(verdict.misconception in NO_ANSWER for verdict in verdicts)


def _result(about: Mapping[str, Any], verdicts: tuple[Verdict, ...], is_untouched: bool) -> Result:
    id = about["exercise"]
    is_alone = "questions" in about and len(verdicts) == 1
    return Result(
        id=id,
        verdicts=verdicts,
        titles={} if is_alone else about["titles"],
        is_untouched=is_untouched,
        hidden=about["hidden"],
        solution="" if is_untouched else about["solution"],
        last=standings[id].points if is_untouched and id in recalled else None,
    )


def _forms(about: Mapping[str, Any], ran: Ran) -> Shown:
    """Show whether answers can be graded, and not whether they are correct."""
    said: dict[str, str | CheckFailed] = {}
    for name, form in about["forms"].items():
        try:
            said[name] = form_of(name, ran.names, **form)
        except CheckFailed as failed:
            said[name] = failed
    missing = [text for text in said.values() if isinstance(text, CheckFailed)]
    answered = len(said) - len(missing)
    standing = Standing(answered=answered, of=len(said), is_started=answered > 0, is_graded=False)
    remember(about, standing, ran.cells)
    if ran.error is not None and any(text.misconception == NOT_DEFINED for text in missing):
        return failure_shown(f"Your answer does not run: {described(ran.error)} {_MEND}")
    return forms_shown(said)
