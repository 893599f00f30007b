"""A batch from start to end: what is there to grade, what is done already, and one row for each."""

from __future__ import annotations

import hashlib
import re
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.machinery import PathFinder
from operator import attrgetter
from typing import Any, Protocol

from coursekit.errors import CoursekitError
from coursekit.grade.grader import unreadable
from coursekit.grade.pool import Done, Job
from coursekit.grade.progress import progress
from coursekit.grade.rows import ResultsFile, key_of
from coursekit.grade.task import Task
from coursekit.grade.work import Submission, UnusableError
from coursekit.model import Exercise
from coursekit.sandbox.restrictions import LEVELS

_IMPORT = re.compile(r"^(?:import|from)\s+([A-Za-z_][\w.]*)", re.MULTILINE)
#: How many rows are named at the end of a run.
_MOST_LOOKED_AT = 20
#: What a cell with a magic needs.
_SHELL = ("IPython.core.inputtransformer2",)


class Graders(Protocol):
    """Whoever grades jobs: a pool of this machine, or of a cluster.

    ``alone`` asks for one job at a time, with nothing else under way.
    """

    def __call__(self, task: Task, jobs: Iterable[Job], *, alone: bool = False) -> Iterator[Done]:
        """Yield the outcome of every job, as they come."""


@dataclass(frozen=True)
class Selection:
    """Which submissions are wanted: of these students only, and again where the row says this."""

    students: frozenset[str] = frozenset()
    again: frozenset[str] = frozenset()


@dataclass
class Summary:
    """What a batch came to; ``fresh`` are the students who were graded just now."""

    total: int = 0
    missing: int = 0
    kept: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    weak: Counter[str] = field(default_factory=Counter)
    manual: int = 0
    fresh: set[str] = field(default_factory=set)
    withdrawn: list[str] = field(default_factory=list)
    #: (student, status, reason) of the first rows that are not simply graded.
    to_look_at: list[tuple[str, str, str]] = field(default_factory=list)


def run_batch(
    task: Task,
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    results: ResultsFile,
    graders: Graders,
    selection: Selection | None = None,
) -> Summary:
    """Grade what has no row yet, and return what the whole class came to.

    A submission that ran out of time is tried again when nothing else is under way: only what
    happens then is written.

    Raises
    ------
    CoursekitError
        A student that is asked for has handed in nothing.
    """
    selection = selection or Selection()
    wanted = _selected(submissions, selection)
    batch = _Batch(task, exercises, results, selection)
    with progress(len(wanted), f"grading {task.chapter}") as step:
        late = []
        for submission, row, isolation in graders(task, batch.jobs(wanted, step)):
            if row["status"] == "timeout":
                late.append(submission)
            else:
                batch.write(submission.student, row, isolation)
                step()
        for submission, row, isolation in graders(task, batch.jobs(late, step), alone=True):
            batch.write(submission.student, _tried_twice(row), isolation)
            step()
    if not selection.students:
        batch.mark_withdrawn(submissions)
    results.finish()
    return _summary(task.chapter, batch, results, wanted)


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


def _tried_twice(row: dict[str, Any]) -> dict[str, Any]:
    if row["status"] != "timeout":
        return row
    return {**row, "reason": f"{row['reason']}; tried a second time alone, with the same end"}


def _summary(
    chapter: str, batch: _Batch, results: ResultsFile, wanted: Sequence[Submission]
) -> Summary:
    summary = Summary(total=len(wanted), kept=batch.kept, fresh=batch.fresh)
    for row in results.rows(chapter):
        summary.statuses[row.status] += 1
        if row.status != "graded" and len(summary.to_look_at) <= _MOST_LOOKED_AT:
            summary.to_look_at.append((row.student, row.status, row.reason))
        level = row.isolation.partition("+")[0]
        if level not in ("", LEVELS[0]):
            summary.weak[level] += 1
        summary.manual += row.needs_manual
    summary.missing = sum(results.stored(chapter, s.student) is None for s in wanted)
    summary.withdrawn = batch.withdrawn
    return summary


class _Batch:
    def __init__(
        self,
        task: Task,
        exercises: Sequence[Exercise],
        results: ResultsFile,
        selection: Selection,
    ) -> None:
        self._task, self._exercises, self._results = task, exercises, results
        self._again = selection.again
        self._version = task.version
        self._under_way: dict[str, dict[str, Any]] = {}  # student: key and time of the work
        self.kept = 0
        self.fresh: set[str] = set()
        self.withdrawn: list[str] = []

    def jobs(self, submissions: Iterable[Submission], step: Callable[..., None]) -> Iterator[Job]:
        """Yield what must be graded; what cannot even be read gets its row at once."""
        for submission in submissions:
            student = submission.student
            try:
                data, warnings = submission.read()
                key = self._key(student, data)
            except UnusableError as error:
                data, warnings, key = b"", (str(error),), self._key(student, str(error))
            if self._is_kept(student, key):
                self.kept += 1
                step(fresh=False)
                continue
            self._under_way[student] = {"key": key, "timestamp": submission.timestamp}
            if not data and warnings:
                self.write(student, unreadable(self._exercises, warnings[0]).as_json(), "")
                step()
            else:
                yield submission, data, warnings

    def write(self, student: str, row: dict[str, Any], isolation: str) -> None:
        """Write one row."""
        about = {"student": student, "assignment": self._task.chapter, "isolation": isolation}
        about |= self._under_way.pop(student)
        more = {"limits": self._task.limits.as_row(), "withdrawn": False}
        self._results.add({**row, **about, **more})
        self.fresh.add(student)

    def mark_withdrawn(self, handed_in: Sequence[Submission]) -> None:
        """Note whose work is gone from the folder, and whose is back.

        ``handed_in`` is ordered by student: a large class is looked through, not copied.
        """
        chapter = self._task.chapter
        for student in self._results.students(chapter):
            stored = self._results.stored(chapter, student)
            at = bisect_left(handed_in, student, key=attrgetter("student"))
            gone = at == len(handed_in) or handed_in[at].student != student
            if stored is not None and stored.withdrawn != gone:
                self._results.mark_withdrawn(chapter, student, gone)
            if gone:
                self.withdrawn.append(student)

    def _is_kept(self, student: str, key: str) -> bool:
        stored = self._results.stored(self._task.chapter, student)
        if stored is None or stored.key != key or stored.status in self._again:
            return False
        level = stored.isolation.partition("+")[0]
        # What was not run was not confined; what was run with less is run again.
        return not level or LEVELS.index(level) <= LEVELS.index(self._task.level)

    def _key(self, student: str, work: bytes | str) -> str:
        content = work if isinstance(work, bytes) else b"unusable: " + work.encode()
        return key_of(self._task.chapter, student, self._version, hashlib.sha256(content).digest())


def modules_to_preload(exercises: Sequence[Exercise], more: Sequence[str] = ()) -> list[str]:
    """Return what the fork server imports once, so that it costs a submission nothing.

    What the exercises import for the learner, and ``more`` that the instructor names; never what a
    submission says, which would choose what runs before any submission is confined.
    """
    given = _IMPORT.findall("\n".join(exercise.setup for exercise in exercises))
    wanted = dict.fromkeys(["numpy", *_SHELL, *given, *more])
    return [name for name in wanted if _is_installed(name)]


def _is_installed(name: str) -> bool:
    top = name.split(".")[0]
    return top not in sys.stdlib_module_names and PathFinder.find_spec(top) is not None
