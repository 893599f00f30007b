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
from coursekit.identifiers import printable
from coursekit.lms import Lms
from coursekit.lms.tables import read_table

_MOST_NAMED = 10
#: What a table has instead of a time for work that was not handed in.
_NOTHING = ("", "-")


class Roster:
    """A table with the class, exported from an LMS as CSV.

    Parameters
    ----------
    lms_file : Path
        The file.
    lms : Lms
        The layout of the submissions, which decides in which column their ids are.

    Raises
    ------
    CoursekitError
        The file cannot be read, or lacks the column.
    """

    def __init__(self, lms_file: Path, lms: Lms) -> None:
        self._file, self._lms = lms_file, lms
        (header, *self._rows), _ = read_table(lms_file)
        self._header = [cell.strip() for cell in header]
        cells = {name: lms.id_cells(name, self._header, self._rows) for name in lms.name_ids}
        self._columns = {name: found for name, found in cells.items() if found is not None}
        if not self._columns:
            raise CoursekitError(
                f"{lms_file} has no column {' or '.join(lms.name_ids)}; expected the list of "
                f"the LMS that the submissions are from ({lms.name})"
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
        column = self._lms.time_column
        if not column:
            return {}
        if column not in self._header:
            print(
                f"{self._file} has no column {column!r}, and so no times of submission; "
                f"{self._lms.title} in English writes it",
                file=sys.stderr,
            )
            return {}
        place, found = self._header.index(column), {}
        for row, cell in zip(self._rows, next(iter(self._columns.values())), strict=True):
            text = " ".join(row[place].split()) if place < len(row) else ""  # with narrow blanks
            if text not in _NOTHING:
                time = self._lms.read_time(text)
                for name in self._lms.names_in(cell):
                    found[name] = timestamps.of_list(time, text, zone)
        return found

    def _counts(self, column: str, students: Mapping[str, str]) -> dict[str, int]:
        """Return how many rows name each student, in its own case or in lower case."""
        cells = self._columns[column]
        listed = Counter(name for cell in cells for name in set(self._lms.names_in(cell)))
        return {student: listed[student] or listed[student.casefold()] for student in students}


def _named(ids: Sequence[str], students: Mapping[str, str]) -> str:
    named = [f"{student} ({printable(students[student])!r})" for student in ids[:_MOST_NAMED]]
    more = len(ids) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")
