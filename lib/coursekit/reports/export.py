"""``coursekit export``: grades in the form in which an LMS or nbgrader takes them."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from coursekit.command import Subparsers, add_command, names
from coursekit.errors import CoursekitError
from coursekit.escaping import escape_formula
from coursekit.lms import LMS
from coursekit.private_files import write_private
from coursekit.reports.marks import Mark, add_marks_options, read_marks, with_policy
from coursekit.reports.merge import merge

#: The LMSs whose file is filled in.
_FILLED = ("canvas", "moodle")
_NBGRADER = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
)


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "export",
        run,
        """
        Write grades for other systems. canvas, moodle: the file that you exported there, with the
        grades filled in (--lms-file). nbgrader: the columns of its own export. Points that you gave
        in formgrader are in nbgrader's gradebook: give the table of `nbgrader export` in place of
        the results file. --policy sets what late work loses.
        """,
        """
        coursekit export results.jsonl --format canvas --lms-file canvas.csv -o upload.csv
        nbgrader export --to marks.csv
        coursekit export marks.csv --format moodle --lms-file moodle.csv -o upload.csv \\
            --assignment masking --policy policy.toml
        coursekit export results.jsonl --format canvas --lms-file canvas.csv -o upload.csv \\
            --id-column "SIS User ID" --column "Homework 3"
        """,
    )
    add_marks_options(parser, ", or the table that `nbgrader export` wrote")
    _add_options(parser)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        required=True,
        choices=("nbgrader", *_FILLED),
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
        "--column",
        metavar="NAME",
        help="with --format canvas: the assignment's name there (default: the chapter's name)",
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
    chosen = _of_assignment(read_marks(args.results), args.assignment)
    marks = with_policy(chosen, args.policy, args.results)
    if args.format == "nbgrader":
        return _write(nbgrader_csv(marks), args.output)
    if len({mark.assignment for mark in marks}) > 1:
        raise CoursekitError("export: several assignments; name one with --assignment")
    merged = merge(LMS[args.format], args.lms_file, marks, args.id_column, args.column)
    _write(merged.text, args.output)
    print("".join(f"{note}\n" for note in merged.notes), end="", file=sys.stderr)
    if merged.left_over:
        print(
            f"{len(merged.left_over)} not in {args.lms_file}: {names(merged.left_over)}",
            file=sys.stderr,
        )
    return 1 if merged.left_over else 0


def nbgrader_csv(marks: Sequence[Mark]) -> str:
    """Return the table that ``nbgrader export`` writes, without the names its gradebook knows."""
    out = io.StringIO()
    table = csv.DictWriter(out, _NBGRADER, restval="", lineterminator="\n")
    table.writeheader()
    for mark in marks:
        table.writerow(
            {
                "assignment": escape_formula(mark.assignment),
                "duedate": _time(mark.duedate),
                "timestamp": _time(mark.timestamp),
                "student_id": escape_formula(mark.student),
                "raw_score": round(mark.score, 6),
                "late_submission_penalty": round(mark.penalty, 6),
                "score": mark.final_score,
                "max_score": round(mark.max_score, 6),
            }
        )
    return out.getvalue()


def _time(time: datetime | None) -> str:
    """Return a time as nbgrader writes it: in UTC, without a time zone."""
    return "" if time is None else str(time.astimezone(UTC).replace(tzinfo=None))


def _check_lms_options(args: argparse.Namespace) -> None:
    if args.format in _FILLED and args.lms_file is None:
        raise CoursekitError(
            f"export: give the file exported from {args.format.capitalize()}, with --lms-file"
        )
    if args.format not in _FILLED:
        given = {
            "--lms-file": args.lms_file,
            "--id-column": args.id_column,
            "--column": args.column,
        }
        for option, value in given.items():
            if value is not None:
                raise CoursekitError(
                    f"export: {option} is for {' and '.join(_FILLED)}; leave it out with "
                    f"--format {args.format}"
                )


def _of_assignment(marks: Sequence[Mark], assignment: str | None) -> Sequence[Mark]:
    chosen = [mark for mark in marks if assignment in (None, mark.assignment)]
    if not chosen:
        known = ", ".join(sorted({mark.assignment for mark in marks}))
        raise CoursekitError(f"no results for {assignment!r}; the file has {known}")
    return chosen


def _write(text: str, to: Path | None) -> int:
    if to is None:
        print(text, end="")
    else:
        write_private(to, text)
        print(f"{to}: written", file=sys.stderr)
    return 0
