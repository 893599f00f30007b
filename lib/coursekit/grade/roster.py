"""The roster: the LMS's own list of a class, by which ids are checked before anything is graded."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from pathlib import Path

from coursekit.errors import CoursekitError
from coursekit.grade import timestamps
from coursekit.grade.timestamps import HandIn
from coursekit.identifiers import names_in, printable
from coursekit.lms_tables import read_table

#: The columns with students' ids; folders can have ids of any of them.
_COLUMNS = {
    "canvas": ("ID",),
    "moodle": ("Identifier",),
    "nbgrader": (
        *("SIS Login ID", "SIS User ID", "ID"),
        *("Username", "Email address", "ID number", "Identifier"),
    ),
}
_MOST_NAMED = 10


class Roster:
    """Canvas's gradebook or Moodle's grading worksheet, exported as CSV.

    Parameters
    ----------
    lms_file : Path
        The file.
    layout : str
        The layout of the submissions, which decides in which column their ids are.

    Raises
    ------
    CoursekitError
        The file cannot be read, or lacks the column.
    """

    def __init__(self, lms_file: Path, layout: str) -> None:
        self._file, self._layout = lms_file, layout
        (header, *self._rows), _ = read_table(lms_file)
        self._header = [cell.strip() for cell in header]
        self._columns = [column for column in _COLUMNS[layout] if column in self._header]
        if not self._columns:
            raise CoursekitError(
                f"{lms_file} has no column {' or '.join(_COLUMNS[layout])}; expected the list of "
                f"the LMS that the submissions are from ({layout})"
            )

    def refuse_unlisted(self, students: Mapping[str, str]) -> None:
        """Refuse ids that the list lacks, or has twice.

        Parameters
        ----------
        students : mapping of str to str
            Ids, and the name of the file or folder of each. Where folders are named by students,
            the column counts in which most of them are found.

        Raises
        ------
        CoursekitError
            There are such ids.
        """
        counts = {column: self._counts(column, students) for column in self._columns}
        column = max(counts, key=lambda column: sum(map(bool, counts[column].values())))
        unknown = [student for student, count in counts[column].items() if not count]
        double = [student for student, count in counts[column].items() if count > 1]
        for ids, fault in ((unknown, "not"), (double, "more than once")):
            if ids:
                raise CoursekitError(
                    f"{self._file}: {fault} in the column {column}: {_named(ids, students)}; "
                    "nothing was graded. Take them out, or export the list again"
                )

    def times(self, zone: tzinfo | None) -> dict[str, HandIn]:
        """Return the times of submission that the list has, by student.

        A worksheet that lacks them is named on stderr. ``zone`` is that of the teacher who exported
        it; None: this machine's.
        """
        if self._layout != "moodle":
            return {}
        if timestamps.MOODLE_COLUMN not in self._header:
            print(
                f"{self._file} has no column {timestamps.MOODLE_COLUMN!r}, and so no times of "
                "submission; Moodle in English writes it",
                file=sys.stderr,
            )
        lines = (dict(zip(self._header, row, strict=False)) for row in self._rows)
        return timestamps.of_moodle(lines, zone)

    def _counts(self, column: str, students: Mapping[str, str]) -> dict[str, int]:
        """Return how many rows name each student, in its own case or in lower case."""
        place = self._header.index(column)
        cells = [row[place] for row in self._rows if place < len(row)]
        listed = Counter(name for cell in cells for name in set(names_in(cell)))
        return {student: listed[student] or listed[student.casefold()] for student in students}


def _named(ids: Sequence[str], students: Mapping[str, str]) -> str:
    named = [f"{student} ({printable(students[student])!r})" for student in ids[:_MOST_NAMED]]
    more = len(ids) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")
