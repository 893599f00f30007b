"""The list of files that stands at the end of a zip, before and where `zipfile` reads it.

`zipfile` reads all of the list at once, and one line that it cannot take ends all of it. Here the
list is bounded first, and such a line is mended just so far that the other files can be read.
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
#: What a mended line says of its compression.
BROKEN_METHOD = 0xFFFF
#: What reading a zip raises, whatever is wrong with the zip.
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, struct.error),
    *(ValueError, RuntimeError, OverflowError),  # with UnicodeDecodeError, NotImplementedError
)
_LINE = 46


def open_zip(path: Path) -> zipfile.ZipFile:
    """Open a zip to read it; a file whose line is broken has the method `BROKEN_METHOD`.

    Raises
    ------
    CoursekitError
        The file is no zip, or its list is too long.
    """
    start, lines = _list_of(path)
    count = lines.count(b"PK\1\2")
    if count > MOST_MEMBERS:
        raise CoursekitError(f"{path}: holds {count} files; at most {MOST_MEMBERS} are read")
    try:
        return zipfile.ZipFile(path)
    except BROKEN as error:
        reason = str(error)
    mended = _mended(lines)
    if mended != lines:
        try:
            return zipfile.ZipFile(_Overlaid(path, start, mended))
        except BROKEN:
            pass
    raise CoursekitError(f"{path}: cannot be read as a zip ({reason})")


class _Overlaid(io.FileIO):
    """A file with some of its bytes replaced."""

    def __init__(self, path: Path, start: int, data: bytes) -> None:
        super().__init__(path)
        self._start, self._data = start, data

    def __del__(self) -> None:
        self.close()  # a ZipFile leaves open what it did not open itself

    def read(self, size: int | None = -1, /) -> bytes:
        at = self.tell()
        data = bytearray(super().read(size) or b"")
        first, last = max(at, self._start), min(at + len(data), self._start + len(self._data))
        if first < last:
            data[first - at : last - at] = self._data[first - self._start : last - self._start]
        return bytes(data)


def _list_of(path: Path) -> tuple[int, bytes]:
    """Return where the list begins, and the list; nothing where there is none."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - (1 << 16) - 100))
        tail = file.read()
        end = tail.rfind(b"PK\5\6")
        if end < 0:
            return 0, b""
        length = int.from_bytes(tail[end + 12 : end + 16], "little")
        large = tail[max(0, end - 76) : end]
        if large.startswith(b"PK\6\6"):  # the record for large archives counts where there is one
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


def _mended(lines: bytes) -> bytes:
    """Return the list with its broken lines mended, as far as it can be told where they end."""
    made, at = bytearray(lines), 0
    while lines[at : at + 4] == b"PK\1\2" and at + _LINE <= len(lines):
        name, extra, comment = struct.unpack_from("<HHH", lines, at + 28)
        after = at + _LINE + name + extra + comment
        if not _is_read(lines[at:after]):
            made[at + 6 : at + 12] = struct.pack("<HHH", 20, 0, BROKEN_METHOD)
            if extra >= 4:  # one field, of a kind that nobody knows
                struct.pack_into("<HH", made, at + _LINE + name, 0xFFFF, extra - 4)
        at = after
    return bytes(made)


def _is_read(line: bytes) -> bool:
    """Whether `zipfile` takes a line, as the only one of a list."""
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(line), 0, 0)
    try:
        with zipfile.ZipFile(io.BytesIO(line + end)):
            return True
    except BROKEN:
        return False
