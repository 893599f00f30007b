"""When a submission was handed in, as far as that is known.

nbgrader's exchange notes it beside the notebook; elsewhere a file's last change tells. Downloads
from an LMS tell nothing: Canvas and Moodle both give the files in their zips the time at which the
zip was made. Moodle's grading worksheet has the times; Canvas only marks what was late.
"""

from __future__ import annotations

import os
import struct
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

#: Where nbgrader's exchange notes the time, beside a notebook in STUDENT/CHAPTER/.
RECORD = "timestamp.txt"
#: The column with the time in Moodle's grading worksheet, and how its English dates are written.
MOODLE_COLUMN = "Last modified (submission)"
_MOODLE_FORMATS = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M")
_MOST_BYTES = 200
#: Zip's extra field with times in UTC; the ordinary times are those of somebody's clock.
_UNIVERSAL_TIME = 0x5455
#: The date of a zip's member whose time is unknown.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


def of_notebook(path: str, chapter: str) -> str | None:
    """Return when a file was handed in: as nbgrader noted it, or else when it was changed."""
    folder = os.path.dirname(path)
    is_noted = os.path.basename(folder) == chapter
    noted = _noted(os.path.join(folder, RECORD)) if is_noted else None
    try:
        return as_text(noted or datetime.fromtimestamp(os.stat(path).st_mtime, UTC))
    except (OSError, OverflowError, ValueError):
        return None


def of_member(info: zipfile.ZipInfo) -> str | None:
    """Return when a zip's member was changed, None where the zip does not record it."""
    time = _changed(info)
    return None if time is None else as_text(time)


def of_moodle(lines: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return the times in Moodle's grading worksheet, by the number of the participant.

    The worksheet does not name its time zone, which is that of the teacher who exports it: it is
    taken to be this machine's. Dates in other languages than English are skipped.
    """
    times = {}
    for line in lines:
        number = line.get("Identifier", "").strip().removeprefix("Participant ")
        for format in _MOODLE_FORMATS:
            with suppress(ValueError, OverflowError):
                text = line.get(MOODLE_COLUMN, "").strip()
                times[number] = as_text(datetime.strptime(text, format).astimezone())
                break
    return times


def as_text(time: datetime) -> str:
    """Return a time as it stands in rows: ISO 8601, in UTC, to the second."""
    return time.astimezone(UTC).isoformat(timespec="seconds")


def _noted(path: str) -> datetime | None:
    if os.path.islink(path) or not os.path.isfile(path):
        return None
    try:
        with open(path, encoding="utf-8") as file:
            words = file.read(_MOST_BYTES).split()
        time = datetime.fromisoformat(" ".join(words[:2]))
        zone: tzinfo = ZoneInfo(words[2]) if len(words) > 2 else UTC
        return (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(UTC)
    except (OSError, ValueError, KeyError, OverflowError):  # an unknown time zone is a KeyError
        return None


def _changed(info: zipfile.ZipInfo) -> datetime | None:
    try:
        if (seconds := _universal_time(info.extra)) is not None:
            return datetime.fromtimestamp(seconds, UTC)
        return None if info.date_time == _NO_TIME else datetime(*info.date_time).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _universal_time(extra: bytes) -> int | None:
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        body, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNIVERSAL_TIME and len(body) >= 5 and body[0] & 1:
            return int(struct.unpack("<i", body[1:5])[0])
    return None
