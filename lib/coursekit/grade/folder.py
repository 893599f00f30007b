"""A class's submissions as files on this machine.

Links are not followed, and only regular files are opened. Whatever a student can put there affects
that student's row only; what this machine cannot read is an `OSError`.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterator
from datetime import tzinfo
from itertools import islice
from pathlib import Path

from coursekit.grade import timestamps
from coursekit.grade.limits import MIB
from coursekit.grade.submission_file import UnusableError, is_litter, is_notebook
from coursekit.grade.timestamps import HandIn
from coursekit.in_notebook.hand_in import FOLDER as HAND_IN
from coursekit.lms import Entry

_MOST_ENTRIES = 1000
_MOST_FOLDERS = 100
_DEEPEST = 8


class Folder:
    """The folder of a class, in which each entry is a student's."""

    def __init__(self, where: Path, chapter: str) -> None:
        self.where, self._chapter = where, chapter

    def entries(self) -> Iterator[Entry]:
        """Yield what lies in the folder."""
        with os.scandir(self.where) as entries:
            for entry in entries:
                if not is_litter(entry.name):
                    is_link = entry.is_symlink() and not is_notebook(entry.name)
                    yield Entry(entry.name, is_link or entry.is_dir(follow_symlinks=False))

    def files(self, name: str, deep: bool = False) -> list[tuple[str, str]]:
        """Return an entry's files with their paths; an entry that is a file itself has path "".

        Without ``deep``, these are the files directly in it and in its folder for the chapter,
        and in the folders `HAND_IN` there.
        """
        path = os.path.join(self.where, name)
        kind = os.lstat(path).st_mode
        if stat.S_ISLNK(kind) and not is_notebook(name):
            raise UnusableError("the folder is a link; links are not followed")
        if not stat.S_ISDIR(kind):
            return [("", path)]
        if stat.S_ISLNK(_kind(os.path.join(path, self._chapter))):
            raise UnusableError(f"its folder {self._chapter} is a link; links are not followed")
        return list(self._below(path, deep))

    def _below(self, folder: str, deep: bool) -> Iterator[tuple[str, str]]:
        waiting = deque([self._chapter, ""])
        if not deep:
            waiting.extend([os.path.join(self._chapter, HAND_IN), HAND_IN])
        for _ in range(_MOST_FOLDERS):
            if not waiting:
                return
            inner = waiting.popleft()
            if not stat.S_ISDIR(_kind(os.path.join(folder, inner))):
                continue
            folders, files = self._list(os.path.join(folder, inner))
            if deep and inner.count("/") < _DEEPEST:
                below = (os.path.join(inner, name) for name in folders)
                waiting.extend(path for path in below if path != self._chapter)
            for name in files:
                path = os.path.join(inner, name)
                yield path, os.path.join(folder, path)

    def _list(self, folder: str) -> tuple[list[str], list[str]]:
        """Return the names of the folders in a folder, and of everything else in it."""
        with os.scandir(folder) as entries:
            some = [entry for entry in islice(entries, _MOST_ENTRIES) if not is_litter(entry.name)]
        # What is called like a notebook is looked for, whatever it is.
        folders = {e.name for e in some if e.is_dir(follow_symlinks=False)}
        folders = {name for name in folders if not is_notebook(name)}
        files = {entry.name for entry in some} - folders
        notebook = f"{self._chapter}.ipynb"
        if _kind(os.path.join(folder, notebook)):  # even if there are too many other entries
            files.add(notebook)
        return sorted(folders), sorted(files)

    def read(self, path: str, most: int) -> bytes:
        """Return a file's bytes."""
        return read_file(path, most)

    def changed(self, path: str, zone: tzinfo | None) -> HandIn:
        """Return when a file was changed; the system counts in UTC."""
        return timestamps.of_change(os.stat(path).st_mtime)


def _kind(path: str) -> int:
    """Return the mode of what is at a path, links not followed; 0 for nothing."""
    try:
        return os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def read_file(path: str, most: int) -> bytes:
    """Return a regular file's bytes, at most ``most``; no link, pipe or device is opened."""
    kind = os.lstat(path).st_mode
    if stat.S_ISLNK(kind):
        raise UnusableError("the notebook is a link; links are not followed")
    if not stat.S_ISREG(kind):
        raise UnusableError("the notebook is not a regular file")
    # The file may have been replaced since then.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnusableError("the notebook is not a regular file")
        if status.st_size > most:
            size = f"{status.st_size / MIB:.0f} MiB"
            raise UnusableError(f"the notebook has {size}; at most {most / MIB:.0f} MiB are read")
        return file.read(most)
