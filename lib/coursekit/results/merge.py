"""Fill grades into the file that an instructor exported from an LMS."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from coursekit.errors import CoursekitError
from coursekit.results.read import Result


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
    """

    ids: tuple[str, ...]
    grade: str | None
    most: str


def merge(layout: Layout, exported: Path, results: Sequence[Result]) -> tuple[str, list[str]]:
    """Return the exported file's text with the grades in it, and the students it lacks.

    All other columns, lines and their order stay as they were.

    Raises
    ------
    CoursekitError
        The file cannot be read, or lacks the columns by which students are known.
    """
    head, rows = _read(exported)
    known = [column for column in layout.ids if column in head]
    if not known:
        wanted = ", ".join(layout.ids)
        raise CoursekitError(f"{exported} has none of the columns {wanted}; is it the right file?")
    column = _grade_column(layout, head, results[0].assignment)
    waiting = {result.student: result for result in results}
    spelled = _spellings(waiting)
    for row in rows:
        names = [name for at in _places(head, known) for name in _names(row[at])]
        student = next((spelled[name] for name in names if name in spelled), None)
        if student in waiting:
            found = waiting.pop(student)
            row[column] = f"{_scaled(found, layout, head, row):g}"
        elif layout.most in (cell.strip() for cell in row) and not row[column]:
            row[column] = f"{results[0].max_score:g}"
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([head, *(row[: len(head)] for row in rows)])
    return out.getvalue(), sorted(waiting)


def _read(exported: Path) -> tuple[list[str], list[list[str]]]:
    try:
        text = exported.read_text(encoding="utf-8-sig")  # Both systems may begin with a mark.
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise CoursekitError(f"cannot read {exported}: {reason}") from None
    table = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    if not table:
        raise CoursekitError(f"{exported} is empty")
    head = table[0]
    return head, [row + [""] * (len(head) + 1 - len(row)) for row in table[1:]]


def _places(head: Sequence[str], names: Sequence[str]) -> list[int]:
    return [head.index(name) for name in names]


def _spellings(students: Iterable[str]) -> dict[str, str]:
    """Return students by how a file may spell them: as they are, or in lower case where unique."""
    exact = {student: student for student in students}
    folded = Counter(student.casefold() for student in exact)
    return {s.casefold(): s for s in exact if folded[s.casefold()] == 1} | exact


def _names(cell: str) -> list[str]:
    """Return what a cell may call a student; Moodle's Identifier is "Participant 1234"."""
    name = cell.strip().removeprefix("Participant ")
    return [name, name.casefold()] if name else []


def _grade_column(layout: Layout, head: list[str], assignment: str) -> int:
    """Return the place of the column for the grade; add it to ``head`` where it is missing."""
    if layout.grade is not None:
        if layout.grade not in head:
            raise CoursekitError(f"the file has no column {layout.grade!r}")
        return head.index(layout.grade)
    # Canvas writes its own number after the assignment's name: "masking (1234)".
    named = re.compile(rf"{re.escape(assignment)}(\s*\(\d+\))?\Z", re.IGNORECASE)
    place = next((at for at, name in enumerate(head) if named.match(name.strip())), None)
    if place is None:
        head.append(assignment)
    return len(head) - 1 if place is None else place


def _scaled(result: Result, layout: Layout, head: Sequence[str], row: Sequence[str]) -> float:
    """Return the score, in the LMS's points where the student's line says how many there are."""
    if layout.most not in head:
        return result.score
    try:
        most = float(row[head.index(layout.most)].replace(",", "."))
    except ValueError:
        return result.score
    return round(result.score * most / result.max_score, 4) if result.max_score else 0.0
