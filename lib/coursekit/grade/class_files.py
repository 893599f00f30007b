"""The files of a class's folder or zip, one entry a file or folder directly in it.

Nothing is unpacked: a name in a zip is a label, and never becomes a path. An LMS writes the zip, so
that a broken list of files ends the run; a broken, large or odd member is its student's affair.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.errors import CoursekitError
from coursekit.lms import LAYOUTS, layout_of, printable
from coursekit.sandbox.limits import MIB

#: Names that operating systems and tools leave in folders and archives, and nobody hands in.
_LITTER = frozenset(
    {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints", ".git"}
    | {".Trashes", ".fseventsd", ".Spotlight-V100", "$RECYCLE.BIN", "lost+found"}
    | {"System Volume Information", "@eaDir", ".vscode", ".idea"}
)
#: Where Gradescope says whose each folder is.
METADATA = "submission_metadata.yml"
#: Instructors' names for the folder of a class, which no student has.
CLASS_FOLDERS = ("submitted", "submissions")
#: What reading a broken zip may raise.
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, struct.error),
    *(ValueError, RuntimeError, OverflowError),  # with UnicodeDecodeError, NotImplementedError
)
#: Files in a zip that one student handed in.
_MOST_INNER = 1000


class UnusableError(Exception):
    """A submission that cannot even be read; the text is its row's reason."""


class Entry(NamedTuple):
    """A file or folder directly in the class's; a name with a separator points elsewhere."""

    name: str
    is_folder: bool

    @property
    def must_be_somebodys(self) -> bool:
        """Whether it cannot be a list of grades or the like."""
        return self.is_folder or "/" in self.name or not self.name or is_notebook(self.name)


def is_notebook(name: str) -> bool:
    """Whether a file has a notebook's name."""
    return name.lower().endswith(".ipynb")


def is_litter(path: str) -> bool:
    """Whether a system or tool left a file or folder; ``._name`` holds macOS's notes on a file."""
    return any(part in _LITTER or part.startswith("._") for part in path.split("/"))


class Folder:
    """The folder of a class; ``entries`` tells of each name in it whether it is a folder."""

    def __init__(self, where: Path) -> None:
        self.where, self.entries = where, dict[str, bool]()
        with os.scandir(where) as listed:
            for entry in listed:
                is_link = entry.is_symlink() and not is_notebook(entry.name)
                if not is_litter(entry.name):
                    self.entries[entry.name] = is_link or entry.is_dir(follow_symlinks=False)

    def files(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield an entry's files, path and handle; an entry that is a file has path ""."""
        top = os.path.join(self.where, name)
        if not self.entries[name]:
            yield "", top
            return
        if os.path.islink(top):
            raise UnusableError("the folder is a link; links are not followed")
        for folder, folders, files in os.walk(top, onerror=_fail):
            # What is called like a notebook is looked for, whatever it is.
            links = [f for f in folders if os.path.islink(os.path.join(folder, f))]
            here = [*files, *links, *(f for f in folders if is_notebook(f) and f not in links)]
            folders[:] = sorted(f for f in folders if f not in here and not is_litter(f))
            for file in sorted(here):
                if not is_litter(file):
                    path = os.path.join(folder, file)
                    yield os.path.relpath(path, top), path

    def read(self, path: str, most: int) -> bytes:
        """Return a regular file's bytes; no link, pipe or device is opened."""
        kind = os.lstat(path).st_mode
        if stat.S_ISLNK(kind):
            raise UnusableError(f"{printable(os.path.basename(path))} is a link; links are not "
                                "followed")  # fmt: skip
        if not stat.S_ISREG(kind):
            raise UnusableError("the notebook is not a regular file")
        # The file may have been replaced since then.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise UnusableError("the notebook is not a regular file")
            return _bounded(file, most)


def _fail(error: OSError) -> None:
    raise error


def _bounded(file: Any, most: int) -> bytes:
    data: bytes = file.read(most + 1)
    if len(data) > most:
        raise UnusableError(f"the notebook is larger than {most / MIB:.0f} MiB")
    return data


class Zip:
    """The zip of a class, read without unpacking it."""

    def __init__(self, where: Path, chapter: str, layout: str | None) -> None:
        self.where, self.entries = where, dict[str, bool]()
        try:
            self._zip = zipfile.ZipFile(where)
        except _BROKEN as error:
            raise CoursekitError(f"{where}: cannot be read as a zip ({error})") from None
        self._files: dict[str, list[tuple[str, zipfile.ZipInfo]]] = {}
        members = [(_parts(info.filename), info) for info in self._zip.infolist()]
        depth = _depth(where, [parts for parts, _ in members if parts], chapter, layout)
        for parts, info in members:
            # A name that points outside is a row of its own.
            name, *below = parts[depth:] or [""] if parts else [info.filename]
            if parts and (not name or is_litter("/".join(parts[: depth + 1]))):
                continue
            self.entries[name] = self.entries.get(name, False) or bool(below)
            files, path = self._files.setdefault(name, []), "/".join(below)
            if not parts or not (info.is_dir() or is_litter(path)):
                files.append((path, info))

    def files(self, name: str) -> list[tuple[str, zipfile.ZipInfo]]:
        """Return an entry's files, path and handle; an entry that is a file has path ""."""
        return self._files[name]

    def read(self, info: zipfile.ZipInfo, most: int) -> bytes:
        """Return a member's bytes, or raise `UnusableError`."""
        return _member(self._zip, info, most)


def _parts(name: str) -> list[str]:
    """Return the parts of a member's name, the last of which is "" for a folder.

    There are none where it points outside.
    """
    parts = [part for part in name.split("/") if part]
    while parts and parts[0] == ".":
        del parts[0]
    if not parts or parts[0] == ".." or name.startswith("/"):
        return []
    return [*parts, ""] if name.endswith("/") else parts


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """Return a member's bytes. The sizes that a zip claims for its files are not trusted."""
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        raise UnusableError("it is a link or another special file in the zip")
    if info.flag_bits & 1:
        raise UnusableError("it is encrypted in the zip")
    # For these two alone does `zipfile` bound the memory that it takes.
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnusableError(
            f"it is compressed in an unusual way in the zip (method {info.compress_type}); "
            "expected stored or deflated, as an LMS writes it"
        )
    try:
        with archive.open(info) as file:
            return _bounded(file, most)
    except _BROKEN as error:
        reason = printable(str(error) or type(error).__name__)
        raise UnusableError(f"it cannot be read from the zip: {reason}") from None


def open_class(where: Path, chapter: str, layout: str | None) -> Folder | Zip:
    """Return a class's folder or zip, or raise `CoursekitError`."""
    if where.is_dir():
        return Folder(where)
    if where.is_file():
        return Zip(where, chapter, layout)
    if not where.exists():
        raise CoursekitError(f"{where}: no such folder; expected submissions to {chapter}")
    raise CoursekitError(f"{where}: neither a folder nor a file; expected a class's folder or zip")


def _depth(where: Path, members: Sequence[list[str]], chapter: str, layout: str | None) -> int:
    """Return how many folders of a zip there are around those of the students."""
    depth = 0
    while True:
        members = [m for m in members if m[0] and not is_litter(m[0]) and _is_work(m)]
        tops = {parts[0] for parts in members}
        if len(tops) != 1 or any(len(parts) == 1 for parts in members):
            return depth
        below = [parts[1:] for parts in members]
        if not _is_around(where, tops.pop(), below, chapter, layout):
            return depth
        members, depth = below, depth + 1


def _is_work(parts: Sequence[str]) -> bool:
    name = parts[0]
    return len(parts) > 1 or is_notebook(name) or layout_of(name, False) != "nbgrader"


def _is_around(
    where: Path, top: str, below: Sequence[list[str]], chapter: str, layout: str | None
) -> bool:
    """Whether the one folder that contains everything is the class's, and not one student's.

    Students decide what is in their own folder: its contents tell only if the layout is known.
    """
    if layout_of(top, True) not in ("nbgrader", *([layout] if layout == "canvas" else [])):
        return False
    if layout not in (None, "nbgrader") or top in CLASS_FOLDERS or [METADATA] in below:
        return True
    if any(parts[0] in (chapter, f"{chapter}.ipynb") for parts in below):
        return False
    if layout == "nbgrader":  # there, everything that a student sends is in the chapter's folder
        return any(chapter in parts[1:-1] for parts in below)
    raise CoursekitError(
        f"{where}: all of it is in one folder, {printable(top)!r}, which may be the class's or one "
        f"student's; expected STUDENT/{chapter}/{chapter}.ipynb or an LMS's own zip. Name the "
        f"layout, with --layout {', '.join(LAYOUTS[:-1])} or {LAYOUTS[-1]}"
    )


def decide_layout(where: Path, entries: Sequence[Entry]) -> str:
    """Return the layout that all entries have."""
    if Entry(METADATA, False) in entries:
        return "gradescope"
    first: dict[str, str] = {}
    others: dict[str, str] = {}
    for entry in entries:
        if entry.name and "/" not in entry.name:
            group = first if entry.must_be_somebodys else others
            group.setdefault(layout_of(*entry), entry.name)
    # Files that are not notebooks decide only where there is nothing else.
    first = first or {layout: name for layout, name in others.items() if layout != "nbgrader"}
    if len(first) > 1:
        (one, a), (other, b) = sorted(first.items())[:2]
        ways = " or ".join(f"--layout {layout}" for layout in sorted(first))
        raise CoursekitError(
            f"{where}: {printable(a)!r} is {_shape(one)}, and {printable(b)!r} is {_shape(other)}; "
            f"expected one layout: take out what does not belong there, or add {ways}"
        )
    return next(iter(first), "nbgrader")


def _shape(layout: str) -> str:
    return "not" if layout == "nbgrader" else f"named as in a download from {layout.capitalize()}"


def notebooks_in(data: bytes) -> dict[str, bytes]:
    """Return the notebooks in a zip that a student handed in; none where it is something else.

    All of them together may be ten times as large as the zip, as text compresses.
    """
    if not data.startswith(b"PK\3\4") or data.count(b"PK\1\2") > _MOST_INNER:
        return {}
    try:
        found: dict[str, bytes] = {}
        left = 10 * len(data)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                if is_notebook(info.filename) and not is_litter(info.filename):
                    found[info.filename] = _member(archive, info, left)
                    left -= len(found[info.filename])
        return found
    except _BROKEN:
        return {}
