"""Whose each entry of a class's folder or archive is: settled once, before anything is graded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from coursekit.errors import CoursekitError
from coursekit.grade.lms import Entry, Owner, belongs, owner
from coursekit.identifiers import identifier, printable

_MOST_NAMED = 5


def by_student(where: Path, entries: Sequence[Entry], layout: str) -> dict[str, list[Entry]]:
    """Return each student's entries.

    For a large class nothing more is kept; the owner of an entry is computed again where needed.

    Raises
    ------
    CoursekitError
        Two students' entries have one id.
    """
    owned: dict[str, list[Entry]] = {}
    for entry in entries:
        if whose := _whose(entry, layout):
            folded = _folded(whose.student) if layout == "nbgrader" else whose.student
            key = whose.student if folded == whose.student else folded  # the same string, if so
            owned.setdefault(key, []).append(entry)
    _refuse_shared_ids(where, owned, layout)
    for key in list(owned):
        if (student := _student(owned[key][0], layout)) != key:
            owned[student] = owned.pop(key)
    return owned


def _refuse_shared_ids(where: Path, owned: dict[str, list[Entry]], layout: str) -> None:
    several = [entries for entries in owned.values() if len(entries) > 1]
    shared = [entries for entries in several if len(_persons(entries, layout)) > 1]
    if shared:
        ids = "; ".join(_listed(entries, layout) for entries in shared[:_MOST_NAMED])
        more = f"; and {len(shared) - _MOST_NAMED} more" if shared[_MOST_NAMED:] else ""
        raise CoursekitError(
            f"{where}: one student's id stands for several: {ids}{more}. Nothing was graded; "
            "expected one submission per student: take out or rename what is wrong"
        )


def _persons(entries: Sequence[Entry], layout: str) -> set[tuple[str, str]]:
    owners = (_whose(entry, layout) for entry in entries)
    return {(whose.student, whose.person) for whose in owners if whose}


def _whose(entry: Entry, layout: str) -> Owner | None:
    """Return whose an entry is.

    One that must be somebody's, but whose name the layout does not have, counts as a student.
    """
    if whose := owner(entry, layout):
        return whose
    return Owner(identifier(entry.name), entry.name) if belongs(entry) else None


def _student(entry: Entry, layout: str) -> str:
    whose = _whose(entry, layout)
    assert whose is not None
    return whose.student


def _folded(student: str) -> str:
    """Return an id in the form in which some file systems and LMSs compare names."""
    return student.casefold().rstrip(". ")


def _listed(entries: Sequence[Entry], layout: str) -> str:
    names = sorted(printable(entry.name) for entry in entries)
    return f"{_student(entries[0], layout)} ({', '.join(map(ascii, names[:_MOST_NAMED]))})"
