"""The class's submissions: every folder and every notebook in a folder or archive is one.

In nbgrader's layout a submission is ``<student>/<CHAPTER>/<CHAPTER>.ipynb``. A notebook directly in
the student's folder, one under another name when it is the only one, and ``<student>.ipynb`` are
found too, and what an LMS called them in an archive that was unpacked. Links are not followed, and
nothing but a regular file is opened.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

from coursekit.errors import CoursekitError
from coursekit.grade.limits import MIB

Work: TypeAlias = tuple[bytes, tuple[str, ...]]
_SKIPPED = frozenset({"__MACOSX", ".ipynb_checkpoints"})
_MOST_ENTRIES = 1000


class UnusableError(Exception):
    """A submission that cannot even be read; the text is its row's reason."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's work. A class may be large: no more of it is kept than where it is.

    Attributes
    ----------
    student : str
        Printable, without separators.
    place : object
        Where the work is, for ``reader``.
    reader : callable
        Returns what `read` does, from a place.
    """

    student: str
    place: Any
    reader: Callable[[Any], Work]

    def read(self) -> Work:
        """Return (bytes of the notebook, reasons for a person to look).

        Raises
        ------
        UnusableError
            There is no notebook, or none that can be read.
        """
        return self.reader(self.place)


def find_submissions(where: Path, chapter: str, most_bytes: int) -> Sequence[Submission]:
    """Return the submissions in a folder or an LMS's zip, ordered by student.

    Raises
    ------
    CoursekitError
        There is no such folder, or nothing in it.
    """
    if not where.exists():
        raise CoursekitError(f"{where}: no such folder; expected submissions to {chapter}")
    if where.is_file():
        from coursekit.grade.lms import submissions_in_zip

        found = submissions_in_zip(where, chapter, most_bytes)
    else:
        found = _in_folder(where, chapter, most_bytes)
    if not found:
        raise CoursekitError(
            f"{where}: no submissions; expected {where / 'STUDENT' / chapter / chapter}.ipynb"
        )
    return _each_once(sorted(found, key=attrgetter("student")))


def _each_once(found: Sequence[Submission]) -> list[Submission]:
    """Give the second submission of a student's name a name of its own."""
    named: list[Submission] = []
    taken: set[str] = set()
    for student, (first, *others) in groupby(found, key=attrgetter("student")):
        named.append(first)
        if others and not taken:
            taken = {submission.student for submission in found}
        for other in others:
            names = (f"{student} ({number})" for number in count(2))
            own = next(name for name in names if name not in taken)
            taken.add(own)
            named.append(replace(other, student=own))
    return named


def printable(name: str) -> str:
    """Return a student's id as it can stand in files: no separators, no invisible characters."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() and c not in "/\\" else f"%{ord(c):02x}" for c in text)
    told = shown.strip()[:200] or "%"
    return name if told == name else told  # a class has many names: the same string, kept once


def _in_folder(where: Path, chapter: str, most_bytes: int) -> list[Submission]:
    from coursekit.grade.lms import student_in_folder

    reader = partial(_read, where, chapter, most_bytes)
    found = []
    with os.scandir(where) as entries:
        for entry in entries:
            if entry.name in _SKIPPED or entry.name.startswith("."):
                continue
            folder = entry.is_dir(follow_symlinks=False) or entry.is_symlink()
            if folder or entry.name.lower().endswith(".ipynb"):
                plain = entry.name if folder else entry.name[: -len(".ipynb")]
                student = student_in_folder(entry.name, folder) or printable(plain)
                found.append(Submission(student, entry.name, reader))
    # Two names can be one student: which of them comes first does not depend on the disk.
    return sorted(found, key=attrgetter("place"))


def _read(where: Path, chapter: str, most: int, name: str) -> Work:
    path = os.path.join(where, name)
    try:
        if os.path.islink(path):
            raise UnusableError("the folder is a link; links are not followed")
        if not os.path.isdir(path):
            return read_file(path, most), ()
        found, doubts = _notebook(path, chapter)
        return read_file(found, most), doubts
    except OSError as error:
        raise UnusableError(f"it cannot be read: {error.strerror or error}") from None


def _notebook(folder: str, chapter: str) -> tuple[str, tuple[str, ...]]:
    """Return the path of a student's notebook, and doubts about it."""
    name = f"{chapter}.ipynb"
    inner = os.path.join(folder, chapter)
    if os.path.islink(inner):
        raise UnusableError(f"its folder {chapter} is a link; links are not followed")
    places = [p for p in (inner, folder) if os.path.isdir(p)]
    for place in places:
        if os.path.lexists(os.path.join(place, name)):
            return os.path.join(place, name), ()
    others = [os.path.join(place, n) for place in places for n in _notebooks(place)]
    if len(others) == 1:
        return others[0], (f"its notebook is called {printable(os.path.basename(others[0]))}",)
    if others:
        raise UnusableError(f"it has {len(others)} notebooks, and none is called {name}")
    raise UnusableError(f"it has no {name}")


def _notebooks(folder: str) -> list[str]:
    with os.scandir(folder) as entries:
        names = [entry.name for entry, _ in zip(entries, range(_MOST_ENTRIES), strict=False)]
    return sorted(n for n in names if n.lower().endswith(".ipynb") and not n.startswith("."))


def read_file(path: str, most: int) -> bytes:
    """Return a regular file's bytes, at most ``most``; no link, pipe or device is opened."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        if os.path.islink(path):
            raise UnusableError("the notebook is a link; links are not followed") from None
        raise
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode):
        os.close(descriptor)
        raise UnusableError("the notebook is no regular file")
    with os.fdopen(descriptor, "rb") as file:
        if about.st_size > most:
            size = f"{about.st_size / MIB:.0f} MiB"
            raise UnusableError(f"the notebook has {size}; at most {most / MIB:.0f} MiB are read")
        return file.read(most)
