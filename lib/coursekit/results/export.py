"""``coursekit export``: grades in the form in which an LMS or nbgrader takes them."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coursekit.command import Subparsers, add_command
from coursekit.errors import CoursekitError
from coursekit.inert import spreadsheet_cell
from coursekit.private import make_private_folder, write_private
from coursekit.results.by_hand import with_gradebook
from coursekit.results.merge import Layout, merge
from coursekit.results.read import Result, read_results

_NBGRADER = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
)
_LAYOUTS = {
    # Canvas puts the possible points of each assignment into a line of their own below the head.
    "canvas": Layout(ids=("SIS Login ID", "SIS User ID", "ID"), grade=None, most="Points Possible"),
    "moodle": Layout(
        ids=("Username", "Email address", "ID number", "Identifier"),
        grade="Grade",
        most="Maximum Grade",
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
        the file that you exported there, with the grades filled in (--into). gradescope: a
        results.json a student, into a folder. Points that a person gave for prose are in nbgrader's
        gradebook: --gradebook takes the scores from there.
        """,
        """
        coursekit export results.jsonl --format canvas --into canvas.csv --to upload.csv
        coursekit export results.jsonl --format moodle --into moodle.csv --to upload.csv \\
            --gradebook sqlite:///gradebook.db
        coursekit export results.jsonl --format gradescope --to gradescope
        """,
    )
    parser.add_argument("results", metavar="FILE", type=Path, help="what `coursekit grade` wrote")
    parser.add_argument(
        "--format",
        required=True,
        choices=("nbgrader", *_LAYOUTS, "gradescope"),
        help="for whom the grades are",
    )
    parser.add_argument(
        "--into", metavar="CSV", type=Path, help="the file exported from Canvas or Moodle"
    )
    parser.add_argument(
        "--by", metavar="COLUMN", help="with --into: the column by which students are known there"
    )
    parser.add_argument(
        "--to", metavar="PATH", type=Path, help="the file or folder to write (default: print it)"
    )
    parser.add_argument(
        "--assignment", metavar="CHAPTER", help="only this one; needed where FILE has several"
    )
    parser.add_argument(
        "--gradebook",
        metavar="URL",
        help="take the scores from nbgrader's gradebook, prose included",
    )


def run(args: argparse.Namespace) -> int:
    """Write the export; return 1 when grades found no student in the LMS's file."""
    results = _asked(read_results(args.results), args.assignment)
    if args.gradebook:
        results = with_gradebook(results, args.gradebook)
    if waiting := sum(result.needs_manual for result in results):
        print(f"{waiting} still have prose for a person to grade", file=sys.stderr)
    several = len({result.assignment for result in results}) > 1
    if several and args.format != "nbgrader":
        raise CoursekitError("export: several assignments; name one with --assignment")
    if args.format == "gradescope":
        return _write_gradescope(results, args.to)
    if args.format == "nbgrader":
        return _write(nbgrader_csv(results), args.to)
    if args.into is None:
        raise CoursekitError(
            f"export: give the file that you exported from {args.format.capitalize()}, with --into"
        )
    merged = merge(_LAYOUTS[args.format], args.into, results, args.by)
    _write(merged.text, args.to)
    print("".join(f"{note}\n" for note in merged.notes), end="", file=sys.stderr)
    if left_over := merged.left_over:
        students = ", ".join(left_over[:10]) + (", …" if len(left_over) > 10 else "")
        print(f"{len(left_over)} not in {args.into}: {students}", file=sys.stderr)
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


def nbgrader_csv(results: Sequence[Result]) -> str:
    """Return the table that ``nbgrader export`` writes, without what only its gradebook knows."""
    out = io.StringIO()
    table = csv.DictWriter(out, _NBGRADER, restval="", lineterminator="\n")
    table.writeheader()
    for result in results:
        table.writerow(
            {
                "assignment": result.assignment,
                "student_id": spreadsheet_cell(result.student),
                "raw_score": result.score,
                "late_submission_penalty": 0.0,
                "score": result.score,
                "max_score": result.max_score,
            }
        )
    return out.getvalue()


def _write_gradescope(results: Sequence[Result], to: Path | None) -> int:
    if to is None:
        raise CoursekitError("export: say where the folder is to be, with --to DIR")
    from coursekit.results.feedback import file_name

    for result in results:
        folder = to / file_name(result.student).removesuffix(".html")
        make_private_folder(to)
        make_private_folder(folder)
        text = json.dumps(gradescope(result), indent=1, ensure_ascii=False)
        write_private(folder / "results.json", text)
    print(f"{to}: {len(results)} results.json", file=sys.stderr)
    return 0


def gradescope(result: Result) -> dict[str, Any]:
    """Return a result as Gradescope's autograder format; hidden checks are never shown."""
    tests = [
        {
            "name": f"{check.exercise}: {check.check}",
            "score": check.points,
            "max_score": check.max_points,
            "output": check.text,
            "output_format": "text",
            "visibility": "hidden" if check.hidden else "visible",
        }
        for check in result.checks
    ]
    return {"score": result.score, "output": result.reason, "output_format": "text", "tests": tests}
