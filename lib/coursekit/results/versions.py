"""Rows in which an exercise was graded in different versions: a class of this year and of last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from coursekit.command import counted
from coursekit.row import Row

AnyRow = TypeVar("AnyRow", bound=Row)


def cohorts(rows: Iterable[AnyRow]) -> dict[str, list[AnyRow]]:
    """Return the rows of each assignment whose exercises have the same versions.

    The key is the assignment's name, with the versions of the exercises that differ: checks of
    different versions are different questions, and a statistic of one is none of the other.
    """
    by_assignment: dict[str, list[AnyRow]] = {}
    for row in rows:
        by_assignment.setdefault(row.assignment, []).append(row)
    parted: dict[str, list[AnyRow]] = {}
    for assignment, own in by_assignment.items():
        changed = list(_versions(own))
        for row in own:
            named = [f"{exercise} version {row.version_of(exercise)}" for exercise in changed]
            label = f"{assignment} ({', '.join(named)})" if named else assignment
            parted.setdefault(label, []).append(row)
    return parted


def mixed(rows: Sequence[Row]) -> str:
    """Return one line on the exercises that were graded in several versions; "" for none."""
    found = []
    for assignment in dict.fromkeys(row.assignment for row in rows):
        own = [row for row in rows if row.assignment == assignment]
        for exercise, counts in _versions(own).items():
            each = ", ".join(
                f"version {version} ({counted(counts[version], 'submission')})"
                for version in sorted(counts)
            )
            found.append(f"{assignment}: {exercise} was graded in {each}")
    if not found:
        return ""
    return f"{'; '.join(found)}; each counts by the points of its own version"


def changed(rows: Sequence[Row]) -> str:
    """Return one line on exercises whose checks differ in one and the same version; "" for none."""
    counts: dict[tuple[str, str, int], Counter[str]] = {}
    for row in rows:
        kept = {e: former.check_hash for e, former in row.former.items() if former.is_newer}
        for exercise, seen in {**row.check_hashes, **kept}.items():
            key = (row.assignment, exercise, row.version_of(exercise))
            counts.setdefault(key, Counter())[seen] += 1
    found = [
        f"{assignment}: version {version} of {exercise} was graded by different checks "
        f"({', '.join(counted(count, 'submission') for count in own.values())})"
        for (assignment, exercise, version), own in counts.items()
        if len(own) > 1
    ]
    advice = "grade again, or raise the version where a right answer may have become wrong"
    return f"{'; '.join(found)}; {advice}" if found else ""


def _versions(rows: Iterable[Row]) -> dict[str, Counter[int]]:
    """Return how many rows have which version, of the exercises that have more than one."""
    counts: dict[str, Counter[int]] = {}
    for row in rows:
        for exercise in dict.fromkeys(check.exercise for check in row.checks):
            counts.setdefault(exercise, Counter())[row.version_of(exercise)] += 1
    return {exercise: own for exercise, own in counts.items() if len(own) > 1}
