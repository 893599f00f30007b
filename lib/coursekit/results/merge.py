"""Fill grades into the file that an instructor exported from an LMS."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from coursekit.command import decimal
from coursekit.errors import CoursekitError
from coursekit.identifiers import identifier
from coursekit.lms import Lms
from coursekit.lms.tables import read_table
from coursekit.results.grade import Grade

#: A number whose decimal mark is a comma, as spreadsheets write it in some languages.
_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")


@dataclass(frozen=True)
class Merged:
    """The exported file's text with the grades, the students it lacks, and notes about it."""

    text: str
    left_over: list[str]
    notes: list[str]


@dataclass(frozen=True)
class _Table:
    """The cells of an exported file, and how they were written."""

    file: Path
    header: list[str]
    rows: list[list[str]]
    separator: str

    @property
    def has_decimal_commas(self) -> bool:
        cells = (cell for row in self.rows for cell in row)
        return self.separator != "," and any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)

    def text(self) -> str:
        out = io.StringIO()
        lines = csv.writer(out, delimiter=self.separator, lineterminator="\n")
        lines.writerows([self.header, *self.rows])
        return out.getvalue()


def merge(
    lms: Lms, exported: Path, grades: Sequence[Grade], id_column: str | None = None
) -> Merged:
    """Fill grades into an exported file. All else in it stays as it was.

    Students are identified by **one** column: ``id_column``, or the one in which most of them are
    found. A number may be one student's login and another one's id.

    Raises
    ------
    CoursekitError
        The file cannot be read, lacks the columns that identify students, or has two that name
        different students for the same line.
    """
    wanted = (id_column,) if id_column else lms.ids
    table = _read(lms, exported, wanted)
    by_student = {identifier(grade.student): grade for grade in grades}
    students = _students(lms, table, _spellings(by_student), wanted)
    column, header_points, notes = _grade_column(lms, table, grades[0].assignment)
    for row in table.rows:
        row.extend([""] * (len(table.header) - len(row)))
    most = max(grade.max_score for grade in grades)
    max_points = header_points or _max_points(lms, table.rows, column)
    if max_points and max_points != most:
        notes.append(
            f"{exported} has {decimal(max_points)} points for it: scores are scaled to them"
        )
    if max_points is None and any(grade.max_score != most for grade in grades):
        max_points = most
        notes.append(
            f"points to earn differ between submissions: scores are scaled to {decimal(most)}"
        )
    decimal_mark = "," if table.has_decimal_commas else "."
    for row, student in zip(table.rows, students, strict=True):
        if student is not None and by_student[student].is_missing:
            row[column] = ""
            continue
        if student is not None:
            points = _scaled(by_student[student], lms, table.header, row, max_points)
            _comment(by_student[student], lms, table.header, row)
        elif lms.max_points and lms.max_points in map(str.strip, row) and not row[column]:
            points = most
        else:
            continue
        row[column] = decimal(points).replace(".", decimal_mark)
    return Merged(table.text(), sorted(by_student.keys() - set(students)), notes)


def _read(lms: Lms, exported: Path, ids: Sequence[str]) -> _Table:
    """Return the file's table, which must have one of the columns ``ids``."""
    (header, *rows), separator = read_table(exported)
    if all(lms.id_cells(column, header, ()) is None for column in ids):
        raise CoursekitError(
            f"{exported} has none of the columns {', '.join(ids)}; is it the right file?"
        )
    even = [_even(row, len(header), exported, number) for number, row in enumerate(rows, start=2)]
    return _Table(exported, header, even, separator)


def _even(row: list[str], width: int, exported: Path, number: int) -> list[str]:
    """Return a line with as many cells as the header."""
    if any(cell.strip() for cell in row[width:]):
        raise CoursekitError(f"{exported}: line {number} has {len(row)} cells; expected {width}")
    return row[:width] + [""] * (width - len(row))


def _students(
    lms: Lms, table: _Table, spellings: Mapping[str, str], columns: Sequence[str]
) -> list[str | None]:
    """Return the student of each line; None where it is none of ours."""
    guesses = {}
    for column in columns:
        cells = lms.id_cells(column, table.header, table.rows)
        if cells is not None:
            known = [[n for n in lms.names_in(cell) if n in spellings] for cell in cells]
            guesses[column] = [spellings[names[0]] if names else None for names in known]
    best = max(guesses, key=lambda column: sum(one is not None for one in guesses[column]))
    for column in guesses:
        _agree(table.file, (best, guesses[best]), (column, guesses[column]))
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


def _grade_column(lms: Lms, table: _Table, assignment: str) -> tuple[int, float | None, list[str]]:
    """Return the grade's column, added where it may be, its points by the header, and notes."""
    named = re.compile(lms.grade.replace("{assignment}", re.escape(assignment)), re.IGNORECASE)
    matches = ((at, named.fullmatch(name.strip())) for at, name in enumerate(table.header))
    found = [(at, match) for at, match in matches if match]
    if len(found) > 1:
        both = " and ".join(repr(table.header[at]) for at, _ in found)
        raise CoursekitError(f"{table.file} has {both}; leave one of them in the file")
    if found:
        ((at, match),) = found
        return at, _number(match.groupdict().get("most") or ""), []
    if not lms.adds_grade:
        wanted = lms.grade if lms.grade.isalpha() else assignment
        raise CoursekitError(f"{table.file} has no column {wanted!r}; expected {lms.grade_hint}")
    table.header.append(assignment)
    note = f"{table.file} had no column {assignment!r}: it was added as the last"
    return len(table.header) - 1, None, [note]


def _max_points(lms: Lms, rows: Sequence[Sequence[str]], column: int) -> float | None:
    """Return the points to earn where a line of its own has them, as in Canvas."""
    for row in rows:
        if lms.max_points and lms.max_points in map(str.strip, row):
            return _number(row[column])
    return None


def _scaled(
    grade: Grade,
    lms: Lms,
    header: Sequence[str],
    row: Sequence[str],
    max_points: float | None,
) -> float:
    """Return the score, in the LMS's points where the file says how many there are."""
    if lms.max_points in header:
        max_points = _number(row[header.index(lms.max_points)])
    if not max_points:  # not said, or extra credit alone: points as they are
        return grade.final_score
    return grade.share * max_points


def _comment(grade: Grade, lms: Lms, header: Sequence[str], row: list[str]) -> None:
    """Write a person's comments, unless the cell has text already."""
    if lms.comments in header and grade.comments:
        place = header.index(lms.comments)
        lines = [f"{' · '.join(filter(None, at))}: {text}" for at, text in grade.comments.items()]
        html = "<br>".join(escape(line).replace("\n", "<br>") for line in lines)
        row[place] = row[place] or html


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None
