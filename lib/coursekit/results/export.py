"""``coursekit export``: grades in the form in which an LMS or nbgrader takes them."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from coursekit.command import Subparsers, add_command, decimal, names
from coursekit.errors import CoursekitError
from coursekit.escaping import escape_formula
from coursekit.judge.verdict import Verdict
from coursekit.lms import LMSS, titles
from coursekit.private_files import make_private_folder, write_private
from coursekit.results.feedback import file_names
from coursekit.results.grade import Grade
from coursekit.results.grades import add_grades_options, read_grades
from coursekit.results.merge import merge
from coursekit.results.policy import Policy
from coursekit.row import Row


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "export",
        run,
        f"""
        Write grades for other systems. nbgrader: the columns of its own export. {", ".join(LMSS)}:
        the file that you exported there, with the grades filled in (--lms-file). gradescope: one
        results.json for each student, into a folder. totals: all assignments and their weighted
        mean. Manual scores and comments are in nbgrader's gradebook: --gradebook reads them.
        --policy sets what late work loses, what is extra credit, and the weights.
        """,
        """
        coursekit export results.jsonl --format canvas --lms-file canvas.csv -o upload.csv
        coursekit export results.jsonl --format moodle --lms-file moodle.csv -o upload.csv \\
            --gradebook sqlite:///gradebook.db --policy policy.toml
        coursekit export term.jsonl --format canvas --lms-file canvas.csv -o upload.csv \\
            --assignment masking --id-column "SIS User ID"
        coursekit export results.jsonl --format gradescope -o gradescope
        coursekit export results.jsonl --format totals --policy policy.toml
        """,
    )
    add_grades_options(parser)
    _add_options(parser)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        required=True,
        choices=("nbgrader", *LMSS, "gradescope", "totals"),
        help="the system that takes the grades",
    )
    parser.add_argument(
        "--lms-file", metavar="CSV", type=Path, help=f"the file exported from {titles()}"
    )
    parser.add_argument(
        "--id-column",
        metavar="COLUMN",
        help="with --lms-file: the column that has the students' ids",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        type=Path,
        help="the file or folder to write (default: print it)",
    )
    parser.add_argument(
        "--assignment", metavar="CHAPTER", help="this one alone; needed where FILE has several"
    )


def run(args: argparse.Namespace) -> int:
    """Write the export; return 1 when graded students are missing in the LMS's file."""
    _check_lms_options(args)
    read = read_grades(args, partial(_of_assignment, assignment=args.assignment))
    if args.format == "nbgrader":
        return _write(nbgrader_csv(read.grades), args.output)
    if args.format == "totals":
        return _write(totals_csv(read.grades, read.policy), args.output)
    if len({grade.assignment for grade in read.grades}) > 1:
        raise CoursekitError("export: several assignments; name one with --assignment")
    if args.format == "gradescope":
        return _write_gradescope(read.grades, args.output)
    merged = merge(LMSS[args.format], args.lms_file, read.grades, args.id_column)
    _write(merged.text, args.output)
    print("".join(f"{note}\n" for note in merged.notes), end="", file=sys.stderr)
    if merged.left_over:
        print(
            f"{len(merged.left_over)} not in {args.lms_file}: {names(merged.left_over)}",
            file=sys.stderr,
        )
    return 1 if merged.left_over else 0


def _check_lms_options(args: argparse.Namespace) -> None:
    if args.format in LMSS and args.lms_file is None:
        raise CoursekitError(
            f"export: give the file exported from {LMSS[args.format].title}, with --lms-file"
        )
    if args.format not in LMSS:
        for option, value in (("--lms-file", args.lms_file), ("--id-column", args.id_column)):
            if value is not None:
                raise CoursekitError(
                    f"export: {option} is for {', '.join(LMSS)}; leave it out with "
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


def _write_gradescope(grades: Sequence[Grade], to: Path | None) -> int:
    if to is None:
        raise CoursekitError("export: name the folder to write, with -o DIR")
    make_private_folder(to)
    grades = [grade for grade in grades if not grade.is_missing]
    pages = file_names(grade.student for grade in grades)
    for grade in grades:
        folder = make_private_folder(to / pages[grade.student].removesuffix(".html"))
        text = json.dumps(gradescope(grade), indent=1, ensure_ascii=False)
        write_private(folder / "results.json", text)
    print(f"{to}: {len(grades)} results.json", file=sys.stderr)
    return 0


_NBGRADER = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
)


def nbgrader_csv(grades: Sequence[Grade]) -> str:
    """Return the table that ``nbgrader export`` writes, without the names its gradebook knows."""
    out = io.StringIO()
    table = csv.DictWriter(out, _NBGRADER, restval="", lineterminator="\n")
    table.writeheader()
    for grade in grades:
        table.writerow(
            {
                "assignment": escape_formula(grade.assignment),
                "duedate": _time(grade.duedate),
                "timestamp": _time(grade.timestamp),
                "student_id": escape_formula(grade.student),
                "raw_score": round(grade.score, 6),
                "late_submission_penalty": round(grade.late_submission_penalty, 6),
                "score": grade.final_score,
                "max_score": round(grade.max_score, 6),
            }
        )
    return out.getvalue()


def _time(time: datetime | None) -> str:
    """Return a time as nbgrader writes it: in UTC, without a time zone."""
    return "" if time is None else str(time.astimezone(UTC).replace(tzinfo=None))


def gradescope(grade: Grade) -> dict[str, Any]:
    """Return a grade in Gradescope's autograder format; hidden checks are never shown."""
    tests = [
        {
            "name": f"{check.exercise}: {check.check}",
            "score": round(check.points, 6),
            "max_score": 0.0 if grade.is_extra(check) else round(check.max_points, 6),
            "output": _output(grade, check),
            "output_format": "text",
            "visibility": "hidden" if check.hidden else "visible",
        }
        for check in grade.checks
    ]
    comments = [f"{place[0]}: {text}" for place, text in grade.comments.items() if not place[1]]
    output = "\n".join(filter(None, [grade.reason, grade.lateness, grade.time_note, *comments]))
    return {"score": grade.final_score, "output": output, "output_format": "text", "tests": tests}


def _output(grade: Grade, check: Verdict) -> str:
    comment = grade.comments.get((check.exercise, check.check), "")
    return "\n".join(filter(None, [check.text, comment]))


@dataclass(frozen=True)
class _Column:
    """One assignment: points to earn, those of extra credit, and its weight."""

    name: str
    max_score: float
    extra_points: float
    weight: float

    @property
    def is_bonus(self) -> bool:
        """Whether all of it is extra credit."""
        return self.max_score == 0

    @property
    def title(self) -> str:
        if self.is_bonus:
            return f"{self.name} ({decimal(self.extra_points)} extra)"
        return f"{self.name} (of {decimal(self.max_score)})"


def totals_csv(grades: Sequence[Grade], policy: Policy) -> str:
    """Return a line a student: the points of each assignment, and the weighted mean in percent.

    What a student has not handed in counts as zero. An assignment that is extra credit throughout
    adds up to its weight to the points earned and nothing to those expected. Where the policy
    drops the lowest, a column names what was dropped.
    """
    by_student: dict[str, dict[str, Grade]] = {}
    for grade in grades:
        own = by_student.setdefault(grade.student, {})
        if not grade.is_missing:
            own[grade.assignment] = grade
    columns = _columns(grades, policy)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    drops = ["dropped"] if policy.drop_lowest else []
    titles = [escape_formula(column.title) for column in columns]
    table.writerow(["student_id", *titles, "total (%)", *drops])
    for student, own in sorted(by_student.items()):
        cells = [decimal(own[c.name].final_score) if c.name in own else "" for c in columns]
        shares = {name: grade.share for name, grade in own.items()}
        dropped = _lowest(columns, shares, policy.drop_lowest)
        total = decimal(_percent([c for c in columns if c.name not in dropped], shares))
        names = [escape_formula("; ".join(dropped))] if drops else []
        table.writerow([escape_formula(student), *cells, total, *names])
    return out.getvalue()


def _columns(grades: Sequence[Grade], policy: Policy) -> list[_Column]:
    columns = []
    for name in dict.fromkeys(grade.assignment for grade in grades):
        own = [grade for grade in grades if grade.assignment == name]
        most, extra = max(m.max_score for m in own), max(m.extra_points for m in own)
        columns.append(_Column(name, most, extra, policy.of(name).weight))
    return columns


def _lowest(columns: Sequence[_Column], shares: Mapping[str, float], count: int) -> list[str]:
    """Return the assignments that are dropped; one that is expected always stays.

    Of equal shares the one with more weight goes, which is never worse for the student.
    """
    expected = [column for column in columns if column.weight and not column.is_bonus]
    worst = sorted(expected, key=lambda c: (round(shares.get(c.name, 0.0), 9), -c.weight, c.name))
    return [column.name for column in worst[: min(count, len(expected) - 1)]]


def _percent(columns: Sequence[_Column], shares: Mapping[str, float]) -> float:
    earned = sum(column.weight * shares.get(column.name, 0.0) for column in columns)
    expected = sum(column.weight for column in columns if not column.is_bonus)
    most = expected or sum(column.weight for column in columns)
    return 100 * earned / most if most else 0.0
