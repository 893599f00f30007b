"""``coursekit grade``: a folder of notebooks to a file of results."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from coursekit.bank import exercise_files, load_bank
from coursekit.command import Subparsers, add_bank_option, add_command, bank_folders
from coursekit.errors import CoursekitError
from coursekit.grade.batch import Summary, modules_to_preload, run_batch
from coursekit.grade.confine import bubblewrap, landlock
from coursekit.grade.limits import Limits
from coursekit.grade.lms import LAYOUTS
from coursekit.grade.nursery import LEVELS, best_level
from coursekit.grade.pool import Done, Job, grade_all
from coursekit.grade.rows import ResultsFile
from coursekit.grade.station import StationError
from coursekit.grade.submissions import find_submissions
from coursekit.grade.task import Task
from coursekit.grade.work import Submission
from coursekit.model import Exercise

Graders: TypeAlias = Callable[[Task, Iterable[Job]], Iterator[Done]]
_SHORTEST_SECRET = 16


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
    parser.add_argument("chapter", metavar="CHAPTER", help="the chapter's name")
    parser.add_argument("submitted", metavar="SUBMITTED_DIR", type=Path, help="folder or LMS zip")
    parser.add_argument(
        "--results",
        metavar="FILE.jsonl",
        type=Path,
        required=True,
        help="the file to write, and to go on from where it is there already",
    )
    parser.add_argument(
        "--layout",
        choices=("auto", *LAYOUTS),
        default="auto",
        help="how SUBMITTED_DIR names students (auto: as all names in it do)",
    )
    parser.add_argument(
        "--lms-file",
        metavar="FILE.csv",
        type=Path,
        help="Canvas's gradebook or Moodle's grading worksheet, which has to know every student",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--jobs", metavar="N", type=_count, default=None, help="judges (all cores)")
    where.add_argument("--dask", metavar="ADDRESS", help="a dask scheduler's: tcp://HOST:8786")
    parser.add_argument("--gradebook", metavar="URL", help="write nbgrader's gradebook too")
    parser.add_argument(
        "--isolation",
        choices=("auto", *LEVELS),
        default="auto",
        help="how learner code is confined (auto: the strongest here; none must be asked for)",
    )
    parser.add_argument("--secret", metavar="FILE", type=Path, help="seeds the hidden checks")
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Grade the class and say what came of it."""
    exercises = _exercises(args)
    limits = Limits()
    submissions = find_submissions(
        args.submitted,
        args.chapter,
        limits.notebook_bytes,
        None if args.layout == "auto" else args.layout,
        args.lms_file,
    )
    level = _level(args.isolation)
    task = Task(
        chapter=args.chapter,
        files={Path(e.path).name: e.source for e in exercises},
        secret=_secret(args.secret, args.results, exercises),
        level=level,
        preload=tuple(modules_to_preload(submissions, exercises)),
        hidden=_hidden(args),
        limits=limits,
    )
    if args.gradebook:
        _open_once(args.gradebook)
    print(f"isolation: {level}", file=sys.stderr)
    try:
        with ResultsFile(args.results) as results:
            summary = run_batch(task, exercises, submissions, results, _graders(args))
            if args.gradebook:
                _write_gradebook(args, exercises, submissions, results, summary)
    except StationError as error:
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


def _graders(args: argparse.Namespace) -> Graders:
    if args.dask:
        from coursekit.grade.cluster import grade_on_cluster

        return partial(grade_on_cluster, address=args.dask)
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


def _level(asked: str) -> str:
    """Return the level to run at; weaker than confined only when that was asked for."""
    best = best_level()
    if asked == "auto" and best == "none":
        raise CoursekitError(
            "this machine can confine nothing (no bubblewrap, no Landlock); learner code could "
            "read and change whatever you can. To run it all the same: --isolation none"
        )
    if asked == "bubblewrap" and bubblewrap.usable() is None:
        raise CoursekitError("bubblewrap does not work here; install it, or name another level")
    if asked == "landlock" and not landlock.abi():
        raise CoursekitError("this kernel has no Landlock; expected Linux 5.13 or newer")
    if asked == "none" and os.geteuid() == 0:
        print(
            "as root at level none nothing counts a notebook's processes, and one that forks "
            "without end takes this machine; better be an ordinary user",
            file=sys.stderr,
        )
    return best if asked == "auto" else asked


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
    """Return what learner code must not see: exercises, other submissions, results, the secret."""
    paths = [*bank_folders(args), args.submitted, args.results]
    paths += [path for path in (args.secret, args.lms_file) if path]
    return tuple(str(path.resolve()) for path in paths)


def _told(summary: Summary, path: Path) -> str:
    counted = ", ".join(f"{n} {status}" for status, n in sorted(summary.statuses.items()))
    lines = [f"{summary.total} submissions in {path}: {counted}"]
    if summary.missing:
        lines.append(f"{summary.missing} have no row; run the same command again")
    if summary.kept:
        lines.append(f"{summary.kept} were graded before and kept")
    if summary.manual:
        lines.append(f"{summary.manual} wait for a person to grade prose")
    return "\n".join(lines)


def _count(text: str) -> int:
    count = int(text) if text.isdigit() else 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of judges, 1 or more")
    return count
