"""Helpers for tests of submissions: reading all of them, and making zips of them."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from coursekit.grade.class_files import UnusableError
from coursekit.grade.intake import find_submissions

from .conftest import CHAPTER, notebook

MOST = 100_000
WORK = notebook("x = 1")


def read_all(where: Path, **options: Any) -> dict[str, Any]:
    """Return each student's bytes (with warnings: a tuple), or the reason why there are none."""
    result: dict[str, Any] = {}
    for submission in find_submissions(where, CHAPTER, MOST, **options):
        assert submission.student not in result
        try:
            data, warnings = submission.read()
            result[submission.student] = (data, *warnings) if warnings else data
        except UnusableError as error:
            result[submission.student] = str(error)
    return result


def times_of(where: Path, **options: Any) -> dict[str, str | None]:
    """Return when each student handed in, where that is known."""
    found = find_submissions(where, CHAPTER, MOST, **options)
    return {s.student: s.timestamp.isoformat() if s.timestamp else None for s in found}


def make_zip(to: Any, members: Iterable[str] | dict[str, bytes]) -> Any:
    """Write a zip to a path or a file, and return that; names without bytes hold `WORK`."""
    members = members if isinstance(members, dict) else dict.fromkeys(members, WORK)
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return to
