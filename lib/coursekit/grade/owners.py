"""Map the entries of a class's folder or archive to students, before anything is graded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from coursekit.errors import CoursekitError
from coursekit.grade.submission_file import is_notebook
from coursekit.identifiers import identifier, printable
from coursekit.lms import LAYOUTS, LMSS, NBGRADER, Entry, Lms, Owner, by_name

_MOST_NAMED = 5


def belongs(entry: Entry) -> bool:
    """Whether an entry must be somebody's, whatever its name; others may be lists of grades."""
    return entry.is_folder or entry.is_stray or is_notebook(entry.name)


def decide_layout(where: object, entries: Iterable[Entry]) -> Lms:
    """Return the layout that all entries have.

    Raises
    ------
    CoursekitError
        Two entries have different ones.
    """
    first: dict[str, Entry] = {}
    others: dict[str, Entry] = {}
    for entry in entries:
        if not entry.is_stray:
            (first if belongs(entry) else others).setdefault(by_name(entry).name, entry)
    # Files that are not notebooks decide only where there is nothing else.
    first = first or {layout: e for layout, e in others.items() if layout in LMSS}
    if len(first) > 1:
        (one, a), (other, b) = sorted(first.items())[:2]
        raise CoursekitError(
            f"{where}: {printable(a.name)!r} is {_shape(one)}, and {printable(b.name)!r} is "
            f"{_shape(other)}; expected one layout: take out what does not belong there, or add "
            f"{' or '.join(f'--layout {layout}' for layout in sorted(first))}"
        )
    return LAYOUTS[next(iter(first), NBGRADER.name)]


def _shape(layout: str) -> str:
    return f"named as in a download from {LMSS[layout].title}" if layout in LMSS else "not"


def by_student(where: Path, entries: Sequence[Entry], lms: Lms) -> dict[str, list[Entry]]:
    """Return each student's entries.

    For a large class nothing more is kept; the owner of an entry is computed again where needed.

    Raises
    ------
    CoursekitError
        Two students' entries have one id.
    """
    owned: dict[str, list[Entry]] = {}
    for entry in entries:
        if owner := _owner(entry, lms):
            folded = _folded(owner.student) if lms is NBGRADER else owner.student
            key = owner.student if folded == owner.student else folded  # the same string, if so
            owned.setdefault(key, []).append(entry)
    _refuse_shared_ids(where, owned, lms)
    for key in list(owned):
        if (student := _student(owned[key][0], lms)) != key:
            owned[student] = owned.pop(key)
    return owned


def _refuse_shared_ids(where: Path, owned: dict[str, list[Entry]], lms: Lms) -> None:
    several = [entries for entries in owned.values() if len(entries) > 1]
    shared = [entries for entries in several if len(_persons(entries, lms)) > 1]
    if shared:
        ids = "; ".join(_listed(entries, lms) for entries in shared[:_MOST_NAMED])
        more = f"; and {len(shared) - _MOST_NAMED} more" if shared[_MOST_NAMED:] else ""
        raise CoursekitError(
            f"{where}: one student's id stands for several: {ids}{more}. Nothing was graded; "
            "expected one submission per student: take out or rename what is wrong"
        )


def _persons(entries: Sequence[Entry], lms: Lms) -> set[tuple[str, str]]:
    owners = (_owner(entry, lms) for entry in entries)
    return {(owner.student, owner.person) for owner in owners if owner}


def _owner(entry: Entry, lms: Lms) -> Owner | None:
    """Return whose an entry is.

    One that must be somebody's, but whose name the layout does not have, counts as a student.
    """
    if owner := lms.owner(entry):
        return owner
    return Owner(identifier(entry.name), entry.name, 0) if belongs(entry) else None


def _student(entry: Entry, lms: Lms) -> str:
    owner = _owner(entry, lms)
    assert owner is not None
    return owner.student


def _folded(student: str) -> str:
    """Return an id in the form in which some file systems and LMSs compare names."""
    return student.casefold().rstrip(". ")


def _listed(entries: Sequence[Entry], lms: Lms) -> str:
    names = sorted(printable(entry.name) for entry in entries)
    return f"{_student(entries[0], lms)} ({', '.join(map(ascii, names[:_MOST_NAMED]))})"
