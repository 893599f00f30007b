"""One submission from its first cell to its last check: what ran, the verdicts, how it ended."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coursekit.grade.limits import Budget, Limits, ProcessorTimeUp, at_most
from coursekit.grade.notebook_file import Cell
from coursekit.grade.plan import Step, plan
from coursekit.grade.proxy import proxies_for
from coursekit.grade.session import RemoteError, Session, SessionOver
from coursekit.known import Known
from coursekit.made import known_of
from coursekit.model import Check, Exercise
from coursekit.results import Outcome
from coursekit.running import run_check
from coursekit.sandbox.sandbox import Sandbox
from coursekit.verdict import CHECK_ERROR, NOT_DEFINED, Verdict

#: How often hidden checks are continued after one that ended the submission's process.
_MOST_STARTS = 4


class Attempt:
    """One submission on its way through the plan.

    Visible checks run below the cells that they belong to. Hidden ones run after all visible ones
    of the notebook, so that no visible check's message can report what a hidden one tried.
    """

    def __init__(
        self,
        exercises: Sequence[Exercise],
        sandbox: Sandbox,
        limits: Limits,
        secret: str = "",
        submission: str = "",
    ) -> None:
        self._exercises, self._sandbox, self._limits = exercises, sandbox, limits
        self._draws = {"secret": secret, "submission": submission}
        #: The grader's own time for this submission: as much as the submission has itself.
        self._budget = Budget(limits.total_seconds)
        #: The verdicts of the checks that ran, by exercise and check.
        self.verdicts: dict[tuple[str, str], Verdict] = {}
        self._answers: dict[str, dict[str, Any]] = {}  # exercise: its names, when it was graded
        self._errors: dict[str, str] = {}  # name or exercise: why it may be missing
        self._is_foreign = False
        #: Its process, and those before that ended in a hidden check.
        self._sessions: list[Session] = []
        self._start()

    def through(self, cells: Sequence[Cell]) -> None:
        """Run the cells and grade each exercise in its place, until its process has to be ended."""
        steps, last = plan(cells, self._exercises)
        self._is_foreign = len(last) == len(self._exercises)
        done = 0
        try:
            self._cell(self._setup())
            for step in steps:
                self._step(step)
                done += 1
                for exercise in step.due:
                    self._grade(exercise)
            for exercise in self._exercises:
                # It may be defined in a way that the plan does not see, or below its checks.
                if exercise in last or self._is_missing(exercise):
                    self._grade(exercise)
        except SessionOver:
            pass
        self._grade_hidden(steps[:done])

    def close(self) -> None:
        """End the submission's process, unless it has ended already."""
        if self.session.over is None:
            self.session.close()

    def _start(self, deadline: float | None = None) -> None:
        self.session = Session(self._sandbox, self._limits, deadline)
        self._sessions.append(self.session)
        proxies_for(self.session)

    def _setup(self) -> str:
        return "\n".join(dict.fromkeys(e.setup for e in self._exercises if e.setup))

    def _grade_hidden(self, steps: Sequence[Step]) -> None:
        """Run the hidden checks of what has been graded, in a new process if the last one ended.

        A submission that is stopped late keeps what it has earned before, hidden points included:
        its cells up to that point run again, and the check that it was stopped in is left out.
        """
        graded = [exercise for exercise in self._exercises if exercise.id in self._answers]
        pending = [e for e in graded if any(check.hidden for check in e.checks)]
        for _ in range(_MOST_STARTS):
            if not pending:
                return
            try:
                if self.session.over is not None:
                    self._start_again(steps, pending)
                known = list(self.session.not_importable)
                while pending:
                    self._grade(pending.pop(0), hidden=True)
                    # The module that it reports as missing may name what the hidden check tried.
                    self.session.not_importable[:] = known
            except SessionOver:
                continue

    def _start_again(self, steps: Sequence[Step], pending: Sequence[Exercise]) -> None:
        self._start(self.session.deadline)
        self._cell(self._setup())
        for step in steps:
            self._step(step)
        for exercise in pending:
            self._answers[exercise.id] = self._names(exercise)

    def status(self, warnings: Sequence[str]) -> tuple[Outcome, list[str]]:
        """Return the gravest of what happened, and the reasons."""
        happened = [*(("needs_review", warning) for warning in warnings), *self._happened()]
        gravest = max([Outcome.GRADED, *(Outcome(s) for s, _ in happened)], key=[*Outcome].index)
        return gravest, [reason for _, reason in happened]

    def _happened(self) -> Iterator[tuple[str, str]]:
        """Yield what happened, each with the status that it leads to."""
        if self._is_foreign and not any(verdict.points for verdict in self.verdicts.values()):
            yield "needs_review", "it has no answer to any exercise of this chapter"
        troubles = {trouble for session in self._sessions for trouble in session.troubles}
        if "timeout" in troubles:
            yield "timeout", "some of its code was stopped after its time"
        if "memory" in troubles:
            yield "memory", "some of its code ran out of memory"
        if missing := dict.fromkeys(m for s in self._sessions for m in s.not_importable):
            yield (
                "needs_review",
                f"{', '.join(missing)} is installed, but its process could not import it: "
                "a fault of the grader's set-up, not of the work",
            )
        stopped = [c for (_, c), v in self.verdicts.items() if v.misconception == CHECK_ERROR]
        if stopped:
            yield "needs_review", f"these checks could not be completed on it: {', '.join(stopped)}"
        if over := self._over:
            yield over.status, over.reason

    @property
    def _over(self) -> SessionOver | None:
        return next((session.over for session in self._sessions if session.over), None)

    @property
    def is_idle(self) -> bool:
        """Whether it ran out of time because it waited; see `Session.is_idle`."""
        return any(session.is_idle for session in self._sessions)

    @property
    def why_not_graded(self) -> str:
        """The message of a check that did not run."""
        return f"Not graded: {self._over.reason}." if self._over else "Not graded."

    def _step(self, step: Step) -> None:
        """Run a step's cell; if it stops, remember why what it defines may be missing."""
        if reason := self._cell(step.cell.source):
            for name in step.defines | {exercise.id for exercise in step.due}:
                self._errors[name] = reason

    def _cell(self, source: str) -> str:
        """Run a cell; return why it stopped, or ""."""
        try:
            self.session.request(self._limits.cell_seconds, do="cell", source=source)
        except RemoteError as error:
            where = f" ({error.line})" if error.line else ""
            text = " ".join(error.message.split())[:300]
            return f"The answer's cell stopped with {error.remote_type}: {text}{where}."
        except TypeError:
            return "The answer's cell is too long to be run."
        return ""

    def _grade(self, exercise: Exercise, hidden: bool = False) -> None:
        """Run the visible checks of an exercise on what its names hold now, or the hidden ones."""
        if not hidden:
            self._answers.pop(exercise.id, None)
            names = self._names(exercise)
        else:
            names = self._answers[exercise.id]
        for check in exercise.checks:
            if check.hidden is hidden:
                self.verdicts[exercise.id, check.name] = self._verdict(exercise, check, names)
        self._answers[exercise.id] = names
        if self.session.has_graphs:
            self.session.request(self._limits.call_seconds, do="forget")
            self.session.has_graphs = False

    def _verdict(self, exercise: Exercise, check: Check, names: Mapping[str, Any]) -> Verdict:
        check_seconds, left = self._limits.check_seconds, self._budget.left()
        try:
            with at_most(min(check_seconds, left)):
                verdict = run_check(
                    check,
                    names,
                    exercise=exercise.id,
                    misconceptions=exercise.misconceptions,
                    without_torch=exercise.without_torch,
                    known=lambda: self._known(exercise, check),
                    **self._draws,
                )
        except ProcessorTimeUp:
            limit = self._budget.seconds if left < check_seconds else check_seconds
            reason = f"its answers kept the grader busy for more than {limit:g} seconds"
            self.session.end("timeout", reason)
        except SessionOver as over:
            if not check.hidden:
                raise
            # How it ended may be a message of its own that reports what the hidden check tried.
            self.session.over = SessionOver(over.status, "its process ended in a hidden check")
            raise self.session.over from None
        if verdict.misconception == NOT_DEFINED:
            # A name that holds something that cannot be called is reported as missing, too.
            missing = next((name for name in check.names if name not in names), "")
            why = self._errors.get(missing) or self._errors.get(exercise.id, "")
            verdict = replace(verdict, message=f"{verdict.message} {why}".strip())
        return verdict

    def _known(self, exercise: Exercise, check: Check) -> Known:
        """Find out what the exercise's mistakes give, in time that is not the submission's."""
        start = time.monotonic()
        with self._budget.stopped():
            known = known_of(exercise, check, **self._draws)
        self.session.deadline += time.monotonic() - start
        return known

    def _names(self, exercise: Exercise) -> dict[str, Any]:
        try:
            return self._request_names(exercise.names)
        except RemoteError:
            pass
        # One of them cannot be read; the others can.
        values: dict[str, Any] = {}
        for name in exercise.names:
            try:
                values |= self._request_names([name])
            except RemoteError as error:
                self._errors[name] = f"Its value cannot be read: {error.message}."
        return values

    def _request_names(self, names: Sequence[str]) -> dict[str, Any]:
        seconds = self._limits.call_seconds
        values = self.session.request(seconds, do="names", names=list(names))
        return values if isinstance(values, dict) else {}

    def _is_missing(self, exercise: Exercise) -> bool:
        verdicts = [self.verdicts.get((exercise.id, c.name)) for c in exercise.checks]
        return any(v is not None and v.misconception == NOT_DEFINED for v in verdicts)
