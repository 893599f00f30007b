"""The options of ``coursekit grade``."""

from __future__ import annotations

import argparse
from pathlib import Path

from coursekit.command import add_bank_option, time_zone
from coursekit.grade.limits import MIB, SETTABLE_SECONDS, Limits
from coursekit.lms import LAYOUTS
from coursekit.results import Outcome
from coursekit.sandbox.restrictions import LEVELS


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
        help="Canvas's gradebook or Moodle's grading worksheet: every student must be in it; "
        "Moodle's also gives the times of submission",
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
    group.add_argument(
        "--preload",
        metavar="MODULE",
        action="append",
        default=[],
        help="a module that most notebooks import, such as torch: it is imported once instead of "
        "in every submission",
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
    bounded = {
        "cell_seconds": "one cell",
        "call_seconds": "one call of a learner's function by a check",
        "total_seconds": "the whole notebook",
    }
    for name in SETTABLE_SECONDS:
        option, value = f"--{name.replace('_', '-')}", getattr(usual, name)
        text = f"{bounded[name]} (default: {value:g})"
        group.add_argument(option, metavar="S", type=_positive, default=value, help=text)
    memory = usual.memory // MIB
    text = f"MiB for all its processes together (default: {memory})"
    group.add_argument("--memory", metavar="MIB", type=_count, default=memory, help=text)
    text = f"processes and threads (default: {usual.processes})"
    group.add_argument("--processes", metavar="N", type=_count, default=usual.processes, help=text)


def limits_of(args: argparse.Namespace) -> Limits:
    """Return the limits that the options give."""
    seconds = {name: getattr(args, name) for name in SETTABLE_SECONDS}
    return Limits(**seconds, memory=args.memory * MIB, processes=args.processes)


def _zone(name: str) -> str:
    try:
        return time_zone(name).key
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _count(text: str) -> int:
    count = int(text) if text.isdecimal() and len(text) < 10 else 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number, 1 or more")
    return count


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of seconds above 0")
    return value
