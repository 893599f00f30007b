"""``coursekit export``: grades in the form in which an LMS or nbgrader takes them."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from coursekit.command import Subparsers, add_command
from coursekit.errors import CoursekitError
from coursekit.lms import LMS
from coursekit.private_files import write_private
from coursekit.results.formats import nbgrader_csv
from coursekit.results.marks import add_marks_options, names, read_marks
from coursekit.results.merge import merge
from coursekit.results.totals import totals_csv
from coursekit.row import Row

#: The LMSs whose file is filled in.
_FILLED = ("canvas", "moodle")


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "export",
        run,
        """
        Write grades for other systems. nbgrader: the columns of its own export. canvas, moodle:
        the file that you exported there, with the grades filled in (--lms-file). totals: all
        assignments and their weighted mean. Manual scores and comments are in nbgrader's
        gradebook: --gradebook reads them. --policy sets what late work loses, what is extra
        credit, and the weights.
        """,
        """
        coursekit export results.jsonl --format canvas --lms-file canvas.csv -o upload.csv
        coursekit export results.jsonl --format moodle --lms-file moodle.csv -o upload.csv \\
            --gradebook sqlite:///gradebook.db --policy policy.toml
        coursekit export term.jsonl --format canvas --lms-file canvas.csv -o upload.csv \\
            --assignment masking --id-column "SIS User ID"
        coursekit export results.jsonl --format totals --policy policy.toml
        """,
    )
    add_marks_options(parser)
    _add_options(parser)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        required=True,
        choices=("nbgrader", *_FILLED, "totals"),
        help="the system that takes the grades",
    )
    parser.add_argument(
        "--lms-file", metavar="CSV", type=Path, help="the file exported from Canvas or Moodle"
    )
    parser.add_argument(
        "--id-column",
        metavar="COLUMN",
        help="with --lms-file: the column that has the students' ids",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="the file to write (default: print it)"
    )
    parser.add_argument(
        "--assignment", metavar="CHAPTER", help="this one alone; needed where FILE has several"
    )


def run(args: argparse.Namespace) -> int:
    """Write the export; return 1 when graded students are missing in the LMS's file."""
    _check_lms_options(args)
    read = read_marks(args, partial(_of_assignment, assignment=args.assignment))
    if args.format == "nbgrader":
        return _write(nbgrader_csv(read.marks), args.output)
    if args.format == "totals":
        return _write(totals_csv(read.marks, read.policy), args.output)
    if len({mark.assignment for mark in read.marks}) > 1:
        raise CoursekitError("export: several assignments; name one with --assignment")
    merged = merge(LMS[args.format], args.lms_file, read.marks, args.id_column)
    _write(merged.text, args.output)
    print("".join(f"{note}\n" for note in merged.notes), end="", file=sys.stderr)
    if merged.left_over:
        print(
            f"{len(merged.left_over)} not in {args.lms_file}: {names(merged.left_over)}",
            file=sys.stderr,
        )
    return 1 if merged.left_over else 0


def _check_lms_options(args: argparse.Namespace) -> None:
    if args.format in _FILLED and args.lms_file is None:
        raise CoursekitError(
            f"export: give the file exported from {args.format.capitalize()}, with --lms-file"
        )
    if args.format not in _FILLED:
        for option, value in (("--lms-file", args.lms_file), ("--id-column", args.id_column)):
            if value is not None:
                raise CoursekitError(
                    f"export: {option} is for {' and '.join(_FILLED)}; leave it out with "
                    f"--format {args.format}"
                )


def _of_assignment(rows: list[Row], assignment: str | None) -> list[Row]:
    chosen = [row for row in rows if assignment in (None, row.assignment)]
    if not chosen:
        known = ", ".join(sorted({row.assignment for row in rows}))
        raise CoursekitError(f"no results for {assignment!r}; the file has {known}")
    return chosen


def _write(text: str, to: Path | None) -> int:
    if to is None:
        print(text, end="")
    else:
        write_private(to, text)
        print(f"{to}: written", file=sys.stderr)
    return 0
