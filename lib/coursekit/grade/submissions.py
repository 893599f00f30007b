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
from pathlib import Path

from coursekit.errors import CoursekitError
from coursekit.grade.limits import MIB

_SKIPPED = frozenset({"__MACOSX", ".ipynb_checkpoints"})
_MOST_ENTRIES = 1000


class UnusableError(Exception):
    """A submission that cannot even be read; the text is its row's reason."""


@dataclass(frozen=True)
class Submission:
    """One student's work.

    Attributes
    ----------
    student : str
        Printable, without separators.
    read : callable
        Returns (bytes of the notebook, reasons for a person to look), or raises `UnusableError`.
    """

    student: str
    read: Callable[[], tuple[bytes, tuple[str, ...]]]


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
    return _each_once(sorted(found, key=lambda submission: submission.student))


def _each_once(found: Sequence[Submission]) -> list[Submission]:
    """Give the second submission of a student's name a name of its own."""
    seen: dict[str, int] = {}
    named = []
    for submission in found:
        count = seen[submission.student] = seen.get(submission.student, 0) + 1
        name = f"{submission.student} ({count})" if count > 1 else submission.student
        named.append(replace(submission, student=name))
    return named


def printable(name: str) -> str:
    """Return a student's id as it can stand in files: no separators, no invisible characters."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() and c not in "/\\" else f"%{ord(c):02x}" for c in text)
    return shown.strip()[:200] or "%"


def _in_folder(where: Path, chapter: str, most_bytes: int) -> list[Submission]:
    from coursekit.grade.lms import student_in_folder

    found = []
    with os.scandir(where) as entries:
        for entry in entries:
            if entry.name in _SKIPPED or entry.name.startswith("."):
                continue
            folder = entry.is_dir(follow_symlinks=False) or entry.is_symlink()
            if folder or entry.name.lower().endswith(".ipynb"):
                plain = entry.name if folder else entry.name[: -len(".ipynb")]
                student = student_in_folder(entry.name, folder) or printable(plain)
                found.append(Submission(student, _reader(entry.path, chapter, most_bytes)))
    return found


def _reader(path: str, chapter: str, most: int) -> Callable[[], tuple[bytes, tuple[str, ...]]]:
    def read() -> tuple[bytes, tuple[str, ...]]:
        try:
            if os.path.islink(path):
                raise UnusableError("the folder is a link; links are not followed")
            if not os.path.isdir(path):
                return read_file(path, most), ()
            found, doubts = _notebook(path, chapter)
            return read_file(found, most), doubts
        except OSError as error:
            raise UnusableError(f"it cannot be read: {error.strerror or error}") from None

    return read


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
