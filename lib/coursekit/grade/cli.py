"""``coursekit grade``: from a folder of notebooks to a file of results."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from coursekit.bank import SHARED, installed_folders, shared_mistakes
from coursekit.command import (
    Subparsers,
    add_bank_option,
    add_command,
    bank_folders,
    counted,
    names,
    open_chapter,
    tell,
    time_zone,
)
from coursekit.errors import CoursekitError
from coursekit.grade.batch import Workers, modules_to_preload, run_batch
from coursekit.grade.grader_process import open_sandbox
from coursekit.grade.intake import Submission, find_submissions
from coursekit.grade.limits import Limits
from coursekit.grade.pool import grade_on_this_machine
from coursekit.grade.results_file import ResultsFile
from coursekit.grade.summary import Summary
from coursekit.grade.task import Task, check_secret, read_secret
from coursekit.lms import LAYOUTS, identifier
from coursekit.model import Exercise, withheld_by
from coursekit.results import Outcome, Row
from coursekit.sandbox.limits import MIB
from coursekit.sandbox.restrictions import LEVELS

_WEAK = {
    "partial": "learner code can name your files, reach local services and signal your processes",
    "none": "learner code can do whatever you can",
}

#: The limits of time that are options, and what each of them bounds.
_SECONDS = {
    "cell_seconds": "one cell",
    "call_seconds": "one call of a learner's function by a check",
    "total_seconds": "the whole notebook",
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
        whole class from an LMS (--layout names them), as a zip or unpacked. Before anything is
        graded, it is settled whose each file is: names of two layouts, two submissions under one
        id, or an id that is not in the LMS's list (--lms-file) end the run. What is a notebook is
        graded, whatever it is called.

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
        coursekit grade fractions week1 --layout moodle --results week1.jsonl
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
        from coursekit.grade.gradebook import open_gradebook

        with open_gradebook(args.gradebook):  # a fault of it ends the run before a class is graded
            pass
    _print_exercises(args, exercises)
    _print_isolation(task)
    with ResultsFile(args.results) as results:
        fingerprints = {row.secret_fingerprint for row in results.of(task.chapter)}
        check_secret(fingerprints, task, args.results)
        _check_exercises(results.of(task.chapter), exercises, args.results)
        chosen = {"only": set(map(identifier, args.only)), "again": args.again}
        summary = run_batch(task, exercises, submissions, results, workers, **chosen)
        if args.gradebook:
            _write_gradebook(args, exercises, submissions, results.of(args.chapter), summary)
        results.finish()  # last: a second run may write the file from here on
        print(*summary.lines(results, args.results), sep="\n")
    return 0


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
        preload=tuple(modules_to_preload(exercises)),
        hidden=_hidden(args),
        withheld=withheld_by(exercises),
        limits=limits_of(args),
    )


def _print_exercises(args: argparse.Namespace, exercises: Sequence[Exercise]) -> None:
    """Print what is graded, and from which folders: a missing folder would change the marks."""
    folders = {str(Path(exercise.path).parent.parent): None for exercise in exercises}
    points = counted(sum(exercise.points for exercise in exercises), "point")
    count = counted(len(exercises), "exercise")
    tell(f"{args.chapter}: {count}, {points}, from {', '.join(folders)}")


def _workers(args: argparse.Namespace) -> Workers:
    if args.dask:
        from coursekit.grade.pool import check_address, grade_on_cluster

        check_address(args.dask)
        return partial(grade_on_cluster, address=args.dask)
    return partial(grade_on_this_machine, workers=args.jobs or os.cpu_count() or 1)


def _write_gradebook(
    args: argparse.Namespace,
    exercises: Sequence[Exercise],
    submissions: Sequence[Submission],
    rows: Sequence[Row],
    summary: Summary,
) -> None:
    from coursekit.grade.gradebook import course_of, write_autograded, write_gradebook

    changed = write_gradebook(
        args.gradebook, args.chapter, exercises, rows, summary.graded, submissions
    )
    print(f"gradebook: {changed} changed")
    if course := course_of(args.submitted):
        count = write_autograded(course, args.chapter, exercises, submissions, rows)
        notebooks = counted(count, "notebook")
        print(f"{course / 'autograded'}: {notebooks} for nbgrader's formgrader and feedback")
        theirs = course / "submitted"
        other = [s.student for s in submissions if (theirs / s.student / args.chapter).is_dir()]
        if other and theirs.resolve() != args.submitted.resolve():
            tell(
                f"{theirs} has other work of {names(other)}: while it lies there, formgrader may "
                "list these as not autograded"
            )
    else:
        tell(
            "this folder is no nbgrader course: formgrader can show none of these answers; to have "
            "them shown, run the same command in the course's folder, where nbgrader_config.py is"
        )


def _print_isolation(task: Task) -> None:
    """Print what confines learner code here, or end the run with what is missing."""
    sandbox = open_sandbox(replace(task, preload=()))
    sandbox.close()
    tell(f"isolation: {task.level} ({', '.join(sandbox.mechanisms)})")
    if task.level != "sandbox":
        again = "every row records this level, and a later run in a sandbox grades it again"
        tell(f"{_WEAK[task.level]}; {again}")


def _hidden(args: argparse.Namespace) -> tuple[str, ...]:
    """Return what learner code must not see: exercises, the class's work, results, secret."""
    paths = [*bank_folders(args), *installed_folders(), args.submitted, args.results]
    paths += [path for path in (args.secret, args.lms_file) if path]
    return tuple(str(path.resolve()) for path in paths)


# --- options --------------------------------------------------------------------------------------


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments and options."""
    parser.add_argument("chapter", metavar="CHAPTER", help="the chapter's name")
    parser.add_argument("submitted", metavar="SUBMITTED_DIR", type=Path, help="folder or LMS zip")
    parser.add_argument(
        "--results",
        metavar="FILE.jsonl",
        type=Path,
        required=True,
        help="results file; an existing one is continued",
    )
    add_bank_option(parser)
    parser.add_argument("--secret", metavar="FILE", type=Path, help="seeds the hidden checks")
    parser.add_argument("--gradebook", metavar="URL", help="write nbgrader's gradebook too")
    _add_students(parser)
    _add_selection(parser)
    _add_workers(parser)
    _add_limits(parser)


def _add_students(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("submissions")
    group.add_argument(
        "--layout",
        choices=("auto", *LAYOUTS),
        default="auto",
        help="how SUBMITTED_DIR names its students (default: auto, the layout of all its names)",
    )
    group.add_argument(
        "--lms-file",
        metavar="FILE.csv",
        type=Path,
        help="the LMS's list, such as Canvas's gradebook or Moodle's grading worksheet: every "
        "student must be in it; Moodle's also gives the times of submission",
    )
    group.add_argument(
        "--timezone",
        metavar="NAME",
        type=_zone,
        help="the time zone, such as Europe/Berlin, of the times in Moodle's worksheet and in the "
        "names of an LMS's files, which name none (default: this machine's, and the run says so); "
        "a timestamp.txt without one is in UTC",
    )


def _add_selection(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is graded again")
    group.add_argument(
        "--only",
        metavar="STUDENT",
        action="append",
        default=[],
        help="grade this student's work only; may be given more than once",
    )
    group.add_argument(
        "--again",
        metavar="STATUS",
        action="append",
        default=[],
        choices=[outcome.value for outcome in Outcome],
        help="grade once more what has this status; may be given more than once "
        f"({', '.join(Outcome)})",
    )


def _add_workers(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("workers")
    where = group.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs", metavar="N", type=_count, help="number of workers (default: one a core)"
    )
    where.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="use the workers of a dask scheduler: tls://HOST:8786 with keys in dask's own "
        "settings, or tcp://127.0.0.1:8786",
    )
    group.add_argument(
        "--isolation",
        choices=LEVELS,
        default="sandbox",
        help="how learner code is confined (default: sandbox); the other levels protect less, are "
        "recorded in every row, and are meant for trusted work where there is no sandbox",
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    usual = Limits()
    group = parser.add_argument_group(
        "limits",
        "What one submission may use. Times are processor time. By the clock, "
        f"one try takes at most {usual.wall_factor:g} times --total-seconds and a minute for the "
        f"grader ({usual.most_seconds / 60:g} minutes by default). What runs out of processor time "
        "is tried twice; what sleeps is not.",
    )
    for name, bounded in _SECONDS.items():
        option, value = f"--{name.replace('_', '-')}", getattr(usual, name)
        text = f"{bounded} (default: {value:g})"
        group.add_argument(option, metavar="S", type=_positive, default=value, help=text)
    memory = usual.memory // MIB
    text = f"MiB for all its processes together (default: {memory})"
    group.add_argument("--memory", metavar="MIB", type=_count, default=memory, help=text)
    text = f"processes and threads (default: {usual.processes})"
    group.add_argument("--processes", metavar="N", type=_count, default=usual.processes, help=text)


def limits_of(args: argparse.Namespace) -> Limits:
    """Return the limits that the options give."""
    seconds = {name: getattr(args, name) for name in _SECONDS}
    return Limits(**seconds, memory=args.memory * MIB, processes=args.processes)


def _zone(name: str) -> ZoneInfo:
    try:
        return time_zone(name)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _count(text: str) -> int:
    count = int(text) if text.isdecimal() and len(text) < 10 else 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number, 1 or more")
    return count


def _positive(text: str) -> float:
    with suppress(ValueError):
        if 0 < (value := float(text)) < 1e6:
            return value
    raise argparse.ArgumentTypeError(f"{text!r}: expected a number of seconds above 0")
