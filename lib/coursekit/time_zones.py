"""Find time zones by name, and by the abbreviations that programs write beside a time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from email.utils import parsedate_tz
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones


def time_zone(name: str) -> ZoneInfo:
    """Return the time zone with a name of the tz database, like Europe/Berlin.

    Raises
    ------
    ValueError
        There is none; the text says what was expected.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            f"{name[:60]!r} is not a time zone; expected a name like Europe/Berlin or "
            "America/New_York"
        ) from None


def localized(time: datetime, zone: tzinfo | None) -> datetime:
    """Return the moment, in UTC, at which a clock in a zone shows a time.

    ``zone`` is None for this machine's. Where a clock shows the time twice, in the night in which
    summer time ends, it is the first.
    """
    return (time.astimezone() if zone is None else time.replace(tzinfo=zone)).astimezone(UTC)


def zone_beside(name: str, time: datetime, zone: tzinfo | None) -> tzinfo:
    """Return the time zone that is written beside a time.

    Parameters
    ----------
    name : str
        An abbreviation such as ``CEST``, an offset such as ``+02`` or ``-0330``, or a name.
    time : datetime
        The time, without a zone: what an abbreviation means has changed over the years.
    zone : tzinfo or None
        The course's: its own abbreviations come first, because several zones share some (``IST``).

    Raises
    ------
    ValueError
        It is none of these, or an abbreviation that means several things.
    """
    for fold in (0, 1):  # the hour that summer time's end repeats has two abbreviations
        own = time.replace(tzinfo=zone, fold=fold)
        if zone is not None and own.tzname() == name and (offset := own.utcoffset()) is not None:
            return timezone(offset)
    if name[0] in "+-":
        return datetime.fromisoformat(f"2000-01-01T00:00{name}").tzinfo or UTC
    offsets = _abbreviations(time.year).get(name, frozenset())
    if len(offsets) == 1:
        return timezone(next(iter(offsets)))
    if offsets and (seconds := _in_mail(name)) is not None:
        return timezone(timedelta(seconds=seconds))
    return time_zone(name)


def _in_mail(name: str) -> int | None:
    """Return the offset of an abbreviation in mails, where PST is America's (RFC 2822)."""
    read = parsedate_tz(f"Sat, 1 Jan 2000 00:00:00 {name}")
    return None if read is None or not read[9] else read[9]


@lru_cache(maxsize=8)
def _abbreviations(year: int) -> Mapping[str, frozenset[timedelta]]:
    """Return what each abbreviation means, somewhere in the world, in the winter or summer."""
    found: dict[str, set[timedelta]] = {}
    for name in available_timezones():
        for month in (1, 7):
            time = datetime(year, month, 15, tzinfo=ZoneInfo(name))
            offset = time.utcoffset()
            if offset is not None:
                found.setdefault(time.tzname() or "", set()).add(offset)
    return {name: frozenset(offsets) for name, offsets in found.items()}
