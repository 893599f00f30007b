"""A batch from start to end: which submissions need grading, and one row for each."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from operator import attrgetter
from typing import Any, Protocol

from coursekit.check_hash import check_hash
from coursekit.course import owner_of
from coursekit.errors import CoursekitError
from coursekit.grade.basis import basis
from coursekit.grade.choice import NoNotebookError
from coursekit.grade.class_files import UnusableError
from coursekit.grade.grader import VERSION, failed, unreadable
from coursekit.grade.installed import installed
from coursekit.grade.intake import Submission
from coursekit.grade.pool import Done, Job
from coursekit.grade.progress import progress
from coursekit.grade.regrade import Change, change_of, is_same_work, raised, settled
from coursekit.grade.rows import ResultsFile, key_of
from coursekit.grade.summary import Summary
from coursekit.grade.task import Task
from coursekit.grade.times import Times
from coursekit.model import Exercise
from coursekit.row import NOT_SUBMITTED, Row
from coursekit.sandbox.restrictions import LEVELS

_IMPORT = re.compile(r"^(?:import|from)\s+([A-Za-z_][\w.]*)", re.MULTILINE)
#: What a cell with a magic needs.
_SHELL = ("IPython.core.inputtransformer2",)


class Workers(Protocol):
    """The workers that grade jobs: processes of this machine, or of a cluster.

    ``alone`` asks for one job at a time, with nothing else under way.
    """

    def __call__(self, task: Task, jobs: Iterable[Job], *, alone: bool = False) -> Iterator[Done]:
        """Yield the outcome of every job, as they come."""


@dataclass(frozen=True)
class Selection:
    """Which submissions a run grades.

    Attributes
    ----------
    students : frozenset of str
        Only theirs; everybody's if it is empty.
    again : frozenset of str
        Rows with one of these statuses are made again, even if they are up to date.
    zone : tzinfo or None
        Of the clocks whose times of submission come without one; None: this machine's.
    keep_higher : bool
        Of two results of the same work the higher one counts, exercise by exercise.
    """

    students: frozenset[str] = frozenset()
    again: frozenset[str] = frozenset()
    zone: tzinfo | None = None
    keep_higher: bool = False


def run_batch(
    task: Task,
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    results: ResultsFile,
    workers: Workers,
    selection: Selection | None = None,
) -> Summary:
    """Grade every submission that has no up-to-date row, and return a summary of the whole class.

    A submission that runs out of processor time is tried again when nothing else is under way, and
    only the second outcome is written. One that waited instead is not: it would wait again.

    Raises
    ------
    CoursekitError
        A selected student has handed in nothing.
    """
    selection = selection or Selection()
    selected = _selected(submissions, selection)
    batch = _Batch(task, exercises, results, selection)
    with progress(len(selected), f"grading {task.chapter}") as step:
        timed_out = []
        for submission, row, isolation in workers(task, batch.jobs(selected, step)):
            if row["status"] == "timeout" and not row["is_idle"]:
                timed_out.append(submission)
            else:
                batch.write(submission.student, _tried_once(row), isolation)
                step()
        for submission, row, isolation in workers(task, batch.jobs(timed_out, step), alone=True):
            batch.write(submission.student, _tried_twice(row), isolation)
            step()
    if not selection.students:
        batch.mark_withdrawn(submissions)
    batch.retimed = batch.times.write()
    results.finish()
    return batch.summary(selected)


def _selected(submissions: Sequence[Submission], selection: Selection) -> Sequence[Submission]:
    if not selection.students:
        return submissions
    unknown = selection.students - {submission.student for submission in submissions}
    if unknown:
        raise CoursekitError(
            f"no submission of {', '.join(sorted(unknown))}; expected names as in the results, "
            f"such as {submissions[0].student}"
        )
    return [s for s in submissions if s.student in selection.students]


def _tried_once(row: dict[str, Any]) -> dict[str, Any]:
    if not row["is_idle"]:
        return row
    why = "it waited instead of computing, and was not tried again"
    return {**row, "reason": f"{row['reason']}; {why}"}


def _tried_twice(row: dict[str, Any]) -> dict[str, Any]:
    if row["status"] != "timeout":
        return row
    return {**row, "reason": f"{row['reason']}; a second try alone ended in the same way"}


class _Batch:
    """The run's view of the results file: what is up to date, and what the run has written."""

    def __init__(
        self,
        task: Task,
        exercises: Sequence[Exercise],
        results: ResultsFile,
        selection: Selection,
    ) -> None:
        self._task, self._exercises, self._results = task, exercises, results
        self._again, self._keep_higher = selection.again, selection.keep_higher
        self.times = Times(results, task.chapter, selection.zone)
        self.retimed = 0
        self._fingerprint = task.secret_fingerprint
        self._basis = key_of(VERSION, self._fingerprint, basis(exercises))
        course = owner_of(exercises[0].path) if exercises else None
        self._course = course.label if course else ""
        self._exercise_versions = {exercise.id: exercise.version for exercise in exercises}
        self._check_hashes = {exercise.id: check_hash(exercise) for exercise in exercises}
        self._under_way: dict[str, dict[str, Any]] = {}  # student: key and time of the work
        self._kept = 0
        self._graded: set[str] = set()
        self._withdrawn: list[str] = []
        self._changed: list[Change] = []
        self._resubmitted: list[Change] = []

    def jobs(self, submissions: Iterable[Submission], step: Callable[..., None]) -> Iterator[Job]:
        """Yield what must be graded; write the row of what cannot even be read."""
        for submission in submissions:
            student, unusable = submission.student, None
            try:
                data, warnings = submission.read()
                work = _digest(data)
            except UnusableError as error:
                unusable = self._unusable(error)
                work = _digest(f"{unusable.status}: {error}".encode())
            key = key_of(self._task.chapter, student, self._basis, work)
            is_kept = self._is_up_to_date(student, key)
            same_work = is_kept or self._is_regraded(student, work)
            hand_in = self.times.of(submission, is_kept=is_kept, same_work=same_work)
            if is_kept:
                self._kept += 1
                self._raise(student)
                step(fresh=False)
                continue
            self._under_way[student] = {"key": key, "work": work, **hand_in}
            if unusable:
                self.write(student, unusable.as_json(), "")
                step()
            else:
                yield submission, data, warnings

    def _unusable(self, error: UnusableError) -> Row:
        if isinstance(error, NoNotebookError):
            return failed(self._exercises, NOT_SUBMITTED, str(error))
        return unreadable(self._exercises, str(error))

    def write(self, student: str, row: dict[str, Any], isolation: str) -> None:
        """Write a student's row: the grader's part of it, and what only the batch knows."""
        about: dict[str, Any] = {"student": student, "assignment": self._task.chapter}
        about |= {"isolation": isolation, "limits": self._task.limits.as_row()}
        about |= {"secret_fingerprint": self._fingerprint, "withdrawn": False}
        about |= {"course": self._course, "versions": self._exercise_versions}
        about |= {"check_hashes": self._check_hashes}
        new = Row.from_json({**row, **about, **self._under_way.pop(student)})
        old = self._results.row(self._task.chapter, student)
        if old is not None:
            new = settled(old, new, self._keep_higher)
            self._note(old, new)
        self._results.add(new.as_json())
        self._graded.add(student)

    def _raise(self, student: str) -> None:
        """Let higher former results of an up-to-date row count, where that is asked for."""
        old = self._results.row(self._task.chapter, student) if self._keep_higher else None
        if old is not None and (new := raised(old)) != old:
            self._note(old, new)
            self._results.add(new.as_json())

    def _note(self, old: Row, new: Row) -> None:
        if change := change_of(old, new):
            (self._changed if is_same_work(old, new) else self._resubmitted).append(change)

    def mark_withdrawn(self, submissions: Sequence[Submission]) -> None:
        """Note whose work is no longer in the folder, and whose is there again.

        ``submissions`` is ordered by student, and is searched instead of copied: a class may be
        large.
        """
        chapter = self._task.chapter
        for student in self._results.students(chapter):
            stored = self._results.stored(chapter, student)
            place = bisect_left(submissions, student, key=attrgetter("student"))
            is_gone = place == len(submissions) or submissions[place].student != student
            if stored is not None and stored.withdrawn != is_gone:
                self._results.mark_withdrawn(chapter, student, is_gone)
            if is_gone:
                self._withdrawn.append(student)

    def summary(self, selected: Sequence[Submission]) -> Summary:
        """Return what the run came to."""
        chapter = self._task.chapter
        summary = Summary(
            chapter,
            selected=len(selected),
            kept=self._kept,
            missing=sum(self._results.stored(chapter, s.student) is None for s in selected),
            retimed=self.retimed,
            graded=self._graded,
            withdrawn=self._withdrawn,
            times=list(self.times.lines()),
            changed=self._changed,
            resubmitted=self._resubmitted,
        )
        summary.count(self._results.rows(chapter))
        return summary

    def _is_regraded(self, student: str, work: str) -> bool:
        """Whether the same work was graded before, by other checks or in another way."""
        old = self._results.row(self._task.chapter, student)
        return old is not None and old.work == work

    def _is_up_to_date(self, student: str, key: str) -> bool:
        stored = self._results.stored(self._task.chapter, student)
        if stored is None or stored.key != key or stored.status in self._again:
            return False
        level = stored.isolation.partition("+")[0]
        # Work that was never run has no level; what ran at a weaker level is graded again.
        return not level or LEVELS.index(level) <= LEVELS.index(self._task.level)


def _digest(work: bytes) -> str:
    return hashlib.sha256(work).hexdigest()[:32]


def modules_to_preload(exercises: Sequence[Exercise], more: Sequence[str] = ()) -> list[str]:
    """Return what the fork server imports once, so that no submission has to.

    These are the modules that the exercises import for the learner, and ``more`` that the
    instructor names. A submission's text never adds to them: it would choose what runs before
    anything is confined.
    """
    setups = "\n".join(exercise.setup for exercise in exercises)
    modules = dict.fromkeys(["numpy", *_SHELL, *_IMPORT.findall(setups), *more])
    return installed(modules)
