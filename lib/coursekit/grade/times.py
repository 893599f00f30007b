"""When a submission was handed in, and who is in a class, as nbgrader or an LMS wrote it down.

A file's last change is no such time: copying alters it, and an LMS's zip has that of the download.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from coursekit.errors import CoursekitError
from coursekit.lms import LMS, names_in, printable, read_list

#: Where nbgrader's exchange notes the time, beside a notebook in STUDENT/CHAPTER/.
RECORD = "timestamp.txt"
#: More bytes than a record has.
MOST_BYTES = 200
#: The months of Moodle's dates in English, German and French, and how these dates are written.
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january januar jänner janvier", "february februar février", "march märz mars",
         "april avril", "may mai", "june juni juin", "july juli juillet", "august août",
         "september septembre", "october oktober octobre", "november novembre",
         "december dezember décembre"), start=1)
    for name in names.split()
}  # fmt: skip
_DATE = re.compile(
    r"\w+,? (?:(?P<day>\d+)\.? (?P<month>\w+)|(?P<us_month>\w+) (?P<us_day>\d+),) "
    r"(?P<year>\d{4}),? (?:à )?(?P<hour>\d+):(?P<minute>\d+)(?: (?P<half>[AP])M)?"
)
#: What a worksheet has for work that was not handed in.
_NOTHING = ("", "-")


@contextmanager
def clock_in(zone: str | None) -> Iterator[None]:
    """Let this process's clock be in a time zone meanwhile; None: in the machine's."""
    before = os.environ.get("TZ")
    if zone:
        os.environ["TZ"] = zone
        time.tzset()
    try:
        yield
    finally:
        if zone:
            os.environ.pop("TZ")
            os.environ.update({"TZ": before} if before else {})
            time.tzset()


def of_record(text: str) -> datetime:
    """Return the time in nbgrader's record, in UTC.

    It is read here and not by nbgrader, which takes ``+0200`` for 200 seconds and a zone that it
    does not know for UTC.

    Parameters
    ----------
    text : str
        Date, time and mostly a time zone: an offset, a name, or an abbreviation of this process's
        clock; UTC without.

    Raises
    ------
    ValueError
        It cannot be read.
    """
    words = text.split()
    zone = words[2] if len(words) > 2 else "UTC"
    moment = datetime.fromisoformat(" ".join(words[:2]))
    if moment.tzinfo is None and zone[0] in "+-":
        moment = datetime.fromisoformat(" ".join(words[:2]) + zone)
    elif moment.tzinfo is None and zone in time.tzname and zone != "UTC":
        is_summer = time.tzname.index(zone)  # the hour that occurs twice has two abbreviations
        moment = moment.replace(fold=1 - is_summer)
    elif moment.tzinfo is None:
        moment = moment.replace(tzinfo=_zone(zone))
    return moment.astimezone(UTC)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (OSError, KeyError):
        raise ValueError(name) from None


def of_moodle(date: str) -> datetime | None:
    """Return the time in a cell of Moodle's grading worksheet; None where nothing was handed in.

    The worksheet does not name its time zone: it is that of this process's clock.

    Raises
    ------
    ValueError
        It cannot be read, because it is in another language than these three.
    """
    text = " ".join(date.split())  # with a narrow blank before PM
    if text in _NOTHING:
        return None
    found = _DATE.fullmatch(text)
    month = _MONTHS.get((found["month"] or found["us_month"]).lower()) if found else None
    if found is None or month is None:
        raise ValueError(text)
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + 12 * (found["half"] == "P")
    day = int(found["day"] or found["us_day"])
    return datetime(int(found["year"]), month, day, hour, int(found["minute"])).astimezone(UTC)


# --- the list of an LMS ---------------------------------------------------------------------------

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
        self._lms = LMS[layout]
        wanted = self._lms.id_columns or self._lms.ids
        self._table = read_list(lms_file, layout, wanted)
        self._columns = self._table.places(wanted)

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
                    "nothing was graded. Take them out, or export the list again"
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
