"""A batch from start to end: what is there to grade, what is done already, and one row for each."""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.machinery import PathFinder
from typing import Any

from coursekit.grade.judge import unreadable
from coursekit.grade.pool import Done, Job
from coursekit.grade.progress import progress
from coursekit.grade.rows import ResultsFile, key_of
from coursekit.grade.submissions import Submission, UnusableError
from coursekit.grade.task import Task
from coursekit.model import Exercise

_IMPORT = re.compile(r"^(?:import|from)\s+([A-Za-z_][\w.]*)", re.MULTILINE)
#: What a cell with a magic needs.
_SHELL = ("IPython.core.inputtransformer2",)


@dataclass
class Summary:
    """What a batch came to; ``fresh`` are the students who were graded just now."""

    total: int = 0
    missing: int = 0
    kept: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    manual: int = 0
    fresh: set[str] = field(default_factory=set)


def run_batch(
    task: Task,
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    results: ResultsFile,
    grade_all: Callable[[Task, Iterable[Job]], Iterator[Done]],
) -> Summary:
    """Grade what has no row yet, and return what the whole class came to.

    ``grade_all`` is a pool of judges: of this machine or of a cluster.
    """
    batch = _Batch(task, exercises, results)
    with progress(len(submissions), f"grading {task.chapter}") as step:
        for (student, key), row, isolation in grade_all(task, batch.jobs(submissions, step)):
            batch.write(student, key, row, isolation)
            step()
    results.finish()
    summary = Summary(total=len(submissions), kept=batch.kept, fresh=batch.fresh)
    for row in results.rows(task.chapter):
        summary.statuses[row["status"]] += 1
        summary.manual += bool(row["needs_manual"])
    summary.missing = sum(not results.knows(task.chapter, s.student) for s in submissions)
    return summary


class _Batch:
    def __init__(self, task: Task, exercises: Sequence[Exercise], results: ResultsFile) -> None:
        self._task, self._exercises, self._results = task, exercises, results
        self._version = task.version
        self.kept = 0
        self.fresh: set[str] = set()

    def jobs(self, submissions: Iterable[Submission], step: Callable[[], None]) -> Iterator[Job]:
        """Yield what must be graded; what cannot even be read gets its row at once."""
        for submission in submissions:
            student = submission.student
            try:
                data, doubts = submission.read()
                key = self._key(student, data)
            except UnusableError as error:
                data, doubts, key = b"", (str(error),), self._key(student, str(error))
            if self._results.has(self._task.chapter, student, key):
                self.kept += 1
                step()
            elif not data and doubts:
                row = unreadable(self._exercises, doubts[0]).as_row()
                self.write(student, key, row, "")
                step()
            else:
                yield (student, key), data, doubts

    def write(self, student: str, key: str, row: dict[str, Any], isolation: str) -> None:
        """Write one row."""
        about = {"key": key, "student": student, "assignment": self._task.chapter}
        self._results.add({**about, **row, "isolation": isolation})
        self.fresh.add(student)

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
