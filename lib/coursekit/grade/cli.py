"""``coursekit grade``: a folder of notebooks to a file of results."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from coursekit.bank import exercise_files, installed_folders, load_bank
from coursekit.command import (
    Subparsers,
    add_command,
    bank_folders,
    counted,
)
from coursekit.errors import CoursekitError
from coursekit.grade.batch import Graders, Selection, Summary, modules_to_preload, run_batch
from coursekit.grade.grader_process import GraderStartError, open_sandbox
from coursekit.grade.options import add_options, limits_of
from coursekit.grade.pool import grade_all
from coursekit.grade.rows import ResultsFile
from coursekit.grade.submissions import find_submissions
from coursekit.grade.task import Task
from coursekit.grade.work import Submission
from coursekit.model import Exercise
from coursekit.sandbox.sandbox import SandboxError

_SHORTEST_SECRET = 16
_MOST_NAMES = 20
_WEAK = {
    "partial": "learner code can name your files, reach local services and signal your processes; "
    "rows say so, and a later run in a sandbox grades them again",
    "none": "learner code can do whatever you can; "
    "rows say so, and a later run in a sandbox grades them again",
}


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "grade",
        run,
        """
        Run each student's notebook in a confined process, check the answers, and write one
        line of JSON a student. A run that was cut off goes on where it stopped.
        SUBMITTED_DIR is nbgrader's layout, STUDENT/CHAPTER/CHAPTER.ipynb, or a zip that Canvas or
        Moodle made of a class, unpacked or not. Whose everything is, is settled before anything is
        graded: names of two layouts, two submissions under one id, or an id that the LMS's list
        lacks (--lms-file) end the run.
        """,
        """
        coursekit grade queries-keys-values submitted --results results.jsonl --jobs 2
        coursekit grade queries-keys-values week1.zip --lms-file week1.csv --results week1.jsonl
        """,
    )
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Grade the class and say what came of it."""
    graders = _graders(args)
    exercises = _exercises(args)
    limits = limits_of(args)
    submissions = find_submissions(
        args.submitted,
        args.chapter,
        limits.notebook_bytes,
        None if args.layout == "auto" else args.layout,
        args.lms_file,
    )
    task = Task(
        chapter=args.chapter,
        files={Path(e.path).name: e.source for e in exercises},
        secret=_secret(args.secret, args.results, exercises),
        level=args.isolation,
        preload=tuple(modules_to_preload(exercises, args.preload)),
        hidden=_hidden(args),
        withheld=tuple(sorted({name for e in exercises for name in e.withhold})),
        limits=limits,
    )
    if args.gradebook:
        _open_once(args.gradebook)
    _say_what(args, exercises)
    _say_isolation(task)
    try:
        with ResultsFile(args.results) as results:
            selection = Selection(frozenset(args.only), frozenset(args.again))
            summary = run_batch(task, exercises, submissions, results, graders, selection)
            if args.gradebook:
                _write_gradebook(args, exercises, submissions, results, summary)
    except GraderStartError as error:
        raise CoursekitError(str(error)) from None
    print(_told(summary, args.results))
    return 1 if summary.missing else 0


def _exercises(args: argparse.Namespace) -> Sequence[Exercise]:
    """Return the chapter's exercises; the other chapters are not even imported."""
    folders = []
    for folder in bank_folders(args):
        below = folder / args.chapter
        # A folder that is named may be that of one chapter, and a wrong name is an error.
        folders.append(below if below.is_dir() or not exercise_files(folder) else folder)
    found = [folder for folder in folders if folder.is_dir()]
    return load_bank(*(found or bank_folders(args))).chapter(args.chapter)


def _say_what(args: argparse.Namespace, exercises: Sequence[Exercise]) -> None:
    """Say what is graded, and from which folders: a folder that is not found changes the marks."""
    folders = {str(Path(exercise.path).parent.parent): None for exercise in exercises}
    points = counted(sum(exercise.points for exercise in exercises), "point")
    count = counted(len(exercises), "exercise")
    print(f"{args.chapter}: {count}, {points}, from {', '.join(folders)}", file=sys.stderr)


def _graders(args: argparse.Namespace) -> Graders:
    if args.dask:
        from coursekit.grade.cluster import grade_on_cluster
        from coursekit.grade.cluster_connection import check_address

        check_address(args.dask, args.dask_keys)
        return partial(grade_on_cluster, address=args.dask, keys=args.dask_keys)
    if args.dask_keys:
        raise CoursekitError(
            "--dask-keys is for a cluster; expected --dask tls://HOST:8786 as well"
        )
    return partial(grade_all, count=args.jobs or os.cpu_count() or 1)


def _open_once(url: str) -> None:
    """Say what is wrong with a gradebook before a class is graded, not after."""
    from coursekit.grade.gradebook import open_gradebook

    with open_gradebook(url):
        pass


def _write_gradebook(
    args: argparse.Namespace,
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    results: ResultsFile,
    summary: Summary,
) -> None:
    from coursekit.grade.autograded import course_of, write_autograded
    from coursekit.grade.gradebook import write_gradebook

    rows = results.rows(args.chapter)
    changed = write_gradebook(args.gradebook, args.chapter, exercises, rows, summary.fresh)
    print(f"gradebook: {changed} changed")
    if course := course_of(args.submitted):
        rows = results.rows(args.chapter)
        count = write_autograded(course, args.chapter, exercises, submissions, rows)
        print(f"{course / 'autograded'}: {count} notebooks for nbgrader's formgrader and feedback")


def _say_isolation(task: Task) -> None:
    """Say what confines learner code here, or end with what is missing."""
    try:
        sandbox = open_sandbox(replace(task, preload=()))
    except SandboxError as error:
        raise CoursekitError(str(error)) from None
    sandbox.close()
    print(f"isolation: {task.level} ({', '.join(sandbox.mechanisms)})", file=sys.stderr)
    if task.level != "sandbox":
        print(_WEAK[task.level], file=sys.stderr)


def _secret(path: Path | None, results: Path, exercises: Sequence[Exercise]) -> str:
    if path is None:
        if any(check.hidden for exercise in exercises for check in exercise.checks):
            print(
                "no --secret FILE: hidden checks use the seeds that anyone can read",
                file=sys.stderr,
            )
        return ""
    if path.resolve() == results.resolve():
        raise CoursekitError(f"{path}: given for --secret and for --results; expected two files")
    try:
        text = path.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise CoursekitError(f"{path}: is no text; expected a secret as a line of text") from None
    if len(text) < _SHORTEST_SECRET:
        raise CoursekitError(
            f"{path}: {len(text)} characters; expected a secret of at least {_SHORTEST_SECRET}"
        )
    return text


def _hidden(args: argparse.Namespace) -> tuple[str, ...]:
    """Return what learner code must not see: exercises, the class's work, results, secret, keys."""
    paths = [*bank_folders(args), *installed_folders(), args.submitted, args.results]
    paths += [path for path in (args.secret, args.lms_file, args.dask_keys) if path]
    return tuple(str(path.resolve()) for path in paths)


def _told(summary: Summary, path: Path) -> str:
    counted = ", ".join(f"{n} {status}" for status, n in sorted(summary.statuses.items()))
    lines = [f"{summary.total} submissions in {path}: {counted}"]
    if summary.missing:
        lines.append(f"{summary.missing} have no row; run the same command again")
    if summary.kept:
        lines.append(f"{summary.kept} were graded before and kept")
    for level, count in sorted(summary.weak.items()):
        lines.append(f"graded without a sandbox, at level {level}: {count}")
    if summary.withdrawn:
        names = ", ".join(summary.withdrawn[:_MOST_NAMES])
        more = len(summary.withdrawn) - _MOST_NAMES
        lines.append(
            f"no longer handed in, kept in the file and left out of exports: {names}"
            + (f" and {more} more" if more > 0 else "")
        )
    for student, status, reason in summary.to_look_at[:_MOST_NAMES]:
        lines.append(f"  {student}: {status} ({reason})")
    if len(summary.to_look_at) > _MOST_NAMES:
        lines.append("  and more, in the results file")
    if summary.manual:
        lines.append(f"{summary.manual} wait for a person to grade prose")
    return "\n".join(lines)
