"""The results file: a JSON line a submission, written as it comes, in order at the end."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from coursekit.errors import CoursekitError

FIELDS = (
    "key", "student", "assignment", "status", "score", "max_score", "needs_manual", "isolation",
    "seconds", "reason", "checks",
)  # fmt: skip


def key_of(*parts: str | bytes) -> str:
    """Return the key of a grade: the same for the same student, work, grader and exercises."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:32]


class ResultsFile:
    """An open results file, locked against a second run. Rows stay in the file, not in memory.

    Use as a context manager. `add` writes a row through to the system, from any thread; `finish`
    leaves one row a student and assignment, ordered by both.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = _open(path)
        # The judges' threads write rows of what cannot be read, beside the one with the grades.
        self._writing = threading.Lock()
        #: key, (assignment, student) and place of each row, in the file's order.
        self._places: dict[tuple[str, str], tuple[str, int, int]] = {}
        self._lines = 0
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._file.close()

    def has(self, assignment: str, student: str, key: str) -> bool:
        """Whether the newest row of this student is of exactly this work."""
        return self._places.get((assignment, student), ("", 0, 0))[0] == key

    def knows(self, assignment: str, student: str) -> bool:
        """Whether this student has a row."""
        return (assignment, student) in self._places

    def add(self, row: dict[str, Any]) -> None:
        """Write one row; it survives the end of this process."""
        ordered = {field: row[field] for field in FIELDS}
        line = json.dumps(ordered, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        with self._writing:
            start = self._file.seek(0, os.SEEK_END)
            self._file.write(line)
            self._file.flush()
            self._lines += 1
            self._places[row["assignment"], row["student"]] = (row["key"], start, len(line))

    def rows(self, assignment: str) -> Iterator[dict[str, Any]]:
        """Yield the newest row of each student, ordered by student."""
        for (name, _), (_, start, size) in sorted(self._places.items()):
            if name == assignment:
                yield json.loads(self._at(start, size))

    def finish(self) -> None:
        """Put the file in order, at once: whoever reads it sees the old or the new."""
        ordered = sorted(self._places.items())
        starts = [start for _, (_, start, _) in ordered]
        if len(ordered) == self._lines and starts == sorted(starts):
            return
        beside = self._path.with_name(self._path.name + ".part")
        with beside.open("wb") as file:
            for _, (_, start, size) in ordered:
                file.write(self._at(start, size))
        os.replace(beside, self._path)

    def _at(self, start: int, size: int) -> bytes:
        self._file.seek(start)
        return self._file.read(size)

    def _read(self) -> None:
        """Note where each row is; cut off a line that a run left half written."""
        start = 0
        for line in _lines(self._file):
            if not line.endswith(b"\n") and _is_half_written(line):
                self._file.truncate(start)
                break
            row = _row(line, self._path, self._lines + 1)
            self._places[row["assignment"], row["student"]] = (row["key"], start, len(line))
            start += len(line)
            self._lines += 1


def _lines(file: BinaryIO) -> Iterable[bytes]:
    file.seek(0)
    return file


def _is_half_written(line: bytes) -> bool:
    """Whether a line without an end is what is left of a row, and not a file of another kind."""
    begin = b'{"key": "'
    if line.startswith(begin):
        try:
            return set(FIELDS) <= set(json.loads(line))
        except ValueError:
            return True
    return begin.startswith(line)


def _row(line: bytes, path: Path, number: int) -> dict[str, str]:
    try:
        row = json.loads(line)
        if not set(FIELDS) <= set(row) or not all(check["check"] for check in row["checks"]):
            raise ValueError(line)
        return {field: str(row[field]) for field in ("key", "assignment", "student")}
    except (ValueError, KeyError, TypeError):
        raise CoursekitError(
            f"{path}: line {number} is no result; name another file, or delete this one"
        ) from None


def _open(path: Path) -> BinaryIO:
    if not path.parent.is_dir():
        raise CoursekitError(f"{path}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise CoursekitError(f"{path}: is no file; expected a name for the results")
    file = path.open("a+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise CoursekitError(f"{path}: another run is writing this file; wait for it") from None
    return file
