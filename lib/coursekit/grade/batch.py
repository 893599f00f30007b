"""A batch from start to end: what is there to grade, what is done already, and one row for each."""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from coursekit.grade.judge import unreadable
from coursekit.grade.notebook_file import UnreadableError, read_notebook
from coursekit.grade.pool import Done, Job
from coursekit.grade.progress import progress
from coursekit.grade.rows import ResultsFile, key_of
from coursekit.grade.task import Task
from coursekit.grade.work import Submission, UnusableError
from coursekit.model import Exercise

_IMPORT = re.compile(r"^(?:import|from)\s+([A-Za-z_][\w.]*)", re.MULTILINE)
#: Never imported by a zygote on a learner's word.
_JUDGES = ("coursekit", "exercises")
_SAMPLE = 20


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


def modules_to_preload(
    submissions: Sequence[Submission], exercises: Sequence[Exercise]
) -> list[str]:
    """Return the modules that at least half of a sample imports, and those the exercises name.

    Imported once by the zygote, they cost a submission nothing.
    """
    given = _IMPORT.findall("\n".join(exercise.setup for exercise in exercises))
    step = max(len(submissions) // _SAMPLE, 1)
    sample = [_imports(submission) for submission in submissions[::step][:_SAMPLE]]
    counted = Counter(name for names in sample for name in names)
    usual = [name for name, count in counted.items() if 2 * count >= len(sample)]
    wanted = dict.fromkeys(["numpy", *given, *sorted(usual)])
    return [name for name in wanted if _is_installed(name)]


def _imports(submission: Submission) -> set[str]:
    try:
        notebook = read_notebook(submission.read()[0])
    except (UnusableError, UnreadableError):
        return set()
    sources = [cell.source for cell in notebook.cells if cell.is_code]
    names = {name for source in sources for name in _IMPORT.findall(source)}
    if any(re.search(r"^\s*[%!]", source, re.MULTILINE) for source in sources):
        names.add("IPython.core.inputtransformer2")
    return names


def _is_installed(name: str) -> bool:
    top = name.split(".")[0]
    if top in _JUDGES or top in sys.stdlib_module_names:
        return False
    try:
        return find_spec(top) is not None
    except (ImportError, ValueError):
        return False
