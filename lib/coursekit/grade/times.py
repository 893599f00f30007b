"""When a submission was handed in, and who is in a class, as nbgrader or an LMS wrote it down.

A file's last change is no such time: copying alters it, and an LMS's zip has that of the download.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from coursekit.command import names, tell
from coursekit.errors import CoursekitError
from coursekit.lms import LMS, Table, names_in, printable, read_list

#: Where nbgrader's exchange notes the time, beside a notebook in STUDENT/CHAPTER/.
RECORD = "timestamp.txt"
#: More bytes than a record has.
MOST_BYTES = 200
#: The months of Moodle's dates in English, German and French, and how these dates are written.
_MONTHS = {
    name: number
    for number, spelt in enumerate(
        ("january januar jänner janvier", "february februar février", "march märz mars",
         "april avril", "may mai", "june juni juin", "july juli juillet", "august août",
         "september septembre", "october oktober octobre", "november novembre",
         "december dezember décembre"), start=1)
    for name in spelt.split()
}  # fmt: skip
_DATE = re.compile(
    r"\w+,? (?:(?P<day>\d+)\.? (?P<month>\w+)|(?P<us_month>\w+) (?P<us_day>\d+),) "
    r"(?P<year>\d{4}),? (?:à )?(?P<hour>\d+):(?P<minute>\d+)(?: (?P<half>[AP])M)?"
)
#: What a worksheet has for work that was not handed in.
_NOTHING = ("", "-")


def of_clock(moment: datetime, zone: ZoneInfo | None) -> datetime:
    """Return a time in UTC that a clock showed: of a zone, or this machine's for None."""
    return (moment.replace(tzinfo=zone) if zone else moment).astimezone(UTC)


def of_record(text: str, zone: ZoneInfo | None = None) -> datetime:
    """Return the time in nbgrader's record, in UTC.

    It is read here and not by nbgrader, which takes ``+0200`` for 200 seconds and a zone that it
    does not know for UTC.

    Parameters
    ----------
    text : str
        Date, time and mostly a time zone: an offset, a name, or an abbreviation of the clock; UTC
        without.
    zone : ZoneInfo or None
        The clock's; None: this machine's.

    Raises
    ------
    ValueError
        It cannot be read.
    """
    words = text.split()
    named = words[2] if len(words) > 2 else "UTC"
    moment = datetime.fromisoformat(" ".join(words[:2]) + (named if named[0] in "+-" else ""))
    if moment.tzinfo is None and named != "UTC":
        for fold in (0, 1):  # the hour that occurs twice has two abbreviations
            here = of_clock(moment.replace(fold=fold), zone)
            if here.astimezone(zone).tzname() == named:
                return here
    return (moment if moment.tzinfo else moment.replace(tzinfo=_zone(named))).astimezone(UTC)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (OSError, KeyError):
        raise ValueError(name) from None


def of_moodle(date: str, zone: ZoneInfo | None = None) -> datetime | None:
    """Return the time in a cell of Moodle's grading worksheet; None where nothing was handed in.

    The worksheet does not name its time zone: None is this machine's.

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
    return of_clock(datetime(int(found["year"]), month, day, hour, int(found["minute"])), zone)


# --- the list of an LMS ---------------------------------------------------------------------------


def listed_times(lms_file: Path, layout: str, students: Mapping[str, str]) -> dict[str, str]:
    """Return the dates of submission in an LMS's list, as they stand there, by student.

    Such a list is Canvas's gradebook or Moodle's grading worksheet, as CSV. A worksheet without
    dates is named on stderr.

    Parameters
    ----------
    lms_file, layout : Path, str
        The list, and the layout of the submissions, which decides in which column their ids are.
    students : mapping of str to str
        Ids, and the name of the file or folder of each. Where folders are named by students, the
        column counts in which most of them are found.

    Raises
    ------
    CoursekitError
        The list cannot be read, lacks the column, or lacks ids or has them twice.
    """
    lms = LMS[layout]
    wanted = lms.id_columns or lms.ids
    table = read_list(lms_file, layout, wanted)
    ids = table.places(wanted)
    counts = {column: _counts(table, at, students) for column, at in ids.items()}
    column = max(counts, key=lambda column: sum(map(bool, counts[column].values())))
    unknown = [student for student, count in counts[column].items() if not count]
    double = [student for student, count in counts[column].items() if count > 1]
    for named, fault in ((unknown, "not"), (double, "more than once")):
        if named:
            raise CoursekitError(
                f"{lms_file}: {fault} in the column {column}: "
                f"{names(f'{id} ({printable(students[id])!r})' for id in named)}; "
                "nothing was graded. Take them out, or export the list again"
            )
    dates = list(table.places(lms.times).values())
    if lms.times and not dates:
        columns = " or ".join(map(repr, lms.times))
        tell(f"{lms_file} has no column {columns}, and so no times of submission")
    of_id = next(iter(ids.values()))
    return {names_in(row[of_id])[0]: row[dates[0]] for row in table.rows if dates and row[of_id]}


def _counts(table: Table, place: int, students: Mapping[str, str]) -> dict[str, int]:
    """Return how many rows name each student, in its own case or in lower case."""
    listed = Counter(name for row in table.rows for name in set(names_in(row[place])))
    return {student: listed[student] or listed[student.casefold()] for student in students}
