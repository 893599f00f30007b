"""The list of files at the end of a zip, checked before `zipfile` reads it.

`zipfile` reads the whole list at once, and fails for the whole if one entry is broken. Here the
list is bounded first, and broken entries are repaired just enough that the other files can be read.
"""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from pathlib import Path

from coursekit.errors import CoursekitError
from coursekit.grade.limits import MIB

MOST_MEMBERS = 200_000
MOST_BYTES = 64 * MIB
#: The compression method of a repaired entry.
BROKEN_METHOD = 0xFFFF
#: What reading a broken zip may raise.
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, struct.error),
    *(ValueError, RuntimeError, OverflowError),  # with UnicodeDecodeError, NotImplementedError
)
#: Bytes of an entry, without its name, extra fields and comment.
_ENTRY = 46


def open_zip(path: Path) -> zipfile.ZipFile:
    """Open a zip to read it; a file whose entry is broken has the method `BROKEN_METHOD`.

    Raises
    ------
    CoursekitError
        The file is not a zip, or its list is too long.
    """
    start, entries = _list_of(path)
    count = entries.count(b"PK\1\2")
    if count > MOST_MEMBERS:
        raise CoursekitError(f"{path}: holds {count} files; at most {MOST_MEMBERS} are read")
    try:
        return zipfile.ZipFile(path)
    except BROKEN as error:
        reason = str(error)
    repaired = _repaired(entries)
    if repaired != entries:
        try:
            return zipfile.ZipFile(_Overlaid(path, start, repaired))
        except BROKEN:
            pass
    raise CoursekitError(f"{path}: cannot be read as a zip ({reason})")


class _Overlaid(io.FileIO):
    """A file with some of its bytes replaced."""

    def __init__(self, path: Path, start: int, data: bytes) -> None:
        super().__init__(path)
        self._start, self._data = start, data

    def __del__(self) -> None:
        self.close()  # a ZipFile does not close a file that it did not open itself

    def read(self, size: int | None = -1, /) -> bytes:
        at = self.tell()
        data = bytearray(super().read(size) or b"")
        first, last = max(at, self._start), min(at + len(data), self._start + len(self._data))
        if first < last:
            data[first - at : last - at] = self._data[first - self._start : last - self._start]
        return bytes(data)


def _list_of(path: Path) -> tuple[int, bytes]:
    """Return where the list begins, and the list; (0, b"") where there is none."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - (1 << 16) - 100))
        tail = file.read()
        end = tail.rfind(b"PK\5\6")
        if end < 0:
            return 0, b""
        length = int.from_bytes(tail[end + 12 : end + 16], "little")
        large = tail[max(0, end - 76) : end]
        if large.startswith(b"PK\6\6"):  # the record of large archives overrides the other one
            length = int.from_bytes(large[40:48], "little")
            end -= 76
        if length > MOST_BYTES:
            raise CoursekitError(
                f"{path}: its list of files has {length / MIB:.0f} MiB; "
                f"at most {MOST_BYTES / MIB:.0f} MiB are read"
            )
        start = max(0, size - len(tail) + end - length)
        file.seek(start)
        return start, file.read(length)


def _repaired(entries: bytes) -> bytes:
    """Return the list with its broken entries repaired, up to one whose end cannot be known."""
    repaired, at = bytearray(entries), 0
    while entries[at : at + 4] == b"PK\1\2" and at + _ENTRY <= len(entries):
        name, extra, comment = struct.unpack_from("<HHH", entries, at + 28)
        after = at + _ENTRY + name + extra + comment
        if not _is_readable(entries[at:after]):
            repaired[at + 6 : at + 12] = struct.pack("<HHH", 20, 0, BROKEN_METHOD)
            if extra >= 4:  # a single extra field, of an unknown kind
                struct.pack_into("<HH", repaired, at + _ENTRY + name, 0xFFFF, extra - 4)
        at = after
    return bytes(repaired)


def _is_readable(entry: bytes) -> bool:
    """Whether `zipfile` accepts an entry as the only one of a list."""
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(entry), 0, 0)
    try:
        with zipfile.ZipFile(io.BytesIO(entry + end)):
            return True
    except BROKEN:
        return False
