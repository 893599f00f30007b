"""Submissions in the zip that Canvas or Moodle makes of a class, read without unpacking it.

===========  ====================================================================  ===========
Canvas       ``name_USER_SUBMISSION_file.ipynb``, also ``name_LATE_USER_…``        USER
Moodle       ``Full Name_PARTICIPANT_assignsubmission_file_/file.ipynb`` or flat   PARTICIPANT
nbgrader     ``STUDENT/CHAPTER/file.ipynb``, in any folder                         STUDENT
===========  ====================================================================  ===========

A student's id is the number by which the LMS's own file of grades knows the student. A notebook
whose name fits none of these is a submission as well, under its own name.
"""

from __future__ import annotations

import re
import stat
import zipfile
import zlib
from functools import partial
from pathlib import Path, PurePosixPath

from coursekit.errors import CoursekitError
from coursekit.grade.limits import MIB
from coursekit.grade.submissions import Submission, UnusableError, Work, printable

_CANVAS = re.compile(
    r"(?:[^/]*/)?[^_/]*(?:_LATE)?_(?P<student>\d+)_(?P<turn>\d+)_(?P<file>[^/]+)\Z"
)
_MOODLE = re.compile(
    r"(?:[^/]*/)?[^/]*_(?P<student>\d+)_assignsubmission_file_?/?(?P<file>[^/]*(?:/[^/]+)*)\Z"
)
_MOST_MEMBERS = 200_000
_TURN = re.compile(r"(?: ?\((\d+)\)|-(\d+))?\.ipynb\Z", re.IGNORECASE)


def submissions_in_zip(path: Path, chapter: str, most_bytes: int) -> list[Submission]:
    """Return the submissions in an LMS's zip.

    Raises
    ------
    CoursekitError
        The file is no zip, or holds more than 200 000 files.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise CoursekitError(f"{path}: cannot be read as a zip ({error})") from None
    members = [info for info in archive.infolist() if not info.is_dir()]
    if len(members) > _MOST_MEMBERS:
        raise CoursekitError(f"{path}: holds {len(members)} files; at most {_MOST_MEMBERS}")
    found: dict[str, list[zipfile.ZipInfo]] = {}
    for info in members:
        if student := _student(info.filename, chapter):
            found.setdefault(student, []).append(info)
    reader = partial(_read, archive, chapter, most_bytes)
    return [Submission(student, infos, reader) for student, infos in found.items()]


def _student(name: str, chapter: str) -> str | None:
    """Return whose a member is; None for what belongs to nobody (a list of grades, say)."""
    plain = "/".join(part for part in name.split("/") if part not in ("", "."))
    if any(part in ("..", "__MACOSX", ".ipynb_checkpoints") for part in plain.split("/")):
        return printable(name) if _is_notebook(name) and ".." in name else None
    for pattern in (_MOODLE, _CANVAS):
        if match := pattern.match(plain):
            return match["student"]
    parts = PurePosixPath(plain).parts
    if len(parts) >= 3 and parts[-2] == chapter:
        return printable(parts[-3])
    return printable(plain[: -len(".ipynb")]) if _is_notebook(plain) else None


def student_in_folder(name: str, is_folder: bool) -> str | None:
    """Return whose an entry of an unpacked LMS archive is; None where it is no such entry."""
    pattern, text = (_MOODLE, f"{name}/work.ipynb") if is_folder else (_CANVAS, name)
    match = pattern.match(text)
    return match["student"] if match else None


def _is_notebook(name: str) -> bool:
    return name.lower().endswith(".ipynb")


def _read(archive: zipfile.ZipFile, chapter: str, most: int, infos: list[zipfile.ZipInfo]) -> Work:
    """Return the newest notebook among a student's files, and doubts about it."""
    notebooks = [info for info in infos if _is_notebook(info.filename)]
    if not notebooks:
        names = ", ".join(printable(PurePosixPath(i.filename).name) for i in infos[:3])
        raise UnusableError(f"it has no notebook; it has {names}")
    named = [info for info in notebooks if chapter in info.filename.rsplit("/", 1)[-1]]
    chosen = max(named or notebooks, key=lambda info: (_turn(info.filename), info.filename))
    doubts: tuple[str, ...] = ()
    if len(notebooks) > 1:
        doubts = (f"it has {len(notebooks)} notebooks; the newest was taken",)
    return _bytes(archive, chosen, most), doubts


def _turn(name: str) -> int:
    """Return the number that an LMS adds to the name of a file handed in again."""
    match = _TURN.search(name)
    return int(match[1] or match[2] or 0) if match else 0


def _bytes(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    if ".." in PurePosixPath(info.filename).parts or info.filename.startswith("/"):
        raise UnusableError("its name in the zip points outside")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise UnusableError("it is a link or another special file in the zip")
    if info.flag_bits & 1:
        raise UnusableError("it is encrypted in the zip")
    try:
        with archive.open(info) as file:
            # What the zip says of its size is not believed.
            data = file.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError) as error:
        raise UnusableError(f"it cannot be read from the zip: {error}") from None
    if len(data) > most:
        raise UnusableError(f"the notebook is larger than {most / MIB:.0f} MiB")
    return data
