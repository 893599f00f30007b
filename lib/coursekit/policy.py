"""A course's rules for marks, in a TOML file: due dates, extensions, what late work loses.

They apply whenever marks are given out, and never change what `coursekit grade` stored.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from coursekit.command import time_zone
from coursekit.errors import CoursekitError
from coursekit.lms import identifier, read_table

_COLUMNS = ("assignment", "student_id", "days")
_MOST = 1_000_000
#: Settings that are numbers, and how large they may be.
_NUMBERS = {"percent_per_day": 100, "grace_minutes": _MOST, "max_percent": 100}
_SETTINGS = ("timezone", "extensions", *_NUMBERS, "duedates")
_DAY = timedelta(days=1)
#: Shown below the help of the commands that apply the rules.
FORMAT = """

a policy file, in which every line may be left out:
  timezone = "Europe/Berlin"         # of due dates without an offset, and of days
  percent_per_day = 10               # of the points earned, for each day begun
  grace_minutes = 15
  max_percent = 50                   # the most that late work can lose
  extensions = "extensions.csv"      # columns: assignment, student_id, days
  [duedates]
  CHAPTER = 2026-11-02T23:59:00      # without quotes
"""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """A course's rules.

    Attributes
    ----------
    timezone : tzinfo or None
        Where the course is: a day there may have 23 or 25 hours.
    percent_per_day : float
        What late work loses of the points earned, for each day begun.
    grace_minutes : float
        Work handed in this long after the due date is not late.
    max_percent : float
        The most that can be lost.
    duedates : mapping of str to datetime
        By assignment.
    extensions : mapping of (str, str) to timedelta
        Those granted, by assignment and student.
    """

    timezone: tzinfo | None = None
    percent_per_day: float = 0.0
    grace_minutes: float = 0.0
    max_percent: float = 100.0
    duedates: Mapping[str, datetime] = field(default_factory=dict)
    extensions: Mapping[tuple[str, str], timedelta] = field(default_factory=dict)

    def duedate(
        self, assignment: str, student: str, default: datetime | None = None
    ) -> datetime | None:
        """Return when an assignment is due from a student; ``default`` is nbgrader's date."""
        due = self.duedates.get(assignment, default)
        if due is None:
            return None
        # In a zone of its own, midnight stays midnight where a day has 23 or 25 hours.
        due = due.astimezone(self.timezone) if self.timezone else due
        return due + self.extensions.get((assignment, identifier(student)), timedelta())

    def days_late(self, timestamp: datetime, duedate: datetime) -> int:
        """Return the days begun since the due date; 0 within the grace period.

        A day ends when the clocks of the due date's time zone show the same time again.
        """
        timestamp = timestamp.astimezone(UTC).replace(microsecond=0)
        if timestamp - duedate.astimezone(UTC) <= timedelta(minutes=self.grace_minutes):
            return 0
        # Within one zone, Python subtracts what the clocks show.
        return max(1, math.ceil((timestamp.astimezone(duedate.tzinfo) - duedate) / _DAY))

    def penalty(self, score: float, days: int) -> float:
        """Return the points that this many days cost."""
        percent = min(self.percent_per_day * days, self.max_percent, 100.0)
        return round(max(score, 0.0) * percent / 100, 6)


def read_policy(file: Path) -> Policy:
    """Return the rules in a file.

    Raises
    ------
    CoursekitError
        The file cannot be read, or has something that is not understood; the message names it.
    """
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise CoursekitError(f"cannot read {file}: {reason}") from None
    except tomllib.TOMLDecodeError as error:
        raise CoursekitError(f"{file}: {error}") from None
    if unknown := [name for name in content if name not in _SETTINGS]:
        raise CoursekitError(
            f"{file}: {unknown[0]!r} is not known; expected {', '.join(_SETTINGS)}"
        )
    zone = None
    if "timezone" in content:
        try:
            zone = time_zone(str(content["timezone"]))
        except ValueError as error:
            raise CoursekitError(f"{file}: timezone: {error}") from None
    duedates = content.get("duedates", {})
    if not isinstance(duedates, dict):
        raise CoursekitError(f"{file}: duedates: expected a table, found {duedates!r}")
    extensions = content.get("extensions", "")
    if not isinstance(extensions, str):
        raise CoursekitError(f"{file}: extensions: expected the name of a CSV file")
    numbers = {name: content[name] for name in _NUMBERS if name in content}
    return Policy(
        timezone=zone,
        duedates={n: _duedate(at, zone, f"{file}: duedates.{n}") for n, at in duedates.items()},
        extensions=_extensions(file.parent / extensions) if extensions else {},
        **{n: _number(value, f"{file}: {n}", _NUMBERS[n]) for n, value in numbers.items()},
    )


def _extensions(file: Path) -> dict[tuple[str, str], timedelta]:
    """Return the extensions in a CSV with the columns ``assignment``, ``student_id``, ``days``."""
    table = read_table(file)
    places = table.places(_COLUMNS)
    if missing := [name for name in _COLUMNS if name not in places]:
        raise CoursekitError(f"{file} lacks the column {missing[0]}; expected {','.join(_COLUMNS)}")
    extensions: dict[tuple[str, str], timedelta] = {}
    for number, row in enumerate(table.rows, 2):
        assignment, student, days = (row[places[name]].strip() for name in _COLUMNS)
        place, where = (assignment, identifier(student)), f"{file}, line {number}"
        if place in extensions:
            raise CoursekitError(f"{where}: {student} has an extension already")
        try:
            extensions[place] = timedelta(days=_number(float(days), f"{where}: days", _MOST))
        except ValueError:
            raise CoursekitError(
                f"{where}: days is {days!r}; expected a number like 2 or 0.5"
            ) from None
    return extensions


def _duedate(value: Any, zone: tzinfo | None, where: str) -> datetime:
    if not isinstance(value, datetime):
        seen = repr(value) if isinstance(value, str) else value
        raise CoursekitError(
            f"{where} is {seen}; expected a time without quotes, like 2026-11-02T23:59:00"
        )
    if not (value.tzinfo or zone):
        raise CoursekitError(
            f"{where} is {value}, and nothing says in which time zone; expected a line such as "
            'timezone = "Europe/Berlin" in the file, or an offset, like 2026-11-02T23:59:00+01:00'
        )
    return value if value.tzinfo else value.replace(tzinfo=zone)


def _number(value: Any, where: str, most: int) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CoursekitError(f"{where} is {value!r}; expected a number")
    if not 0 <= value <= most:
        raise CoursekitError(f"{where} is {value}; expected 0 to {most}")
    return float(value)
