"""Fill grades into the file that an instructor exported from an LMS."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from coursekit.command import decimal
from coursekit.errors import CoursekitError
from coursekit.lms import Lms, Table, identifier, names_in, read_table
from coursekit.reports.marks import Mark

#: Where a comma is the decimal mark, spreadsheets separate cells by another sign.
_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")


@dataclass(frozen=True)
class Merged:
    """The exported file's text with the grades, the students it lacks, and notes about it."""

    text: str
    left_over: list[str]
    notes: list[str]


def merge(
    lms: Lms,
    exported: Path,
    marks: Sequence[Mark],
    id_column: str | None = None,
    grade_column: str | None = None,
) -> Merged:
    """Fill grades into an exported file. All else in it stays as it was.

    Students are identified by **one** column: ``id_column``, or the one in which most of them are
    found. A number may be one student's login and another one's id. ``grade_column`` is the name of
    Canvas's assignment, where that is not the chapter's.

    Raises
    ------
    CoursekitError
        The file cannot be read, lacks the columns that identify students, or has two that name
        different students for the same line.
    """
    wanted = (id_column,) if id_column else lms.ids
    table = _read(exported, wanted)
    by_student = {identifier(mark.student): mark for mark in marks}
    students = _students(table, _spellings(by_student), table.places(wanted))
    column, notes = _grade_column(lms, table, marks[0].assignment, grade_column)
    most = max(mark.max_score for mark in marks)
    of_line = [next((c for c in row if c.strip() in lms.max_points), "") for row in table.rows]
    max_points = next(
        (_number(r[column]) for r, line in zip(table.rows, of_line, strict=True) if line), None
    )
    if max_points and max_points != most:
        notes.append(f"{exported} has {decimal(max_points)} points: scores are scaled to them")
    if max_points is None and any(mark.max_score != most for mark in marks):
        max_points = most
        notes.append(f"submissions have different points to earn: scaled to {decimal(most)}")
    of_column = next(iter(table.places(lms.max_points).values()), None)
    decimal_mark = "," if _has_decimal_commas(table) else "."
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
        row[column] = decimal(points).replace(".", decimal_mark)
    return Merged(table.text(), sorted(by_student.keys() - set(students)), notes)


def _has_decimal_commas(table: Table) -> bool:
    cells = (cell for row in table.rows for cell in row)
    return table.separator != "," and any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)


def _read(exported: Path, ids: Sequence[str]) -> Table:
    """Return the file's table, which must have one of the columns ``ids``."""
    table = read_table(exported)
    if not table.places(ids):
        raise CoursekitError(
            f"{exported} has none of the columns {', '.join(ids)}; is it the right file?"
        )
    width = len(table.header)
    table.rows = [_even(row, width, exported, n) for n, row in enumerate(table.rows, start=2)]
    return table


def _even(row: list[str], width: int, exported: Path, number: int) -> list[str]:
    """Return a line with as many cells as the header."""
    if any(cell.strip() for cell in row[width:]):
        raise CoursekitError(f"{exported}: line {number} has {len(row)} cells; expected {width}")
    return row[:width] + [""] * (width - len(row))


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
