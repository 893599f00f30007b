"""The results file: one line of JSON per submission, written at once and sorted at the end."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from coursekit.errors import CoursekitError
from coursekit.private_files import make_private
from coursekit.row import ALWAYS, FIELDS, Row


def key_of(*parts: str | bytes) -> str:
    """Return the key of a grade: the same for the same student, work, grader and exercises."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:32]


#: What a row says of its time of submission, and an old row may lack.
HAND_IN: dict[str, Any] = {
    "timestamp": None,
    "time_source": "",
    "time_doubt": "",
    "marked_late": False,
}


@dataclass(frozen=True)
class Stored:
    """What the batch needs to know of a student's newest row.

    ``hand_in`` has what `HAND_IN` names.
    """

    key: str
    status: str
    isolation: str
    withdrawn: bool
    hand_in: dict[str, Any]


class ResultsFile:
    """An open results file, locked against a second run. Rows are not kept in memory.

    Use as a context manager. `add` writes a row through to the system, from any thread; `finish`
    leaves one row per student and assignment, ordered by both.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = _open(path)
        # The workers' threads write rows of what cannot be read, beside the one with the grades.
        self._writing = threading.Lock()
        self._places = _Places()
        self._lines = 0
        try:
            self._read()
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._close()

    def _close(self) -> None:
        with suppress(OSError):  # a failed write has been reported
            self._file.close()
        self._places.close()

    def stored(self, assignment: str, student: str) -> Stored | None:
        """Return the facts of a student's newest row; None where there is none."""
        return self._places.stored(assignment, student)

    def students(self, assignment: str) -> Iterator[str]:
        """Yield the students who have a row, in order; rows may be added meanwhile."""
        return self._places.students(assignment)

    def secrets(self, assignment: str) -> set[str]:
        """Return the fingerprints of the secrets that an assignment's rows were graded with."""
        return self._places.secrets(assignment)

    def mark_withdrawn(self, assignment: str, student: str, withdrawn: bool) -> None:
        """Record that a student's work is no longer among the submissions, or is again."""
        self.change(assignment, student, withdrawn=withdrawn)

    def change(self, assignment: str, student: str, **fields: Any) -> None:
        """Write a student's newest row again with other values in some fields."""
        self.add({**self._json(assignment, student), **fields})

    def add(self, row: dict[str, Any]) -> None:
        """Write one row, which then survives the end of this process."""
        ordered = {field: row[field] for field in FIELDS if field in row or field in ALWAYS}
        line = json.dumps(ordered, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        with self._writing, self._named_errors():
            start = self._file.seek(0, os.SEEK_END)
            self._file.write(line)
            self._file.flush()
            self._lines += 1
            self._places.put(row, start, len(line))

    def rows(self, assignment: str) -> Iterator[Row]:
        """Yield the newest row of each student, ordered by student; withdrawn ones are left out."""
        for start, size in self._places.of(assignment):
            row = Row.from_json(json.loads(self._at(start, size)))
            if not row.withdrawn:
                yield row

    def row(self, assignment: str, student: str) -> Row | None:
        """Return a student's newest row, withdrawn or not; None where there is none."""
        if self.stored(assignment, student) is None:
            return None
        return Row.from_json(self._json(assignment, student))

    def _json(self, assignment: str, student: str) -> dict[str, Any]:
        return dict(json.loads(self._at(*self._places.place(assignment, student))))

    def finish(self) -> None:
        """Sort the file, atomically: a reader sees the old order or the new one."""
        if self._places.in_order(self._lines):
            return
        sorted_file = self._path.with_name(self._path.name + ".part")
        make_private(sorted_file)
        with self._named_errors(), sorted_file.open("wb") as file:
            for start, size in self._places.all():
                file.write(self._at(start, size))
        os.replace(sorted_file, self._path)

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise CoursekitError(
                f"{self._path}: cannot be written ({error.strerror or error}); its rows so far are "
                "safe. Mend that, and run the same command again"
            ) from None

    def _at(self, start: int, size: int) -> bytes:
        # Workers' threads read while rows are written: no position that they would have to share.
        return os.pread(self._file.fileno(), size, start)

    def _read(self) -> None:
        """Record where each row is; cut off a line that a run left half written."""
        start = 0
        for line in _lines(self._file):
            if not line.endswith(b"\n") and _is_half_written(line):
                self._file.truncate(start)
                break
            row = _row(line, self._path, self._lines + 1)
            self._places.put(row, start, len(line))
            start += len(line)
            self._lines += 1


class _Places:
    """Key and place of each student's newest row, in a temporary SQLite database.

    A class of any size fits: beyond some pages, SQLite uses a temporary file.
    """

    def __init__(self) -> None:
        # Threads write one at a time, under the results file's lock.
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self.close = self._database.close
        self._execute = self._database.execute
        for setting in ("journal_mode = off", "synchronous = off"):
            self._execute(f"PRAGMA {setting}")  # never recovered: it ends with this process
        self._execute(
            "CREATE TABLE places (assignment TEXT, student TEXT, key TEXT, status TEXT, "
            "isolation TEXT, secret TEXT, withdrawn INTEGER, hand_in TEXT, "
            "start INTEGER, size INTEGER, "
            "PRIMARY KEY (assignment, student)) WITHOUT ROWID"
        )

    def put(self, row: Mapping[str, Any], start: int, size: int) -> None:
        """Store where a student's newest row is."""
        fields = ("assignment", "student", "key", "status", "isolation", "secret_fingerprint")
        hand_in = json.dumps([row.get(name, default) for name, default in HAND_IN.items()])
        values = (*(row[field] for field in fields), row["withdrawn"], hand_in, start, size)
        self._execute("INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)

    def stored(self, assignment: str, student: str) -> Stored | None:
        """Return the facts of a student's newest row; None where there is none."""
        where = "FROM places WHERE assignment = ? AND student = ?"
        fields = f"SELECT key, status, isolation, withdrawn, hand_in {where}"
        row = self._execute(fields, (assignment, student)).fetchone()
        if row is None:
            return None
        hand_in = dict(zip(HAND_IN, json.loads(row[4]), strict=True))
        return Stored(row[0], row[1], row[2], bool(row[3]), hand_in)

    def secrets(self, assignment: str) -> set[str]:
        """Return the fingerprints of secrets in an assignment's rows, withdrawn ones left out."""
        where = "FROM places WHERE assignment = ? AND NOT withdrawn"
        return {text for (text,) in self._execute(f"SELECT DISTINCT secret {where}", (assignment,))}

    def place(self, assignment: str, student: str) -> tuple[int, int]:
        """Return (start, size) of a student's newest row."""
        where = "SELECT start, size FROM places WHERE assignment = ? AND student = ?"
        start, size = self._execute(where, (assignment, student)).fetchone()
        return start, size

    def students(self, assignment: str) -> Iterator[str]:
        """Yield the students who have a row, in order; rows may be added meanwhile."""
        where = "FROM places WHERE assignment = ? AND student > ? ORDER BY student LIMIT 100"
        last = ""
        while page := self._execute(f"SELECT student {where}", (assignment, last)).fetchall():
            for (last,) in page:
                yield last

    def of(self, assignment: str) -> Iterator[tuple[int, int]]:
        """Yield (start, size) of an assignment's rows, ordered by student."""
        where = "SELECT start, size FROM places WHERE assignment = ? ORDER BY student"
        yield from self._execute(where, (assignment,))

    def all(self) -> Iterator[tuple[int, int]]:
        """Yield (start, size) of all rows, ordered by assignment and student."""
        yield from self._execute("SELECT start, size FROM places ORDER BY assignment, student")

    def in_order(self, lines: int) -> bool:
        """Whether the file has each row once, and in order."""
        (count,) = self._execute("SELECT count(*) FROM places").fetchone()
        return count == lines and all(one < other for (one, _), (other, _) in pairwise(self.all()))


def _lines(file: BinaryIO) -> Iterable[bytes]:
    file.seek(0)
    return file


def _is_half_written(line: bytes) -> bool:
    """Whether a line without an end is the rest of a row, and not of a file of another kind."""
    begin = b'{"key": "'
    if line.startswith(begin):
        try:
            return set(json.loads(line)) >= ALWAYS
        except ValueError:
            return True
    return begin.startswith(line)


def _row(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
        if not set(row) >= ALWAYS or not all(check["check"] for check in row["checks"]):
            raise ValueError(line)
        fields = ("key", "assignment", "student", "status", "isolation", "secret_fingerprint")
        texts = {field: str(row[field]) for field in fields}
        "".join(texts.values()).encode()  # raises for half a surrogate pair
        hand_in = {name: row[name] for name in HAND_IN if name in row}
        return {**texts, **hand_in, "withdrawn": row["withdrawn"] is True}
    except (ValueError, KeyError, TypeError):
        raise CoursekitError(
            f"{path}: line {number} is not a result of `coursekit grade`; delete it, and its "
            "submission is graded again, or name another file"
        ) from None


def _open(path: Path) -> BinaryIO:
    if not path.parent.is_dir():
        raise CoursekitError(f"{path}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise CoursekitError(f"{path}: not a file; expected a name for the results")
    make_private(path)
    file = path.open("a+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise CoursekitError(f"{path}: another run is writing this file; wait for it") from None
    return file
