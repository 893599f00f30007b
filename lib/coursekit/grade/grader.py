"""Grade one submission: run its cells in a confined process, its checks here, and make a row.

The grader holds the checks, the expected values and the seeds. It runs no learner code, and gets
only data back.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from coursekit.grade.attempt import Attempt
from coursekit.grade.limits import Limits
from coursekit.grade.notebook_file import Cell, UnreadableError, read_notebook
from coursekit.grade.plan import Answer, answers_in
from coursekit.model import Check, Exercise, FreeText
from coursekit.notebook.exercise_cells import cell_id, cells_of
from coursekit.results import Outcome, Row
from coursekit.sandbox.sandbox import Sandbox
from coursekit.verdict import NOT_DEFINED, NOT_STARTED, TEXT_CELL, Status, Verdict

#: Raise it when the same submission may get another row: older rows are then made again.
VERSION = "10"
#: Longest text in a row (characters).
_LONGEST_TEXT = 2000


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

    Attributes
    ----------
    was_idle : bool
        Whether the last submission ran out of time because it waited: a second try would end in the
        same way.
    """

    def __init__(
        self, exercises: Sequence[Exercise], sandbox: Sandbox, limits: Limits, secret: str = ""
    ) -> None:
        self._exercises, self._sandbox = tuple(exercises), sandbox
        self._limits, self._secret = limits, secret
        self.was_idle = False
        self._parts = [cell for exercise in exercises for cell in cells_of(exercise)]
        self._starters = {c.id: c.source.split() for c in self._parts if c.role == "answer"}

    def grade(self, data: bytes, warnings: Sequence[str] = ()) -> Row:
        """Return the row for a notebook's bytes; there is one for any bytes.

        ``warnings`` are reasons for a person to look that are known already.
        """
        start, self.was_idle = time.monotonic(), False
        try:
            cells, noted = read_notebook(data)
        except UnreadableError as error:
            return failed(self._exercises, Outcome.UNREADABLE, f"the file {error}")
        warnings = [*warnings, *noted, *_of_other_versions(self._exercises, cells)]
        row = self._run(cells, warnings, hashlib.sha256(data).hexdigest())
        return replace(row, seconds=round(time.monotonic() - start, 3))

    def _run(self, cells: Sequence[Cell], warnings: Sequence[str], submission: str) -> Row:
        sandbox, limits = self._sandbox, self._limits
        attempt = Attempt(self._exercises, sandbox, limits, self._secret, submission)
        try:
            attempt.through(cells)
        finally:
            attempt.close()
        answers = answers_in(cells, self._exercises, self._parts)
        verdicts = [*self._verdicts(attempt, answers), *_free_text(self._exercises, answers)]
        ids = [cell_id(v.exercise, "answer") for v in verdicts if v.misconception == NOT_DEFINED]
        ids += [cell_id(v.exercise, "text", v.check) for v in verdicts]
        doubts = dict.fromkeys(answers[id].doubt for id in ids if id in answers)
        status, reasons = attempt.status([*warnings, *filter(None, doubts)])
        self.was_idle = status is Outcome.TIMEOUT and attempt.is_idle
        return _row(verdicts, status, "; ".join(reasons))

    def _verdicts(self, attempt: Attempt, answers: Mapping[str, Answer]) -> Iterator[Verdict]:
        """Yield one verdict for every check, in the order of the exercises."""
        for exercise in self._exercises:
            answer = answers.get(id := cell_id(exercise.id, "answer"))
            # Where the answer is the starter, a failure is not a mistake.
            is_starter = answer is not None and answer.source.split() == self._starters.get(id)
            for empty in not_run(exercise, attempt.why_not_graded):
                verdict = attempt.verdicts.get((exercise.id, empty.check), empty)
                if verdict.misconception == NOT_DEFINED and answer and answer.doubt:
                    verdict = replace(verdict, message=f"{verdict.message} {TEXT_CELL}")
                elif verdict.status is Status.FAILED and is_starter:
                    verdict = replace(verdict, misconception=NOT_STARTED, explanation="")
                yield verdict


def _of_other_versions(exercises: Sequence[Exercise], cells: Sequence[Cell]) -> Iterator[str]:
    """Yield what to say of exercises that the notebook has in another version than the course."""
    for exercise in exercises:
        own = {cell.version for cell in cells if cell.exercise == exercise.id}
        for version in sorted(own - {exercise.version}):
            named = f"version {version}" if version else "an impossible version"
            yield (
                f"its notebook has {named} of {exercise.id}, "
                f"which was graded as version {exercise.version}"
            )


def failed(exercises: Sequence[Exercise], status: Outcome, reason: str) -> Row:
    """Return the row of a submission that was not run, or failed in the grader: no points."""
    message = f"Not graded: {reason}."
    texts = [
        replace(text, status=Status.NOT_RUN, message=message, misconception=None)
        for text in _free_text(exercises, {})
    ]
    checks = [verdict for exercise in exercises for verdict in not_run(exercise, message)]
    return _row([*checks, *texts], status, reason)


def not_run(exercise: Exercise, reason: str) -> list[Verdict]:
    """Return the verdicts of an exercise whose checks were not run, and why."""
    return [_unearned(exercise, check, Status.NOT_RUN, reason) for check in exercise.checks]


def _free_text(exercises: Sequence[Exercise], answers: Mapping[str, Answer]) -> list[Verdict]:
    """Return a verdict on each prose question: it waits for a person, or there is no answer."""
    return [
        _text_verdict(exercise, question, answers.get(cell_id(exercise.id, "text", question.name)))
        for exercise in exercises
        for question in exercise.free_text
    ]


def _text_verdict(exercise: Exercise, question: FreeText, answer: Answer | None) -> Verdict:
    if answer is None:
        return _unearned(
            exercise, question, Status.FAILED, "The answer's cell is missing.", NOT_DEFINED
        )
    if not answer.source:
        return _unearned(exercise, question, Status.FAILED, "No answer yet.", NOT_STARTED)
    return _unearned(exercise, question, Status.MANUAL, "Graded by a person, with the rubric.")


def _unearned(
    exercise: Exercise,
    item: Check | FreeText,
    status: Status,
    message: str,
    misconception: str | None = None,
) -> Verdict:
    return Verdict(
        exercise=exercise.id,
        check=item.name,
        status=status,
        points=0.0,
        max_points=item.points,
        hidden=isinstance(item, Check) and item.hidden,
        message=message,
        misconception=misconception,
    )


def _row(verdicts: Sequence[Verdict], status: Outcome, reason: str) -> Row:
    """Return a row whose texts any writer of JSON, CSV or HTML can take."""
    checks = (
        replace(v, message=_printable(v.message), explanation=_printable(v.explanation))
        for v in verdicts
    )
    return Row(status=status, reason=_printable(reason), checks=tuple(checks))


def _printable(text: str) -> str:
    """Return a text that any writer of JSON, CSV or HTML accepts."""
    unknown = "\N{REPLACEMENT CHARACTER}"
    return "".join(c if c.isprintable() or c == "\n" else unknown for c in text)[:_LONGEST_TEXT]
