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

from coursekit.errors import CoursekitError
from coursekit.results.read import Result

#: What may stand between cells; where a comma is the decimal sign, spreadsheets take another.
_SEPARATORS = ",;\t"
_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")


@dataclass(frozen=True)
class Layout:
    """How an LMS lays its file out.

    Attributes
    ----------
    ids : sequence of str
        Columns that may hold a student's id, best first.
    grade : str or None
        The column for the grade; None: one named for the assignment, added where it is missing.
    most : str
        Where the possible points stand: a column, or in the named column's place a line.
    comments : str or None
        The column for a person's comments, which is HTML.
    """

    ids: tuple[str, ...]
    grade: str | None
    most: str
    comments: str | None = None


@dataclass(frozen=True)
class Merged:
    """The exported file's text with the grades in it, whom it lacks, and what one should know."""

    text: str
    left_over: list[str]
    notes: list[str]


def merge(
    layout: Layout, exported: Path, results: Sequence[Result], by: str | None = None
) -> Merged:
    """Fill grades into an exported file. Other columns, lines and their order stay as they were.

    So does its separator and, where that is not the comma, its decimal sign.

    Students are known by **one** column, that in which most of them are found or the one that
    ``by`` names: a number may be one student's login and another one's id.

    Raises
    ------
    CoursekitError
        The file cannot be read, lacks the columns by which students are known, or has two that
        name different students for the same line.
    """
    (head, *rows), separator = read_table(exported)
    found = {result.student: result for result in results}
    known = [column for column in ((by,) if by else layout.ids) if column in head]
    if not known:
        wanted = by or ", ".join(layout.ids)
        raise CoursekitError(f"{exported} has none of the columns {wanted}; is it the right file?")
    rows = [_even(row, len(head), exported, number) for number, row in enumerate(rows, start=2)]
    students = _students(exported, head, rows, _spellings(found), known)
    column, notes = _grade_column(layout, exported, head, results[0].assignment)
    for row in rows:
        row.extend([""] * (len(head) - len(row)))
    cells = (cell for row in rows for cell in row)
    has_commas = separator != "," and any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)
    most = _most_of_all(layout, rows, column)
    if most is not None and most != results[0].max_score:
        notes.append(f"{exported} has {most:g} points for it: scores are scaled to them")
    for row, student in zip(rows, students, strict=True):
        if student is not None:
            points = _scaled(found[student], layout, head, row, most)
            _comment(found[student], layout, head, row)
        elif layout.most in (cell.strip() for cell in row) and not row[column]:
            points = results[0].max_score
        else:
            continue
        row[column] = f"{points:g}".replace(".", "," if has_commas else ".")
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows([head, *rows])
    return Merged(out.getvalue(), sorted(found.keys() - set(students)), notes)


def read_table(exported: Path) -> tuple[list[list[str]], str]:
    """Return the file's lines, the head first, and what separates its cells."""
    csv.field_size_limit(1 << 26)  # feedback comments are long
    try:
        text = exported.read_text(encoding="utf-8-sig")  # Both systems may begin with a mark.
        head = text.split("\n", 1)[0]
        separator = max(_SEPARATORS, key=head.count)
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        table = [row for row in lines if row]
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise CoursekitError(f"cannot read {exported}: {reason}") from None
    except csv.Error as error:
        raise CoursekitError(f"cannot read {exported}: {error}") from None
    if not table:
        raise CoursekitError(f"{exported} is empty")
    return table, separator


def _even(row: list[str], width: int, exported: Path, number: int) -> list[str]:
    """Return a line with as many cells as the head."""
    if any(cell.strip() for cell in row[width:]):
        raise CoursekitError(f"{exported}: line {number} has {len(row)} cells; expected {width}")
    return row[:width] + [""] * (width - len(row))


def _students(
    exported: Path,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    spelled: Mapping[str, str],
    known: Sequence[str],
) -> list[str | None]:
    """Return for each line whose it is, None where it is nobody's of ours."""
    guesses = {}
    for column in known:
        place = head.index(column)
        names = [names_in(row[place]) for row in rows]
        guesses[column] = [next((spelled[n] for n in some if n in spelled), None) for some in names]
    best = max(known, key=lambda column: sum(one is not None for one in guesses[column]))
    for column in known:
        _agree(exported, (best, guesses[best]), (column, guesses[column]))
    return guesses[best]


def _agree(
    exported: Path, one: tuple[str, list[str | None]], other: tuple[str, list[str | None]]
) -> None:
    """Raise where a line is one student by one column, and another or none by the other.

    None is no quarrel as long as the other column knows nothing of that student.
    """
    known = {student for student in one[1] if student} & {s for s in other[1] if s}
    for line, (a, b) in enumerate(zip(one[1], other[1], strict=True), start=2):
        if a != b and ((a and b) or a in known or b in known):
            seen = " and ".join(
                f"{student or 'nobody'} by {column!r}"
                for student, column in ((a, one[0]), (b, other[0]))
            )
            raise CoursekitError(
                f"{exported}: line {line} is {seen}; name the column that counts, with --id-column"
            )


def _spellings(students: Iterable[str]) -> dict[str, str]:
    """Return students by how a file may spell them: as they are, or in lower case where unique."""
    exact = {student: student for student in students}
    folded = Counter(student.casefold() for student in exact)
    return {s.casefold(): s for s in exact if folded[s.casefold()] == 1} | exact


def names_in(cell: str) -> list[str]:
    """Return what a cell may call a student; Moodle's Identifier is "Participant 1234"."""
    name = cell.strip().removeprefix("Participant ")
    return [name, name.casefold()] if name else []


def _grade_column(
    layout: Layout, exported: Path, head: list[str], assignment: str
) -> tuple[int, list[str]]:
    """Return the place of the column for the grade, added to ``head`` where it is missing."""
    if layout.grade is not None:
        if layout.grade not in head:
            raise CoursekitError(
                f"{exported} has no column {layout.grade!r}; expected the assignment's grading "
                "worksheet, not an export of the gradebook"
            )
        return head.index(layout.grade), []
    # Canvas writes its own number after the assignment's name: "masking (1234)".
    named = re.compile(rf"{re.escape(assignment)}(\s*\(\d+\))?\Z", re.IGNORECASE)
    places = [at for at, name in enumerate(head) if named.match(name.strip())]
    if len(places) > 1:
        both = " and ".join(repr(head[at]) for at in places)
        raise CoursekitError(f"{exported} has {both}; leave one of them in the file")
    if places:
        return places[0], []
    head.append(assignment)
    return len(head) - 1, [f"{exported} had no column {assignment!r}: it was added as the last"]


def _most_of_all(layout: Layout, rows: Sequence[Sequence[str]], column: int) -> float | None:
    """Return the possible points where a line of its own says them, as in Canvas."""
    for row in rows:
        if layout.most in (cell.strip() for cell in row):
            return _number(row[column])
    return None


def _scaled(
    result: Result, layout: Layout, head: Sequence[str], row: Sequence[str], most: float | None
) -> float:
    """Return the score, in the LMS's points where the file says how many there are."""
    if layout.most in head:
        most = _number(row[head.index(layout.most)])
    if most is None:
        return result.score
    return round(result.score * most / result.max_score, 4) if result.max_score else 0.0


def _comment(result: Result, layout: Layout, head: Sequence[str], row: list[str]) -> None:
    """Write what a person wrote where nobody has written before."""
    if layout.comments in head and result.comments:
        place = head.index(layout.comments)
        lines = [f"{' · '.join(filter(None, at))}: {text}" for at, text in result.comments.items()]
        told = "<br>".join(escape(line).replace("\n", "<br>") for line in lines)
        row[place] = row[place] or told


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None
