"""The LMS's own list of a class: whom it does not know is not graded under a guessed id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from coursekit.errors import CoursekitError
from coursekit.grade.work import printable
from coursekit.results.merge import names_in, read_table

#: By which columns students are known; folders can be named by any of them.
_COLUMNS = {
    "canvas": ("ID",),
    "moodle": ("Identifier",),
    "nbgrader": (
        *("SIS Login ID", "SIS User ID", "ID"),
        *("Username", "Email address", "ID number", "Identifier"),
    ),
}
_MOST_NAMED = 10


def refuse_unlisted(lms_file: Path, layout: str, students: Mapping[str, str]) -> None:
    """Refuse ids that the LMS's list lacks, or has twice.

    Parameters
    ----------
    lms_file : Path
        Canvas's gradebook or Moodle's grading worksheet, exported as CSV.
    layout : str
        How the submissions are laid out; it says which column counts. Where folders are students'
        names, the column counts in which most of them are found.
    students : mapping of str to str
        Ids, and the name of the file or folder of each.

    Raises
    ------
    CoursekitError
        There are such ids, or the file lacks the column.
    """
    (head, *rows), _ = read_table(lms_file)
    head = [cell.strip() for cell in head]
    known = [column for column in _COLUMNS[layout] if column in head]
    if not known:
        raise CoursekitError(
            f"{lms_file} has no column {' or '.join(_COLUMNS[layout])}; expected the list of the "
            f"LMS that the submissions are from ({layout})"
        )
    counts = {column: _times(rows, head.index(column), students) for column in known}
    column = max(known, key=lambda column: sum(map(bool, counts[column].values())))
    unknown = [student for student, times in counts[column].items() if not times]
    double = [student for student, times in counts[column].items() if times > 1]
    for which, fault in ((unknown, "are not in"), (double, "stand more than once in")):
        if which:
            raise CoursekitError(
                f"{lms_file}: {_named(which, students)} {fault} the column {column}; nothing was "
                "graded. Take them out, or export the list again"
            )


def _times(rows: Iterable[list[str]], place: int, students: Iterable[str]) -> dict[str, int]:
    """Return how many lines name each student, in its own case or in lower case."""
    listed = Counter(n for row in rows if place < len(row) for n in set(names_in(row[place])))
    return {student: listed[student] or listed[student.casefold()] for student in students}


def _named(which: list[str], students: Mapping[str, str]) -> str:
    told = [f"{student} ({printable(students[student])!r})" for student in which[:_MOST_NAMED]]
    return ", ".join(told) + (f" and {len(which) - len(told)} more" if which[_MOST_NAMED:] else "")
