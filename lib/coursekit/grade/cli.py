"""``coursekit grade``: from a folder of notebooks to a file of results."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from coursekit.bank import SHARED, installed_folders, shared_mistakes
from coursekit.command import Subparsers, add_command, bank_folders, counted, open_chapter
from coursekit.errors import CoursekitError
from coursekit.grade.batch import Workers, modules_to_preload, run_batch
from coursekit.grade.grader_process import GraderUnavailableError, open_sandbox
from coursekit.grade.intake import Submission, find_submissions
from coursekit.grade.options import add_options, limits_of
from coursekit.grade.pool import grade_on_this_machine
from coursekit.grade.results_file import ResultsFile
from coursekit.grade.secret import check_secret, read_secret
from coursekit.grade.summary import Summary
from coursekit.grade.task import Task
from coursekit.lms import identifier
from coursekit.model import Exercise, withheld_by
from coursekit.results import Row
from coursekit.sandbox.sandbox import SandboxError

_WEAK = {
    "partial": "learner code can name your files, reach local services and signal your processes; "
    "every row records this level, and a later run in a sandbox grades it again",
    "none": "learner code can do whatever you can; "
    "every row records this level, and a later run in a sandbox grades it again",
}


def add_parser(subparsers: Subparsers) -> None:
    """Add the command ``grade``."""
    parser = add_command(
        subparsers,
        "grade",
        run,
        """
        Run each student's notebook in a confined process, check the answers, and write one
        line of JSON per student. A run that was interrupted continues where it stopped.

        SUBMITTED_DIR has nbgrader's layout, STUDENT/CHAPTER/CHAPTER.ipynb, or is a download of a
        whole class from Canvas, Moodle, Gradescope, Brightspace or Blackboard, as a zip or
        unpacked. Before anything is graded, it is settled whose each file is: names of two
        layouts, two submissions under one id, or an id that is not in the LMS's list (--lms-file)
        end the run. What is a notebook is graded, whatever it is called.

        A row's time of submission is the one in nbgrader's timestamp.txt, in the LMS's names, or
        in Moodle's grading worksheet (--lms-file; in English, German or French, read in
        --timezone); a file's last change is none, as copying alters it. A download from Canvas
        says who was late, but not by how much: the row records it, and the run ends with these
        students' names. Where only the time has changed, the row is written again without grading.
        """,
        """
        coursekit grade fractions submitted --results results.jsonl --jobs 2
        coursekit grade fractions week1.zip --lms-file week1.csv --results week1.jsonl
        coursekit grade fractions submitted --results results.jsonl --memory 2048 \\
            --processes 64 --cell-seconds 60 --call-seconds 20 --total-seconds 600
        coursekit grade fractions submitted --results results.jsonl --preload scipy
        """,
    )
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Grade the class and print a summary."""
    workers = _workers(args)
    exercises = open_chapter(args, args.chapter)
    limits = limits_of(args)
    submissions = find_submissions(
        args.submitted,
        args.chapter,
        limits.notebook_bytes,
        None if args.layout == "auto" else args.layout,
        args.lms_file,
        args.timezone,
    )
    task = _task(args, exercises)
    if args.gradebook:
        _try_gradebook(args.gradebook)
    _print_exercises(args, exercises)
    _print_isolation(task)
    try:
        with ResultsFile(args.results) as results:
            fingerprints = {row.secret_fingerprint for row in results.of(task.chapter)}
            check_secret(fingerprints, task, args.results)
            _check_exercises(results.of(task.chapter), exercises, args.results)
            chosen = {"only": set(map(identifier, args.only)), "again": args.again}
            summary = run_batch(task, exercises, submissions, results, workers, **chosen)
            if args.gradebook:
                _write_gradebook(args, exercises, submissions, results.of(args.chapter), summary)
            print(summary.as_text(results, args.results))
    except GraderUnavailableError as error:
        raise CoursekitError(str(error)) from None
    return 1 if summary.missing else 0


def _check_exercises(rows: Sequence[Row], exercises: Sequence[Exercise], results: Path) -> None:
    """Refuse a run that would take an exercise out of the rows: a folder may not have been named.

    Raises
    ------
    CoursekitError
        The rows have an exercise that is not among these.
    """
    graded = {check.exercise for row in rows for check in row.checks}
    if lost := sorted(graded - {exercise.id for exercise in exercises}):
        raise CoursekitError(
            f"{results}: its rows have exercises that are not here: {', '.join(lost)}; expected "
            "their folder, with --exercises, or another --results file"
        )


def _task(args: argparse.Namespace, exercises: Sequence[Exercise]) -> Task:
    return Task(
        chapter=args.chapter,
        files={Path(e.path).name: e.source for e in exercises}
        | {SHARED: shared_mistakes(Path(exercises[0].path).parent)},
        secret=read_secret(args.secret, args.results, exercises),
        level=args.isolation,
        preload=tuple(modules_to_preload(exercises, args.preload)),
        hidden=_hidden(args),
        withheld=withheld_by(exercises),
        limits=limits_of(args),
    )


def _print_exercises(args: argparse.Namespace, exercises: Sequence[Exercise]) -> None:
    """Print what is graded, and from which folders: a missing folder would change the marks."""
    folders = {str(Path(exercise.path).parent.parent): None for exercise in exercises}
    points = counted(sum(exercise.points for exercise in exercises), "point")
    count = counted(len(exercises), "exercise")
    print(f"{args.chapter}: {count}, {points}, from {', '.join(folders)}", file=sys.stderr)


def _workers(args: argparse.Namespace) -> Workers:
    if args.dask:
        from coursekit.grade.cluster import check_address, grade_on_cluster

        check_address(args.dask)
        return partial(grade_on_cluster, address=args.dask)
    return partial(grade_on_this_machine, workers=args.jobs or os.cpu_count() or 1)


def _try_gradebook(url: str) -> None:
    """Open a gradebook once, so that a fault of it ends the run before a class is graded."""
    from coursekit.grade.gradebook import open_gradebook

    with open_gradebook(url):
        pass


def _write_gradebook(
    args: argparse.Namespace,
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    rows: Sequence[Row],
    summary: Summary,
) -> None:
    from coursekit.grade.autograded import course_of, write_autograded
    from coursekit.grade.gradebook import write_gradebook

    changed = write_gradebook(
        args.gradebook, args.chapter, exercises, rows, summary.graded, submissions
    )
    print(f"gradebook: {changed} changed")
    if course := course_of(args.submitted):
        count = write_autograded(course, args.chapter, exercises, submissions, rows)
        notebooks = counted(count, "notebook")
        print(f"{course / 'autograded'}: {notebooks} for nbgrader's formgrader and feedback")
    else:
        print(
            "this folder is no nbgrader course: formgrader can show none of these answers; to have "
            "them shown, run the same command in the course's folder, where nbgrader_config.py is",
            file=sys.stderr,
        )


def _print_isolation(task: Task) -> None:
    """Print what confines learner code here, or end the run with what is missing."""
    try:
        sandbox = open_sandbox(replace(task, preload=()))
    except SandboxError as error:
        raise CoursekitError(str(error)) from None
    sandbox.close()
    print(f"isolation: {task.level} ({', '.join(sandbox.mechanisms)})", file=sys.stderr)
    if task.level != "sandbox":
        print(_WEAK[task.level], file=sys.stderr)


def _hidden(args: argparse.Namespace) -> tuple[str, ...]:
    """Return what learner code must not see: exercises, the class's work, results, secret."""
    paths = [*bank_folders(args), *installed_folders(), args.submitted, args.results]
    paths += [path for path in (args.secret, args.lms_file) if path]
    return tuple(str(path.resolve()) for path in paths)
