"""The options of ``coursekit grade``."""

from __future__ import annotations

import argparse
from pathlib import Path

from coursekit.command import add_bank_option
from coursekit.grade.attempt import STATUSES
from coursekit.grade.limits import MIB, SETTABLE_SECONDS, Limits
from coursekit.grade.lms import LAYOUTS
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
    where.add_argument("--jobs", metavar="N", type=_count, default=None, help="graders (all cores)")
    where.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="a dask scheduler's: tls://HOST:8786 with --dask-keys, or tcp://127.0.0.1:8786",
    )
    parser.add_argument(
        "--dask-keys",
        metavar="FOLDER",
        type=Path,
        help="what coursekit cluster-keys made, for tls://",
    )
    parser.add_argument("--gradebook", metavar="URL", help="write nbgrader's gradebook too")
    parser.add_argument(
        "--isolation",
        choices=LEVELS,
        default="sandbox",
        help="how learner code is confined (default: sandbox; the others protect less, say so on "
        "every row, and are for trusted work where there is no sandbox)",
    )
    parser.add_argument(
        "--preload",
        metavar="MODULE",
        action="append",
        default=[],
        help="a module that most notebooks import, such as torch: imported once, not for each",
    )
    parser.add_argument("--secret", metavar="FILE", type=Path, help="seeds the hidden checks")
    parser.add_argument(
        "--only", metavar="STUDENT", nargs="+", default=[], help="grade these students' work alone"
    )
    parser.add_argument(
        "--again",
        metavar="STATUS",
        nargs="+",
        default=[],
        choices=STATUSES,
        help=f"grade once more what has this status: {', '.join(STATUSES)}",
    )
    _add_limits(parser)
    add_bank_option(parser)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "limits", "what one submission may use; stored in its row. Times are processor time."
    )
    usual = Limits()
    told = {
        "cell_seconds": "one cell",
        "call_seconds": "one call of a learner's function by a check",
        "total_seconds": "the whole notebook",
    }
    for name in SETTABLE_SECONDS:
        option, value = f"--{name.replace('_', '-')}", getattr(usual, name)
        text = f"{told[name]} (default: {value:g})"
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
