"""The roster: the LMS's own list of a class, by which ids are checked before anything is graded."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from coursekit.errors import CoursekitError
from coursekit.lms import LMS, names_in, printable, read_list

_MOST_NAMED = 10


class Roster:
    """An LMS's list of a class, such as Canvas's gradebook or Moodle's grading worksheet.

    Parameters
    ----------
    lms_file : Path
        The file, exported as CSV.
    layout : str
        The layout of the submissions, which decides in which column their ids are.

    Raises
    ------
    CoursekitError
        The file cannot be read, or lacks the column.
    """

    def __init__(self, lms_file: Path, layout: str) -> None:
        self._table, self._lms = read_list(lms_file, layout), LMS[layout]
        wanted = self._lms.id_columns or self._lms.ids
        self._columns = self._table.places(wanted)
        if not self._columns:
            raise CoursekitError(
                f"{lms_file} has no column {' or '.join(wanted)}; expected the list of the LMS "
                f"that the submissions are from ({layout})"
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
                    f"{self._table.path}: {fault} in the column {column}: {_named(ids, students)}; "
                    "nothing was graded. Take them out, or export the list again: Excel may have "
                    "changed its numbers"
                )

    def times(self) -> dict[str, str]:
        """Return the dates of submission that the list has, as they stand there, by student.

        A worksheet that lacks them is named on stderr.
        """
        places = list(self._table.places(self._lms.times).values())
        if self._lms.times and not places:
            wanted = " or ".join(map(repr, self._lms.times))
            print(
                f"{self._table.path} has no column {wanted}, and so no times of submission",
                file=sys.stderr,
            )
        of_id = next(iter(self._columns.values()))
        return {
            names_in(row[of_id])[0]: row[places[0]]
            for row in self._table.rows
            if places and max(of_id, *places) < len(row) and names_in(row[of_id])
        }

    def _counts(self, column: str, students: Mapping[str, str]) -> dict[str, int]:
        """Return how many rows name each student, in its own case or in lower case."""
        place = self._columns[column]
        cells = [row[place] for row in self._table.rows if place < len(row)]
        listed = Counter(name for cell in cells for name in set(names_in(cell)))
        return {student: listed[student] or listed[student.casefold()] for student in students}


def _named(ids: Sequence[str], students: Mapping[str, str]) -> str:
    named = [f"{student} ({printable(students[student])!r})" for student in ids[:_MOST_NAMED]]
    more = len(ids) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")
