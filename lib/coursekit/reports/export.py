"""``coursekit export``: grades in the form in which an LMS or nbgrader takes them."""

from __future__ import annotations

import argparse
import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from coursekit.command import Subparsers, add_command, decimal, names, tell
from coursekit.errors import CoursekitError
from coursekit.escaping import escape_formula
from coursekit.lms import LMS, Lms, Table, identifier, names_in, read_list
from coursekit.private_files import write_private
from coursekit.reports.marks import (
    Mark,
    add_marks_options,
    of_assignments,
    read_marks,
    with_policy,
)

#: Where a comma is the decimal mark, spreadsheets separate cells by another sign.
_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
#: The LMSs whose file is filled in.
_FILLED = tuple(name for name, lms in LMS.items() if lms.grade or lms.max_points)
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
        "--lms-file", metavar="CSV", type=Path, help="the file exported from that LMS"
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


def run(args: argparse.Namespace) -> int:
    """Write the export; return 1 when graded students are missing in the LMS's file."""
    _check_lms_options(args)
    chosen = of_assignments(read_marks(args.results), args.assignment)
    marks = with_policy(chosen, args.policy, args.results)
    if args.format == "nbgrader":
        return _write(nbgrader_csv(marks), args.output)
    if len({mark.assignment for mark in marks}) > 1:
        raise CoursekitError("export: several assignments; name one with --assignment")
    merged = merge(args.format, args.lms_file, marks, args.id_column, args.column)
    _write(merged.text, args.output)
    for note in merged.notes:
        tell(note)
    if left := merged.left_over:
        tell(f"{len(left)} not in {args.lms_file}: {names(left)}")
    return 1 if left else 0


def nbgrader_csv(marks: Sequence[Mark]) -> str:
    """Return the table that ``nbgrader export`` writes, without the names its gradebook knows."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(_NBGRADER)
    for mark in marks:
        assignment, student = map(escape_formula, (mark.assignment, mark.student))
        points = (mark.score, mark.penalty, mark.final_score, mark.max_score)
        times = (_time(mark.duedate), _time(mark.timestamp))
        table.writerow([assignment, *times, student, "", "", "", *(round(p, 6) for p in points)])
    return out.getvalue()


def _time(time: datetime | None) -> str:
    """Return a time as nbgrader writes it: in UTC, without a time zone."""
    return "" if time is None else str(time.astimezone(UTC).replace(tzinfo=None))


def _check_lms_options(args: argparse.Namespace) -> None:
    if args.format in _FILLED and args.lms_file is None:
        raise CoursekitError(
            f"export: give the file exported from {args.format.capitalize()}, with --lms-file"
        )
    options = ("lms-file", "id-column", "column")
    given = [name for name in options if vars(args)[name.replace("-", "_")] is not None]
    if given and args.format not in _FILLED:
        raise CoursekitError(
            f"export: --{given[0]} is for {' and '.join(_FILLED)}; leave it out with "
            f"--format {args.format}"
        )


def _write(text: str, to: Path | None) -> int:
    if to is None:
        print(text, end="")
    else:
        write_private(to, text)
        tell(f"{to}: written")
    return 0


# --- the file of an LMS --------------------------------------------------------------------------


@dataclass(frozen=True)
class Merged:
    """The exported file's text with the grades, the students it lacks, and notes about it."""

    text: str
    left_over: list[str]
    notes: list[str]


def merge(
    lms: str,
    exported: Path,
    marks: Sequence[Mark],
    id_column: str | None = None,
    grade_column: str | None = None,
) -> Merged:
    """Fill grades into an exported file. All else in it stays as it was.

    ``lms`` is one of `coursekit.lms.LMS`. Students are identified by **one** column: ``id_column``,
    or the one in which most of them are found. A number may be one student's login and another
    one's id. ``grade_column`` is the name of Canvas's assignment, where that is not the chapter's.

    Raises
    ------
    CoursekitError
        The file cannot be read, lacks the columns that identify students, or has two that name
        different students for the same line.
    """
    about = LMS[lms]
    wanted = (id_column,) if id_column else about.ids
    table = read_list(exported, lms, wanted)
    by_student = {identifier(mark.student): mark for mark in marks}
    students = _students(table, _spellings(by_student), table.places(wanted))
    column, notes = _grade_column(about, table, marks[0].assignment, grade_column)
    most = max(mark.max_score for mark in marks)
    of_line = [next((c for c in row if c.strip() in about.max_points), "") for row in table.rows]
    told = [_number(r[column]) for r, line in zip(table.rows, of_line, strict=True) if line]
    max_points = next(iter(told), None)
    if max_points and max_points != most:
        notes.append(f"{exported} has {decimal(max_points)} points: scores are scaled to them")
    if max_points is None and any(mark.max_score != most for mark in marks):
        max_points = most
        notes.append(f"submissions have different points to earn: scaled to {decimal(most)}")
    of_column = next(iter(table.places(about.max_points).values()), None)
    cells = (cell for row in table.rows for cell in row)
    has_commas = table.separator != "," and any(map(_DECIMAL_COMMA.fullmatch, cells))
    for row, student, line in zip(table.rows, students, of_line, strict=True):
        if student is not None and by_student[student].is_missing:
            row[column] = ""
            continue
        if student is not None:
            own = _number(row[of_column]) if of_column is not None else max_points
            mark = by_student[student]
            # Where the points to earn are not said: points as they are.
            points = mark.share * own if own else mark.final_score
        elif line and not row[column]:
            points = most
        else:
            continue
        row[column] = decimal(points).replace(".", "," if has_commas else ".")
    return Merged(table.text(), sorted(by_student.keys() - set(students)), notes)


def _students(
    table: Table, spellings: Mapping[str, str], columns: Mapping[str, int]
) -> list[str | None]:
    """Return the student of each line; None where it is none of ours."""
    guesses = {}
    for column, place in columns.items():
        guesses[column] = [
            next((spellings[name] for name in names_in(row[place]) if name in spellings), None)
            for row in table.rows
        ]
    best = max(columns, key=lambda column: sum(one is not None for one in guesses[column]))
    for column in columns:
        _agree(table.path, (best, guesses[best]), (column, guesses[column]))
    return guesses[best]


def _agree(
    exported: Path, one: tuple[str, list[str | None]], other: tuple[str, list[str | None]]
) -> None:
    """Raise where a line is one student by one column, and another or none by the other.

    None is accepted where the other column does not have that student anywhere.
    """
    known = {student for student in one[1] if student} & {s for s in other[1] if s}
    for line, (a, b) in enumerate(zip(one[1], other[1], strict=True), start=2):
        if a != b and ((a and b) or a in known or b in known):
            both = " and ".join(
                f"{student or 'nobody'} by {column!r}"
                for student, column in ((a, one[0]), (b, other[0]))
            )
            raise CoursekitError(
                f"{exported}: line {line} is {both}; name the column that counts, with --id-column"
            )


def _spellings(students: Iterable[str]) -> dict[str, str]:
    """Return students by the spellings of a file: their own, or lower case where it is unique."""
    exact = {student: student for student in students}
    folded = Counter(student.casefold() for student in exact)
    return {s.casefold(): s for s in exact if folded[s.casefold()] == 1} | exact


def _grade_column(
    lms: Lms, table: Table, assignment: str, wanted: str | None
) -> tuple[int, list[str]]:
    """Return the place of the column for the grade, added to the header where it is missing."""
    if lms.grade:
        places = table.places(lms.grade)
        if not places:
            raise CoursekitError(
                f"{table.path} has no column {' or '.join(map(repr, lms.grade))}; expected the "
                "assignment's grading worksheet, not an export of the gradebook"
            )
        return next(iter(places.values())), []
    # Canvas writes its own number after the assignment's name: "masking (1234)".
    named = re.compile(rf"{re.escape(wanted or assignment)}(\s*\(\d+\))?\Z", re.IGNORECASE)
    found = [at for at, name in enumerate(table.header) if named.match(name.strip())]
    if len(found) > 1:
        both = " and ".join(repr(table.header[at]) for at in found)
        raise CoursekitError(f"{table.path} has {both}; leave one of them in the file")
    if found:
        return found[0], []
    if wanted:
        raise CoursekitError(
            f"{table.path} has no column {wanted!r}; it has {', '.join(map(repr, table.header))}"
        )
    table.header.append(assignment)
    for row in table.rows:
        row.append("")
    note = (
        f"{table.path} had no column {assignment!r}: it was added as the last; if the assignment "
        "has another name there, give it with --column"
    )
    return len(table.header) - 1, [note]


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None
