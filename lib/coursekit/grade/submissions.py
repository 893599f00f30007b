"""The class's submissions: every folder and every notebook in a folder or archive is one.

Whose each is, is decided once for all of them and before anything is graded. What is wrong with one
student's files is that student's row; what is wrong with the whole, or with this machine, ends the
run with a line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from coursekit.errors import CoursekitError
from coursekit.grade import timestamps
from coursekit.grade.archive import Archive
from coursekit.grade.folder import Folder
from coursekit.grade.lms import Entry, Owner, belongs, decide_layout, is_stray, owner
from coursekit.grade.roster import refuse_unlisted
from coursekit.grade.work import (
    File,
    Submission,
    UnusableError,
    Work,
    choose_by_place,
    choose_newest,
    printable,
)

_MOST_NAMED = 5


class Source(Protocol):
    """A class's folder or archive."""

    where: Path

    def entries(self) -> Iterable[Entry]:
        """Return what lies directly in it."""

    def files(self, name: str, deep: bool = False) -> Sequence[tuple[str, Any]]:
        """Return an entry's files: path and handle. An entry that is a file has path ""."""

    def read(self, handle: Any, most: int) -> bytes:
        """Return a file's bytes."""


def find_submissions(
    where: Path,
    chapter: str,
    most_bytes: int,
    layout: str | None = None,
    lms_file: Path | None = None,
) -> Sequence[Submission]:
    """Return the submissions in a folder or an LMS's zip, ordered by student.

    Parameters
    ----------
    where : Path
        The folder or zip.
    chapter : str
        What was to be handed in.
    most_bytes : int
        Larger notebooks are not read.
    layout : str or None
        One of `coursekit.grade.lms.LAYOUTS`; None: the one that all names have.
    lms_file : Path or None
        The LMS's list, which has to know every student.

    Raises
    ------
    CoursekitError
        There is no such folder, or nothing in it, or it cannot be known whose something is.
    """
    with _readable(where):
        if not where.exists():
            raise CoursekitError(f"{where}: no such folder; expected submissions to {chapter}")
        if not (where.is_dir() or where.is_file()):
            raise CoursekitError(
                f"{where}: no folder and no file; expected a class's folder or zip"
            )
        source: Source = (
            Folder(where, chapter) if where.is_dir() else Archive(where, chapter, layout)
        )
        entries = list(source.entries())
    decided = layout or decide_layout(where, entries)
    if decided == "nbgrader":
        _refuse_own_folder(source, entries, chapter)
    owned = _by_student(where, entries, decided)
    if not owned:
        raise CoursekitError(
            f"{where}: no submissions; expected {where / 'STUDENT' / chapter / chapter}.ipynb"
        )
    if lms_file is not None:
        refuse_unlisted(lms_file, decided, {s: some[0].name for s, some in owned.items()})
    read = partial(_read, source, decided, chapter, most_bytes)
    misfit, time = partial(_misfit, decided), partial(_time, source, decided, chapter)
    del entries  # they go as the list grows
    made = []
    for student in sorted(owned):
        some = owned.pop(student)
        reader = read if owner(some[0], decided) else misfit
        made.append(Submission(student, _place(some), reader, time))
    return made


@contextmanager
def _readable(where: object) -> Iterator[None]:
    """Say in a line what this machine cannot read; nobody loses points for it."""
    try:
        yield
    except OSError as error:
        raise CoursekitError(
            f"{error.filename or where}: cannot be read ({error.strerror or error}); mend that, "
            "and run the same command again"
        ) from None


def _refuse_own_folder(source: Source, entries: Sequence[Entry], chapter: str) -> None:
    """Refuse what one student handed in, in which a student would be called like the chapter."""
    where, name = source.where.resolve(), f"{chapter}.ipynb"
    if Entry(name, False) in entries:
        above = where.parent.parent if where.name == chapter else where.parent
    elif Entry(chapter, True) in entries and _is_students(source, chapter):
        name, above = f"{chapter}/", where.parent
    else:
        return
    do = f"pass {above}" if where.is_dir() else "make the zip of all students' folders"
    raise CoursekitError(
        f"{where}: has {name} directly in it, as one student's folder has; expected the class's, "
        f"with STUDENT/{chapter}/{chapter}.ipynb in it: {do}"
    )


def _is_students(source: Source, chapter: str) -> bool:
    """Whether a folder called like the chapter has no such folder in it, as a student's has."""
    try:
        with _readable(source.where):
            files = source.files(chapter)
    except UnusableError:
        return False
    return not any(path.startswith(f"{chapter}/") for path, _ in files)


def _by_student(where: Path, entries: Sequence[Entry], layout: str) -> dict[str, list[Entry]]:
    """Return each student's entries; refuse entries of which it is not known whose they are.

    Of a large class no more is kept: whose an entry is, is asked again where it matters.
    """
    owned: dict[str, list[Entry]] = {}
    for entry in entries:
        if whose := _whose(entry, layout):
            folded = _folded(whose.student) if layout == "nbgrader" else whose.student
            key = whose.student if folded == whose.student else folded  # the same string, if so
            owned.setdefault(key, []).append(entry)
    several = [some for some in owned.values() if len(some) > 1]
    doubles = [e for e in several if len({w[:2] for w in (_whose(x, layout) for x in e) if w}) > 1]
    if doubles:
        told = "; ".join(_told(some, layout) for some in doubles[:_MOST_NAMED])
        more = f"; and {len(doubles) - _MOST_NAMED} more" if doubles[_MOST_NAMED:] else ""
        raise CoursekitError(
            f"{where}: one student's id stands for several: {told}{more}. Nothing was graded; "
            "expected one submission a student: take out or rename what is wrong"
        )
    for key in list(owned):
        if (student := _student(owned[key][0], layout)) != key:
            owned[student] = owned.pop(key)
    return owned


def _whose(entry: Entry, layout: str) -> Owner | None:
    """Return whose an entry is; an entry that must be somebody's has a name of its own."""
    if whose := owner(entry, layout):
        return whose
    return Owner(printable(entry.name), entry.name) if belongs(entry) else None


def _student(entry: Entry, layout: str) -> str:
    whose = _whose(entry, layout)
    assert whose is not None
    return whose.student


def _folded(student: str) -> str:
    """Return an id as file systems and LMSs know it that do not tell all names apart."""
    return unicodedata.normalize("NFC", student).casefold().rstrip(". ")


def _told(some: Sequence[Entry], layout: str) -> str:
    names = sorted(printable(entry.name) for entry in some)
    return f"{_student(some[0], layout)} ({', '.join(map(ascii, names[:_MOST_NAMED]))})"


def _place(some: Sequence[Entry]) -> str | tuple[str, ...]:
    names = tuple(entry.name for entry in some)
    return names if len(names) > 1 else names[0]  # of a large class little is kept


def _read(
    source: Source, layout: str, chapter: str, most: int, place: str | tuple[str, ...]
) -> Work:
    with _readable(source.where):
        chosen, warnings = _chosen(source, layout, chapter, place)
        return source.read(chosen.handle, most), warnings


def _time(source: Source, layout: str, chapter: str, place: str | tuple[str, ...]) -> str | None:
    """Return when the notebook that `_read` takes was handed in."""
    try:
        handle = _chosen(source, layout, chapter, place)[0].handle
    except (UnusableError, OSError):
        return None
    if isinstance(handle, str):
        return timestamps.of_notebook(handle, chapter if layout == "nbgrader" else None)
    return timestamps.of_member(handle)


def _chosen(
    source: Source, layout: str, chapter: str, place: str | tuple[str, ...]
) -> tuple[File, tuple[str, ...]]:
    names = (place,) if isinstance(place, str) else place
    choose = choose_by_place if layout == "nbgrader" else choose_newest
    return choose([file for name in names for file in _files(source, layout, name)], chapter)


def _files(source: Source, layout: str, name: str) -> Iterator[File]:
    for path, handle in source.files(name, deep=layout == "moodle"):
        whose = None if path else owner(Entry(name, False), layout)
        yield File(whose.file, whose.order, handle) if whose else File(path, 0, handle)


def _misfit(layout: str, name: str) -> Work:
    if is_stray(Entry(name, False)):
        raise UnusableError("its name in the zip points outside")
    raise UnusableError(f"its name is not one that the layout {layout} has")
