"""Grade one submission: run its cells in a confined process, its checks here, and make a row.

The grader holds the checks, the expected values and the seeds. It runs no learner code, and what
comes back to it is data.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from coursekit.grade.attempt import Attempt
from coursekit.grade.limits import Limits
from coursekit.grade.notebook_file import Cell, NotebookFile, UnreadableError, read_notebook
from coursekit.grade.session import Session
from coursekit.model import Exercise, FreeText
from coursekit.notebook.exercise_cells import WRITE_HERE, cell_id
from coursekit.running import CheckResult, run_check
from coursekit.sandbox.sandbox import Sandbox
from coursekit.verdict import Status

#: Raise it when the same submission may get another row: rows made before are then made again.
VERSION = "4"
_MESSAGE = 2000


@dataclass(frozen=True)
class Outcome:
    """What grading one submission came to, in a row's own words."""

    status: str
    checks: tuple[CheckResult, ...]
    reason: str = ""
    needs_manual: bool = False
    seconds: float = 0.0

    def as_row(self) -> dict[str, Any]:
        """Return the part of a results row that the grader knows."""
        checks = [_as_entry(check) for check in self.checks]
        return {
            "status": self.status,
            "score": round(sum(c.points for c in self.checks), 6),
            "max_score": round(sum(c.max_points for c in self.checks), 6),
            "needs_manual": self.needs_manual,
            "reason": _printable(self.reason),
            "seconds": round(self.seconds, 3),
            "checks": checks,
        }


class Grader:
    """Grades submissions of one chapter, one after the other.

    Parameters
    ----------
    exercises : sequence of Exercise
        The chapter's, with their checks.
    sandbox : Sandbox
        Where submissions run.
    limits : Limits
        What each may use.
    secret : str
        Moves the random numbers of hidden checks.
    """

    def __init__(
        self, exercises: Sequence[Exercise], sandbox: Sandbox, limits: Limits, secret: str = ""
    ) -> None:
        self._exercises, self._sandbox = tuple(exercises), sandbox
        self._limits, self._secret = limits, secret

    def grade(self, data: bytes, warnings: Sequence[str] = ()) -> Outcome:
        """Return the outcome for a notebook's bytes; whatever they are, there is one.

        ``warnings`` are reasons for a person to look that were found before.
        """
        start = time.monotonic()
        try:
            notebook = read_notebook(data)
        except UnreadableError as error:
            return unreadable(self._exercises, f"the file {error}")
        whole = replace(notebook, warnings=(*warnings, *notebook.warnings))
        outcome = self._run(whole, hashlib.sha256(data).hexdigest())
        return replace(outcome, seconds=time.monotonic() - start)

    def _run(self, notebook: NotebookFile, submission: str) -> Outcome:
        start = partial(Session, self._sandbox, self._limits)
        check_with = partial(run_check, secret=self._secret, submission=submission)
        attempt = Attempt(self._exercises, start, check_with)
        try:
            attempt.through(notebook.cells)
        finally:
            attempt.close()
        texts = _free_text(self._exercises, notebook.cells)
        status, reasons = attempt.status(notebook.warnings)
        return Outcome(
            status=status,
            checks=(*self._results(attempt), *texts),
            reason="; ".join(reasons),
            needs_manual=any(text.status is Status.MANUAL for text in texts),
        )

    def _results(self, attempt: Attempt) -> list[CheckResult]:
        """Return one verdict for every check, in the bank's order."""
        return [
            attempt.verdicts.get((exercise.id, empty.check), empty)
            for exercise in self._exercises
            for empty in nothing(exercise, attempt.why_not_graded)
        ]


def unreadable(exercises: Sequence[Exercise], reason: str) -> Outcome:
    """Return the outcome of a submission that cannot be run: no points, and why."""
    told = f"Not graded: {reason}."
    texts = [
        replace(text, status=Status.NOT_RUN, message=told, misconception=None)
        for text in _free_text(exercises, ())
    ]
    checks = [result for exercise in exercises for result in nothing(exercise, told)]
    return Outcome(status="unreadable", checks=(*checks, *texts), reason=reason)


def failed(exercises: Sequence[Exercise], status: str, reason: str) -> Outcome:
    """Return the outcome of a submission on which the grader itself came to grief."""
    return replace(unreadable(exercises, reason), status=status)


def nothing(exercise: Exercise, reason: str) -> list[CheckResult]:
    """Return no points for each check of an exercise, and why."""
    return [
        CheckResult(exercise.id, c.name, Status.NOT_RUN, 0.0, c.points, c.hidden, reason)
        for c in exercise.checks
    ]


def _free_text(exercises: Sequence[Exercise], cells: Sequence[Cell]) -> list[CheckResult]:
    """Return an entry for each prose question: open for a person, or nothing to read."""
    return [
        _text_result(exercise, question, _prose(exercise, question, cells))
        for exercise in exercises
        for question in exercise.free_text
    ]


def _prose(exercise: Exercise, question: FreeText, cells: Sequence[Cell]) -> str | None:
    id = cell_id(exercise.id, "text", question.name)
    asked = (exercise.id, "text", question.name)
    found = [c.source for c in cells if c.grade_id == id or (c.exercise, c.role, c.item) == asked]
    return found[-1].strip() if found else None


def _text_result(exercise: Exercise, question: FreeText, prose: str | None) -> CheckResult:
    status, misconception = Status.FAILED, None
    if prose is None:
        message, misconception = "The answer's cell is missing.", "not-defined"
    elif not prose or prose == WRITE_HERE:
        message, misconception = "No answer yet.", "not-started"
    else:
        status, message = Status.MANUAL, "Graded by a person, with the rubric."
    most = question.points
    return CheckResult(exercise.id, question.name, status, 0.0, most, False, message, misconception)


def _as_entry(check: CheckResult) -> dict[str, Any]:
    points = {"points": float(check.points), "max_points": float(check.max_points)}
    texts = {"message": _printable(check.message), "explanation": _printable(check.explanation)}
    return {**asdict(check), **points, **texts, "status": check.status.value}


def _printable(text: str) -> str:
    """Return text that any writer of JSON, CSV or HTML can take."""
    kept = "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
    return kept[:_MESSAGE]
