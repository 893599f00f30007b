"""When a submission was handed in, as far as that is known.

nbgrader's exchange notes it beside the notebook; elsewhere a file's last change tells. Downloads
from an LMS tell nothing: Canvas and Moodle both give the files in their zips the time at which the
zip was made. Moodle's grading worksheet has the times; Canvas only marks what was late.
"""

from __future__ import annotations

import re
import struct
import zipfile
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, NamedTuple

from coursekit.time_zones import localized, zone_beside

#: Where nbgrader's exchange notes the time, beside a notebook in STUDENT/CHAPTER/.
RECORD = "timestamp.txt"
#: Other sources of times: the LMS's list, and a file's last change, which copying may alter.
LIST, FILE = "list", "file"
#: More than a record has.
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
    r"(?P<year>\d{4}),? (?:à )?(?P<hour>\d+):(?P<minute>\d+)(?: (?P<half>[AP]M))?"
)
#: What a worksheet has for work that was not handed in.
_NOTHING = ("", "-")
#: Zip's extra field with times in UTC; the ordinary times are those of somebody's clock.
_UNIVERSAL_TIME = 0x5455
#: The date of a zip's member whose time is unknown.
_NO_TIME = (1980, 1, 1, 0, 0, 0)
#: Doubts about a time that can be read. Clocks may differ by some minutes.
AFTER = "its time of submission was still to come when it was read"
BEFORE = "its time of submission is before any course with these exercises"
_CLOCKS_DIFFER = timedelta(minutes=5)
_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_LONGEST = 60
_NO_TEXT = "it is empty, too large or not a regular file"


class HandIn(NamedTuple):
    """When a piece of work was handed in.

    Attributes
    ----------
    time : datetime, optional
        In UTC; None where it is not known.
    doubt : str
        Why a person has to look before anything depends on it; "" for no reason.
    record : str, optional
        The text of nbgrader's record, where there is one.
    source : str
        Where the time is from: `RECORD`, `LIST` or `FILE`; "" where it is not known.
    is_local : bool
        It was read from a clock whose time zone is not written there.
    """

    time: datetime | None = None
    doubt: str = ""
    record: str | None = None
    source: str = ""
    is_local: bool = False

    def judged(self) -> HandIn:
        """Return it with a doubt where the time cannot be true, judged at this moment."""
        if self.time is None or self.doubt:
            return self
        if self.time > datetime.now(UTC) + _CLOCKS_DIFFER:
            return self._replace(doubt=AFTER)
        return self._replace(doubt=BEFORE if self.time < _EARLIEST else "")


def of_record(text: str, zone: tzinfo | None) -> datetime | None:
    """Return the time in nbgrader's record, None where it cannot be read.

    Parameters
    ----------
    text : str
        Date, time and mostly a time zone, as a name, an abbreviation or an offset; UTC without.
    zone : tzinfo or None
        The course's, whose abbreviations come first.
    """
    words = text.split()
    try:
        time = datetime.fromisoformat(" ".join(words[:2]))
        if time.tzinfo is None:
            name = words[2] if len(words) > 2 else "UTC"
            time = time.replace(tzinfo=zone_beside(name, time, zone))
        return time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def of_notebook(changed: HandIn, record: str | None, zone: tzinfo | None) -> HandIn:
    """Return when a notebook was handed in: as its record says, or else when it was changed.

    Parameters
    ----------
    changed : HandIn
        The file's last change.
    record : str or None
        What nbgrader noted beside it; None where there is no record.
    zone : tzinfo or None
        The course's time zone.
    """
    if record is None:
        return changed
    if (time := of_record(record, zone)) is not None:
        return HandIn(time, record=record, source=RECORD)
    doubt = f"its {RECORD} cannot be read: {_shown(record)}"
    return changed._replace(doubt=doubt, record=record)


def of_change(seconds: float) -> HandIn:
    """Return the time of a file's last change, given in seconds since 1970."""
    with suppress(OSError, OverflowError, ValueError):
        return HandIn(datetime.fromtimestamp(int(seconds), UTC), source=FILE)
    return HandIn()


def of_member(info: zipfile.ZipInfo, zone: tzinfo | None) -> HandIn:
    """Return when a zip's member was changed, by a clock in ``zone`` unless the zip has UTC."""
    with suppress(ValueError, OverflowError, OSError):
        if (seconds := _universal_time(info.extra)) is not None:
            return of_change(seconds)
        if info.date_time != _NO_TIME:
            time = localized(datetime(*info.date_time), zone)
            return HandIn(time, source=FILE, is_local=True)
    return HandIn()


def of_moodle(date: str, zone: tzinfo | None) -> HandIn | None:
    """Return the time in a cell of Moodle's grading worksheet; None where nothing was handed in.

    The worksheet does not name its time zone, which is that of the teacher who exports it. A date
    that cannot be read, such as one in another language than these three, is a doubt.
    """
    text = " ".join(date.split())  # with a narrow blank before PM
    if text in _NOTHING:
        return None
    with suppress(ValueError, OverflowError, KeyError, TypeError):
        found: Any = _DATE.fullmatch(text)
        month = _MONTHS[(found["month"] or found["us_month"]).lower()]
        hour, half = int(found["hour"]), found["half"]
        if half:
            hour = int(datetime.strptime(f"{hour} {half}", "%I %p").hour)
        day = int(found["day"] or found["us_day"])
        time = datetime(int(found["year"]), month, day, hour, int(found["minute"]))
        return HandIn(localized(time, zone), source=LIST, is_local=True)
    return HandIn(doubt=f"its date in the LMS's list cannot be read: {_shown(text)}")


def _shown(text: str) -> str:
    return repr(" ".join(text.split())[:_LONGEST]) if text.split() else _NO_TEXT


def as_text(time: datetime) -> str:
    """Return a time as it stands in rows: ISO 8601, in UTC."""
    return time.astimezone(UTC).isoformat()


def _universal_time(extra: bytes) -> int | None:
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        body, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNIVERSAL_TIME and len(body) >= 5 and body[0] & 1:
            return int(struct.unpack("<i", body[1:5])[0])
    return None
