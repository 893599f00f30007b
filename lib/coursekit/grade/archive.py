"""A class's submissions in a zip, read without unpacking it.

LMSs store or deflate files. Other methods are refused, because `zipfile` bounds memory for these
two only. The sizes that the zip claims for its files are not trusted.
"""

from __future__ import annotations

import os
import stat
import struct
import zipfile
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import TypeAlias

from coursekit.errors import CoursekitError
from coursekit.grade import timestamps
from coursekit.grade.limits import MIB
from coursekit.grade.submission_file import UnusableError, is_litter, is_notebook
from coursekit.grade.timestamps import HandIn
from coursekit.grade.zip_list import BROKEN, BROKEN_METHOD, open_zip
from coursekit.identifiers import printable
from coursekit.lms import LMSS, NBGRADER, Entry, by_name

#: The folders in a member's name, and its own name, which is "" for a folder.
Parts: TypeAlias = list[str]

_DEEPEST = 4
#: Instructors' names for the folder of a class, which no student has.
_CLASS_FOLDERS = ("submitted", "submissions")


class Archive:
    """The zip of a class, in which each entry of the class's folder is a student's.

    Raises
    ------
    CoursekitError
        The file is not a zip, or holds too much, or it is not clear which folders are students'.
    """

    def __init__(self, path: Path, chapter: str, layout: str | None = None) -> None:
        self.where = path
        self._archive = open_zip(path)
        self._version = self._version_now()
        infos = self._archive.infolist()
        self._ends = sorted({info.header_offset for info in infos} | {self._archive.start_dir})
        self._files: dict[str, list[tuple[str, zipfile.ZipInfo]]] = {}
        self._folders: set[str] = set()
        self._sort(infos, chapter, layout)

    def _sort(self, infos: Sequence[zipfile.ZipInfo], chapter: str, layout: str | None) -> None:
        """Assign each member to the entry of the class's folder that it lies in."""
        split = [_parts(info) for info in infos]
        depth = _depth(self.where, [parts for parts in split if parts], chapter, layout)
        for parts, info in zip(split, infos, strict=True):
            if parts is None:
                self._files.setdefault(info.filename, []).append(("", info))
            elif len(parts) > depth and not any(map(is_litter, parts[: depth + 1])):
                name, *below = parts[depth:]
                if not name:
                    continue
                files = self._files.setdefault(name, [])
                if below:
                    self._folders.add(name)
                if not info.filename.endswith("/"):
                    files.append(("/".join(below), info))

    def entries(self) -> Iterator[Entry]:
        """Yield the entries of the class's folder, and members that lie outside of it."""
        return (Entry(name, name in self._folders) for name in self._files)

    def files(self, name: str, deep: bool = False) -> list[tuple[str, zipfile.ZipInfo]]:
        """Return an entry's files with their paths; an entry that is a file itself has path ""."""
        return self._files[name]

    def read(self, info: zipfile.ZipInfo, most: int) -> bytes:
        """Return a member's bytes, at most ``most``, or raise `UnusableError`."""
        if self._version_now() != self._version:
            raise CoursekitError(
                f"{self.where}: changed while it was read; leave it as it is, and run the same "
                "command again"
            )
        _refuse_odd(info)
        try:
            self._refuse_overlap(info)
            with self._archive.open(_by_itself(info)) as file:
                data = file.read(most + 1)
        except BROKEN as error:
            reason = printable(str(error) or type(error).__name__)
            raise UnusableError(f"it cannot be read from the zip: {reason}") from None
        if len(data) > most:
            raise UnusableError(f"the notebook is larger than {most / MIB:.0f} MiB")
        return data

    def changed(self, info: zipfile.ZipInfo, zone: tzinfo | None) -> HandIn:
        """Return when a member was changed, by a clock in ``zone`` unless the zip has UTC."""
        return timestamps.of_member(info, zone)

    def _refuse_overlap(self, info: zipfile.ZipInfo) -> None:
        """Refuse a member that reaches into the next one, which may be another student's."""
        place = bisect_right(self._ends, info.header_offset)
        file = self._archive.fp
        if file is None or info.header_offset < 0 or place == len(self._ends):
            raise zipfile.BadZipFile("it lies outside the zip")
        file.seek(info.header_offset)
        lengths = file.read(30)[26:]
        if len(lengths) < 4:
            raise zipfile.BadZipFile("it lies outside the zip")
        start = info.header_offset + 30 + sum(struct.unpack("<HH", lengths))
        if start + info.compress_size > self._ends[place]:
            raise zipfile.BadZipFile("it overlaps with another file")

    def _version_now(self) -> tuple[int, int]:
        file = self._archive.fp
        if file is None:
            raise ValueError("the archive is closed")
        status = os.fstat(file.fileno())
        return status.st_size, status.st_mtime_ns


def _by_itself(info: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """Return a member without what newer Pythons note of its neighbours.

    Where two entries name one place, they refuse both: one student's broken entry would cost
    another one's work.
    """
    alone = zipfile.ZipInfo(info.orig_filename, info.date_time)
    alone.orig_filename = info.orig_filename
    for name in ("flag_bits", "compress_type", "header_offset", "CRC"):
        setattr(alone, name, getattr(info, name))
    alone.compress_size, alone.file_size = info.compress_size, info.file_size
    return alone


def _refuse_odd(info: zipfile.ZipInfo) -> None:
    if ".." in info.filename.split("/") or info.filename.startswith("/"):
        raise UnusableError("its name in the zip points outside")
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        raise UnusableError("it is a link or another special file in the zip")
    if info.compress_type == BROKEN_METHOD:
        raise UnusableError("its entry in the zip's list of files is broken")
    if info.flag_bits & 1:
        raise UnusableError("it is encrypted in the zip")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnusableError(
            f"it is compressed in an unusual way in the zip (method {info.compress_type}); "
            "expected stored or deflated, as an LMS writes it"
        )


def _parts(info: zipfile.ZipInfo) -> Parts | None:
    """Return the parts of a member's name, None where it points outside."""
    parts = [part for part in info.filename.split("/") if part]
    while parts and parts[0] == ".":
        del parts[0]
    if info.filename.endswith("/"):
        parts.append("")
    if not parts or parts[0] == ".." or info.filename.startswith("/"):
        return None
    return parts


def _depth(path: Path, members: Sequence[Parts], chapter: str, layout: str | None) -> int:
    """Return how many folders there are around those of the students."""
    for depth in range(_DEEPEST):
        members = [parts for parts in members if _is_work(parts)]
        tops = {parts[0] for parts in members}
        if len(tops) != 1 or any(len(parts) == 1 for parts in members):
            return depth
        members = [parts[1:] for parts in members]
        if not _is_around(path, tops.pop(), members, chapter, layout):
            return depth
    return _DEEPEST


def _is_work(parts: Parts) -> bool:
    name = parts[0]
    if not name or is_litter(name):
        return False
    return len(parts) > 1 or is_notebook(name) or by_name(Entry(name, False)) is not NBGRADER


def _is_around(
    path: Path, top: str, below: Sequence[Parts], chapter: str, layout: str | None
) -> bool:
    """Whether the one folder that contains everything is the class's, and not one student's.

    Students decide what is in their own folder: its contents tell only if the layout is known.
    """
    of_top = by_name(Entry(top, True))
    if of_top is not NBGRADER and layout in (None, of_top.name):
        return False
    if layout in LMSS or top in _CLASS_FOLDERS:
        return True
    if any(parts[0] in (chapter, f"{chapter}.ipynb") for parts in below):
        return False
    if layout == NBGRADER.name:  # there, everything that a student sends is in the chapter's folder
        return any(chapter in parts[1:-1] for parts in below)
    raise CoursekitError(
        f"{path}: all of it is in one folder, {printable(top)!r}, which may be the class's or one "
        f"student's; expected STUDENT/{chapter}/{chapter}.ipynb or an LMS's own zip. Name the "
        f"layout, with --layout {', '.join(LMSS)} or {NBGRADER.name}"
    )
