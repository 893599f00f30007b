"""The results file of a run: a line of JSON for each submission, written at once, then sorted."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from coursekit.errors import CoursekitError
from coursekit.private_files import owner_only
from coursekit.results import Row, is_half_written, rows_of


class ResultsFile:
    """An open results file, locked against a second run.

    Use as a context manager. `add` writes a row through to the system; `finish` leaves one line for
    each assignment and student, ordered by both.

    Attributes
    ----------
    rows : dict of (str, str) to Row
        The newest row by assignment and student.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = _locked(path)
        self.rows: dict[tuple[str, str], Row] = {}
        try:
            self._file.seek(0)
            self._read(self._file.read())
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # a failed write has been reported
            self._file.close()

    def of(self, assignment: str) -> list[Row]:
        """Return an assignment's rows, ordered by student, without those of withdrawn work."""
        places = sorted(place for place in self.rows if place[0] == assignment)
        return [self.rows[place] for place in places if not self.rows[place].withdrawn]

    def add(self, row: Row) -> None:
        """Write one row, which then survives the end of this process."""
        with self._named_errors():
            self._file.write(_line(row))
            self._file.flush()
        self.rows[row.place] = row

    def finish(self) -> None:
        """Sort the file, atomically: a reader sees the old order or the new one."""
        sorted_file = self._path.with_name(self._path.name + ".part")
        with self._named_errors():
            with open(sorted_file, "wb", opener=owner_only) as file:
                file.writelines(_line(self.rows[place]) for place in sorted(self.rows))
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

    def _read(self, data: bytes) -> None:
        """Read the rows; cut off a line that a run left half written."""
        rest = data.rpartition(b"\n")[2]
        if rest and is_half_written(rest):
            data = data[: -len(rest)]
            self._file.truncate(len(data))
        try:
            self.rows = rows_of(data.decode(), self._path)
        except UnicodeDecodeError:
            raise CoursekitError(f"cannot read the results in {self._path}: not text") from None


def _line(row: Row) -> bytes:
    return json.dumps(row.as_json(), ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _locked(path: Path) -> BinaryIO:
    if not path.parent.is_dir():
        raise CoursekitError(f"{path}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise CoursekitError(f"{path}: not a file; expected a name for the results")
    file = open(path, "a+b", opener=owner_only)  # noqa: SIM115
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(file.fileno()), path.stat()):
            raise OSError  # the run before has ended since, and replaced the file
    except OSError:
        file.close()
        raise CoursekitError(f"{path}: another run is writing this file; wait for it") from None
    return file
