"""A course's rules for marks, in a TOML file: due dates, late work, extra credit, weights.

They apply whenever marks are given out, and never change what `coursekit grade` stored.
"""

from __future__ import annotations

import csv
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from coursekit.errors import CoursekitError
from coursekit.lms import identifier
from coursekit.time_zones import time_zone

_COLUMNS = ("assignment", "student_id", "days")
_DAY = timedelta(days=1)
_MOST = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Late:
    """What late work loses.

    Attributes
    ----------
    percent_per_day : float
        Of the points earned, for each day begun.
    grace_minutes : float
        Work handed in this long after the due date is not late.
    max_percent : float
        The most that can be lost.
    """

    percent_per_day: float
    grace_minutes: float = 0.0
    max_percent: float = 100.0

    def days(self, timestamp: datetime, duedate: datetime) -> int:
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


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """One assignment's rules.

    Attributes
    ----------
    weight : float
        In totals.
    extra_credit : tuple of str
        Exercises, or checks as EXERCISE/CHECK.
    attempts : str
        Which of a student's attempts counts: ``"last"``, or ``"best"`` after what lateness costs.
    """

    duedate: datetime | None = None
    late: Late | None = None
    weight: float = 1.0
    extra_credit: tuple[str, ...] = ()
    attempts: str = "last"


@dataclass(frozen=True, kw_only=True)
class Policy:
    """A course's rules.

    Attributes
    ----------
    assignments : mapping of str to Assignment
        The rules of single assignments.
    extensions : mapping of (str, str) to timedelta
        Those granted, by assignment and student.
    late : Late or None
        What late work loses in the other assignments.
    timezone : tzinfo or None
        Where the course is: a day there may have 23 or 25 hours.
    drop_lowest : int
        How many assignments of each student do not count in totals: those with the lowest share.
    """

    assignments: Mapping[str, Assignment] = field(default_factory=dict)
    extensions: Mapping[tuple[str, str], timedelta] = field(default_factory=dict)
    late: Late | None = None
    timezone: tzinfo | None = None
    drop_lowest: int = 0

    def of(self, assignment: str) -> Assignment:
        """Return the rules for one assignment; it need not be named in the file."""
        return self.assignments.get(assignment, Assignment(late=self.late))


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
    known = ("late", "extensions", "assignments", "timezone", "drop_lowest")
    _known(content, known, str(file))
    zone = _zone(content["timezone"], f"{file}: timezone") if "timezone" in content else None
    late = _late(content["late"], f"{file}: late") if "late" in content else None
    tables = _table(content.get("assignments", {}), f"{file}: assignments")
    assignments = {
        name: _assignment(table, late, zone, f"{file}: assignments.{name}")
        for name, table in tables.items()
    }
    extensions = {}
    if "extensions" in content:
        if not isinstance(content["extensions"], str):
            raise CoursekitError(f"{file}: extensions: expected the name of a CSV file")
        extensions = read_extensions(file.parent / content["extensions"])
    drop = content.get("drop_lowest", 0)
    if type(drop) is not int or drop < 0:
        raise CoursekitError(f"{file}: drop_lowest is {drop!r}; expected a whole number, 0 or more")
    return Policy(
        assignments=assignments,
        extensions=extensions,
        late=late,
        timezone=zone,
        drop_lowest=drop,
    )


def read_extensions(file: Path) -> dict[tuple[str, str], timedelta]:
    """Return the extensions in a CSV with the columns ``assignment``, ``student_id``, ``days``."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as text:
            table = csv.DictReader(text, strict=True)
            missing = [name for name in _COLUMNS if name not in (table.fieldnames or ())]
            lines = [(table.line_num, row) for row in table]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CoursekitError(f"cannot read the extensions in {file}: {reason}") from None
    if missing:
        raise CoursekitError(f"{file} lacks the column {missing[0]}; expected {','.join(_COLUMNS)}")
    extensions: dict[tuple[str, str], timedelta] = {}
    for number, row in lines:
        assignment, student, days = ((row[name] or "").strip() for name in _COLUMNS)
        student = identifier(student)
        if (assignment, student) in extensions:
            raise CoursekitError(f"{file}, line {number}: {student} has an extension already")
        extensions[assignment, student] = _days(days, f"{file}, line {number}")
    return extensions


def _days(text: str, where: str) -> timedelta:
    try:
        return timedelta(days=_number(float(text), where))
    except (ValueError, OverflowError):
        raise CoursekitError(
            f"{where}: days is {text!r}; expected a number like 2 or 0.5"
        ) from None


def _zone(content: Any, where: str) -> tzinfo:
    try:
        return time_zone(str(content))
    except ValueError as error:
        raise CoursekitError(f"{where}: {error}") from None


def _assignment(content: Any, late: Late | None, zone: tzinfo | None, where: str) -> Assignment:
    table = dict(_table(content, where))
    _known(table, [f.name for f in fields(Assignment)], where)
    if "late" in table:
        late = _late(table.pop("late"), f"{where}.late")
    extra = table.pop("extra_credit", [])
    if not isinstance(extra, list) or not all(isinstance(name, str) for name in extra):
        raise CoursekitError(f"{where}.extra_credit: expected a list of exercises")
    duedate = None
    if "duedate" in table:
        duedate = _duedate(table.pop("duedate"), zone, f"{where}.duedate")
    attempts = table.get("attempts", "last")
    if attempts not in ("last", "best"):
        raise CoursekitError(f'{where}.attempts is {attempts!r}; expected "last" or "best"')
    weight = _number(table.get("weight", 1.0), f"{where}.weight")
    rules = {"duedate": duedate, "late": late, "weight": weight, "attempts": attempts}
    return Assignment(**rules, extra_credit=tuple(extra))


def _duedate(value: Any, zone: tzinfo | None, where: str) -> datetime:
    if isinstance(value, str):
        raise CoursekitError(
            f"{where} is {value!r}, in quotes; expected a time without quotes, like "
            "2026-11-02T23:59:00+01:00"
        )
    if not isinstance(value, datetime) or not (value.tzinfo or zone):
        raise CoursekitError(
            f"{where} is {value}; expected a time with its offset from UTC, like "
            "2026-11-02T23:59:00+01:00, or without one where the file has a timezone"
        )
    if not 1970 <= value.year < 3000:
        raise CoursekitError(f"{where} is {value}; leave it out where nothing is due")
    if value.tzinfo is None:
        return value.replace(tzinfo=zone)
    return value.astimezone(zone) if zone else value


def _late(content: Any, where: str) -> Late:
    table = _table(content, where)
    _known(table, [f.name for f in fields(Late)], where)
    if "percent_per_day" not in table:
        raise CoursekitError(f"{where}: percent_per_day is missing")
    return Late(**{name: _number(value, f"{where}.{name}") for name, value in table.items()})


def _table(content: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(content, dict):
        raise CoursekitError(f"{where}: expected a table, found {content!r}")
    return content


def _known(table: Mapping[str, Any], names: Sequence[str], where: str) -> None:
    for name in table:
        if name not in names:
            raise CoursekitError(f"{where}: {name!r} is not known; expected {', '.join(names)}")


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CoursekitError(f"{where} is {value!r}; expected a number")
    if not 0 <= value <= _MOST:
        raise CoursekitError(f"{where} is {value}; expected 0 to {_MOST}")
    return float(value)
