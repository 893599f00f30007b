"""``coursekit export``: grades in the form in which an LMS or nbgrader takes them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from coursekit.command import Subparsers, add_command
from coursekit.errors import CoursekitError
from coursekit.private_files import make_private_folder, write_private
from coursekit.results.feedback import file_names
from coursekit.results.formats import gradescope, nbgrader_csv, totals_csv
from coursekit.results.marks import add_marks_options, names, read_marks
from coursekit.results.merge import Layout, merge
from coursekit.results.read import Result

_LAYOUTS = {
    # Canvas puts the possible points of each assignment into a line of their own below the head.
    "canvas": Layout(ids=("SIS Login ID", "SIS User ID", "ID"), grade=None, most="Points Possible"),
    "moodle": Layout(
        ids=("Username", "Email address", "ID number", "Identifier"),
        grade="Grade",
        most="Maximum Grade",
        comments="Feedback comments",
    ),
}


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "export",
        run,
        """
        Write grades for other systems. nbgrader: the columns of its own export. canvas, moodle:
        the file that you exported there, with the grades filled in (--lms-file). gradescope: a
        results.json a student, into a folder. totals: all assignments and their weighted mean.
        Points and comments that a person gave are in nbgrader's gradebook: --gradebook takes them
        from there. --policy says what late work loses, what is extra credit, and the weights.
        """,
        """
        coursekit export results.jsonl --format canvas --lms-file canvas.csv -o upload.csv
        coursekit export results.jsonl --format moodle --lms-file moodle.csv -o upload.csv \\
            --gradebook sqlite:///gradebook.db --policy policy.toml
        coursekit export results.jsonl --format gradescope -o gradescope
        coursekit export results.jsonl --format totals --policy policy.toml
        """,
    )
    add_marks_options(parser)
    parser.add_argument(
        "--format",
        required=True,
        choices=("nbgrader", *_LAYOUTS, "gradescope", "totals"),
        help="for whom the grades are",
    )
    parser.add_argument(
        "--lms-file", metavar="CSV", type=Path, help="the file exported from Canvas or Moodle"
    )
    parser.add_argument(
        "--id-column",
        metavar="COLUMN",
        help="with --lms-file: the column by which students are known there",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        type=Path,
        help="the file or folder to write (default: print it)",
    )
    parser.add_argument(
        "--assignment", metavar="CHAPTER", help="only this one; needed where FILE has several"
    )


def run(args: argparse.Namespace) -> int:
    """Write the export; return 1 when grades found no student in the LMS's file."""
    results, policy = read_marks(args, partial(_asked, assignment=args.assignment))
    if args.format == "nbgrader":
        return _write(nbgrader_csv(results), args.output)
    if args.format == "totals":
        return _write(totals_csv(results, policy), args.output)
    if len({result.assignment for result in results}) > 1:
        raise CoursekitError("export: several assignments; name one with --assignment")
    if args.format == "gradescope":
        return _write_gradescope(results, args.output)
    if args.lms_file is None:
        raise CoursekitError(
            f"export: give the file exported from {args.format.capitalize()}, with --lms-file"
        )
    merged = merge(_LAYOUTS[args.format], args.lms_file, results, args.id_column)
    _write(merged.text, args.output)
    print("".join(f"{note}\n" for note in merged.notes), end="", file=sys.stderr)
    if left_over := merged.left_over:
        print(f"{len(left_over)} not in {args.lms_file}: {names(left_over)}", file=sys.stderr)
    return 1 if left_over else 0


def _asked(results: list[Result], assignment: str | None) -> list[Result]:
    found = [result for result in results if assignment in (None, result.assignment)]
    if not found:
        known = ", ".join(sorted({result.assignment for result in results}))
        raise CoursekitError(f"no results for {assignment!r}; the file has {known}")
    return found


def _write(text: str, to: Path | None) -> int:
    if to is None:
        print(text, end="")
    else:
        write_private(to, text)
        print(f"{to}: written", file=sys.stderr)
    return 0


def _write_gradescope(results: Sequence[Result], to: Path | None) -> int:
    if to is None:
        raise CoursekitError("export: say where the folder is to be, with -o DIR")
    make_private_folder(to)
    pages = file_names(result.student for result in results)
    for result in results:
        folder = make_private_folder(to / pages[result.student].removesuffix(".html"))
        text = json.dumps(gradescope(result), indent=1, ensure_ascii=False)
        write_private(folder / "results.json", text)
    print(f"{to}: {len(results)} results.json", file=sys.stderr)
    return 0
