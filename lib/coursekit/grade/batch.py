"""A batch from start to end: which submissions need grading, and one row for each."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.machinery import PathFinder
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, TypeAlias

from coursekit.course import Course, installed_courses, owner_of
from coursekit.errors import CoursekitError
from coursekit.grade.choice import NoNotebookError
from coursekit.grade.class_files import UnusableError
from coursekit.grade.grader import VERSION, failed
from coursekit.grade.installed import installed
from coursekit.grade.intake import Submission
from coursekit.grade.pool import Done, Job
from coursekit.grade.results_file import ResultsFile
from coursekit.grade.summary import Progress, Summary
from coursekit.grade.task import Task
from coursekit.model import Exercise
from coursekit.results import Outcome, Row
from coursekit.sandbox.restrictions import LEVELS

_IMPORT = re.compile(r"^(?:import|from)\s+([A-Za-z_][\w.]*)", re.MULTILINE)
#: What a cell with a magic needs.
_SHELL = ("IPython.core.inputtransformer2",)
#: Yields the outcomes of jobs for a task, as they come; with ``alone`` one job at a time, with
#: nothing else under way.
Workers: TypeAlias = Callable[..., Iterator[Done]]


def run_batch(
    task: Task,
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    results: ResultsFile,
    workers: Workers,
    *,
    only: Collection[str] = (),
    again: Collection[str] = (),
) -> Summary:
    """Grade every submission that has no up-to-date row, and return a summary of the whole class.

    The caller finishes ``results``: that ends its lock, under which all else is to be written.

    A submission that runs out of processor time is tried again when nothing else is under way, and
    only the second outcome is written. One that waited instead is not: it would wait again.

    Parameters
    ----------
    only : collection of str
        Students whose work alone is graded; everybody's if it is empty.
    again : collection of str
        Rows with one of these statuses are made again, even if they are up to date.

    Raises
    ------
    CoursekitError
        A selected student has handed in nothing.
    """
    batch = _Batch(task, exercises, results, set(again))
    selected = _selected(submissions, only)
    progress = Progress(len(selected), f"grading {task.chapter}")
    waiting, timed_out = list[Submission](), list[Submission]()
    for submission in selected:
        if batch.is_settled(submission):
            progress.step(fresh=False)
        else:
            waiting.append(submission)
    for alone, those in ((False, waiting), (True, timed_out)):
        for submission, found, isolation in workers(task, _jobs(those), alone=alone):
            why = ""
            if alone and found["status"] == Outcome.TIMEOUT:
                why = "; a second try alone ended in the same way"
            elif found.get("is_idle"):
                why = "; it waited instead of computing, and was not tried again"
            elif found["status"] == Outcome.TIMEOUT:
                timed_out.append(submission)
                continue
            batch.write(submission, found, isolation, why)
            progress.step()
    if not only:
        batch.mark_withdrawn(submissions)
    return batch.summary


def _selected(submissions: Sequence[Submission], only: Collection[str]) -> Sequence[Submission]:
    if not only:
        return submissions
    if unknown := set(only) - {submission.student for submission in submissions}:
        raise CoursekitError(
            f"no submission of {', '.join(sorted(unknown))}; expected names as in the results, "
            f"such as {submissions[0].student}"
        )
    return [submission for submission in submissions if submission.student in only]


def _jobs(submissions: Iterable[Submission]) -> Iterator[Job]:
    """Yield what the workers grade; a notebook's bytes are read when one of them is free."""
    for submission in submissions:
        try:
            yield submission, *submission.read()
        except UnusableError as error:
            raise CoursekitError(
                f"the notebook of {submission.student} was changed meanwhile ({error}); run the "
                "same command again"
            ) from None


class _Batch:
    """The run's view of the results file: what is up to date, and what the run has written."""

    def __init__(
        self, task: Task, exercises: Sequence[Exercise], results: ResultsFile, again: set[str]
    ) -> None:
        self._task, self._exercises, self._results = task, exercises, results
        self._again = again
        self._basis = basis(task, exercises)
        self._fingerprint = task.secret_fingerprint
        self._keys: dict[str, str] = {}  # of the work that is under way, by student
        self.summary = Summary(task.chapter)

    def is_settled(self, submission: Submission) -> bool:
        """Return whether a submission's row is up to date, or is made here without a worker."""
        found: Row | None = None
        try:
            work = submission.read()[0]
        except NoNotebookError as error:
            found = failed(self._exercises, Outcome.NOT_SUBMITTED, str(error))
        except UnusableError as error:
            found = failed(self._exercises, Outcome.UNREADABLE, str(error))
        if found is not None:
            work = f"{found.status}: {found.reason}".encode()
        self._keys[submission.student] = f"{_digest(work)}-{self._basis}"
        self.summary.selected += 1
        if self._is_kept(submission):
            return True
        if found is None:
            return False
        self.write(submission, found.as_json(), "")
        return True

    def _is_kept(self, submission: Submission) -> bool:
        """Return whether a row is up to date; bring its time of submission up to date."""
        old = self._results.rows.get((self._task.chapter, submission.student))
        if old is None or old.key != self._keys[submission.student] or old.status in self._again:
            return False
        level = old.isolation.partition("+")[0]
        # Work that was never run has no level; what ran at a weaker level is graded again.
        if level and LEVELS.index(level) > LEVELS.index(self._task.level):
            return False
        new = replace(_timed(old, submission, old), withdrawn=False)
        if new != old:
            self._results.add(new)
        self.summary.kept += 1
        self.summary.retimed += new.timestamp != old.timestamp
        return True

    def write(
        self, submission: Submission, found: dict[str, Any], isolation: str, why: str = ""
    ) -> None:
        """Write a student's row: what the grader found, and what only the batch knows."""
        row = Row.from_json(found)
        new = replace(
            row,
            key=self._keys[submission.student],
            student=submission.student,
            assignment=self._task.chapter,
            reason=row.reason + why,
            isolation=isolation,
            secret_fingerprint=self._fingerprint,
        )
        old = self._results.rows.get(new.place)
        new = _timed(new, submission, old)
        self._results.add(new)
        self.summary.note(old, new)

    def mark_withdrawn(self, submissions: Sequence[Submission]) -> None:
        """Note whose work is no longer among the submissions."""
        here = {submission.student for submission in submissions}
        for row in self._results.of(self._task.chapter):
            if row.student not in here:
                self._results.add(replace(row, withdrawn=True))


def _timed(row: Row, submission: Submission, old: Row | None) -> Row:
    """Return a row with the time of submission.

    That of an earlier run stays for the same work where it was in an LMS's list, which this run may
    not have been given.
    """
    is_listed = submission.intake.layout != "nbgrader"
    before = old.timestamp if is_listed and old is not None and old.is_same_work(row) else None
    return replace(
        row,
        timestamp=submission.timestamp or before,
        marked_late=submission.is_marked_late,
    )


def basis(task: Task, exercises: Sequence[Exercise]) -> str:
    """Return a digest of all besides the work that a row depends on.

    These are the grader, the secret, the chapter's files, and the courses' own packages that these
    import. Other libraries are taken as they are.
    """
    parts = [VERSION, task.chapter, task.secret_fingerprint]
    parts += [part for named in sorted(task.files.items()) for part in named]
    for file in _course_files(exercises):
        parts += [file.name, file.read_text(encoding="utf-8")]
    return _digest("".join(f"{len(part)}:{part}" for part in parts).encode())


def _course_files(exercises: Sequence[Exercise]) -> Iterator[Path]:
    """Yield the files of the packages of courses that exercises import."""
    courses = [*installed_courses(), *filter(None, (owner_of(e.path) for e in exercises))]
    nodes = [node for exercise in exercises for node in ast.walk(ast.parse(exercise.source))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    for name in sorted({name.partition(".")[0] for name in names} - {"coursekit"}):
        spec = PathFinder.find_spec(name) if name else None
        if spec is None or not spec.origin:
            continue
        file = Path(spec.origin).resolve()
        if any(_has(course, name, file) for course in courses):
            yield from sorted(file.parent.rglob("*.py")) if file.stem == "__init__" else [file]


def _has(course: Course, name: str, file: Path) -> bool:
    if course.root is None:
        listed = distribution(course.distribution).files or ()
        return any(path.parts[0] in (name, f"{name}.py") for path in listed)
    root = course.root.resolve()  # a virtual environment may lie in it
    return file.is_relative_to(root) and "site-packages" not in file.relative_to(root).parts


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def modules_to_preload(exercises: Sequence[Exercise]) -> list[str]:
    """Return what the fork server imports once, so that no submission has to.

    These are the modules that the exercises import for the learner. A submission's text never adds
    to them: it would choose what runs before anything is confined.
    """
    setups = "\n".join(exercise.setup for exercise in exercises)
    return installed(dict.fromkeys(["numpy", *_SHELL, *_IMPORT.findall(setups)]))
