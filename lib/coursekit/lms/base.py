"""Describe what an LMS writes into names of files and into the tables that it exports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from coursekit.identifiers import identifier

#: Longer numbers are forged, and order nothing.
_LONGEST_NUMBER = 20


class Entry(NamedTuple):
    """A file or folder directly in the class's; a name with a separator points elsewhere."""

    name: str
    is_folder: bool

    @property
    def is_stray(self) -> bool:
        """Whether it lies outside the class's folder."""
        return not self.name or "/" in self.name


class Owner(NamedTuple):
    """The student whose entry it is.

    Attributes
    ----------
    student : str
        The id.
    person : str
        What the LMS writes beside the id; the same in all entries of one id.
    mark : int
        Where in the name the LMS's mark begins. Students' part comes after it.
    file : str
        The student's name for the file; empty for a folder, and where there is only the id.
    order : int
        A later file has a larger one.
    time : datetime, optional
        When it was handed in, by the LMS's clock, where the name says so.
    is_late : bool
        Whether the LMS marked the submission as late.
    """

    student: str
    person: str
    mark: int
    file: str = ""
    order: int = 0
    time: datetime | None = None
    is_late: bool = False


class Sample(NamedTuple):
    """How a made-up class looks there, as format strings.

    They have ``first``, ``last``, ``login``, ``number`` and ``time`` of a learner, ``assignment``,
    ``file``, and ``most`` for the points to earn.

    Attributes
    ----------
    member : str
        The name of a learner's file in the archive.
    header, line : str
        The exported table's first lines, and a learner's.
    """

    member: str
    header: str
    line: str


@dataclass(frozen=True, kw_only=True)
class Lms:
    """One LMS: all that coursekit knows of it.

    Attributes
    ----------
    name, title : str
        In options; in sentences.
    files, folders : tuple of str
        Patterns of the names of entries. The group ``student`` is the id; ``person``, ``file``,
        ``typed`` (a file that the LMS made), ``order``, ``late``, ``time`` and ``minute`` (which
        follows ``time``) may be there as well.
    name_ids : tuple of str
        Columns of its table that have the ids of these names. ``A + B`` stands for two columns
        whose cells are joined by a space.
    ids : tuple of str
        Columns that may hold a student's id, best first.
    id_prefixes : tuple of str
        What stands before an id in a cell.
    grade : str
        A pattern of the grade's column, with ``{assignment}``. Its group ``most``, where there is
        one, is the points to earn.
    adds_grade : bool
        Whether a column for the grade may be added where it is missing.
    grade_hint : str
        What to export, where that column is missing and may not be added.
    max_points : str
        Where else the points to earn are: the column of this name, or the line that this begins.
    comments : str
        The column for a person's comments, in HTML; "" for none.
    time_column : str
        The column with times of submission, by the clock of who exported it; "" for none.
    time_formats : tuple of str
        How times are written there and in names.
    sample : Sample
        How a made-up class looks.
    """

    name: str
    title: str
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    name_ids: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    id_prefixes: tuple[str, ...] = ()
    grade: str = ""
    adds_grade: bool = False
    grade_hint: str = ""
    max_points: str = ""
    comments: str = ""
    time_column: str = ""
    time_formats: tuple[str, ...] = ()
    sample: Sample

    def owner(self, entry: Entry) -> Owner | None:
        """Return whose an entry is; None where its name is not one that the LMS gives."""
        if entry.is_stray:
            return None
        for pattern in self.folders if entry.is_folder else self.files:
            if match := re.fullmatch(pattern, entry.name, re.DOTALL):
                return self._owner(match)
        return None

    def _owner(self, match: re.Match[str]) -> Owner:
        found = {group: text or "" for group, text in match.groupdict().items()}
        number = found.get("order", "")
        order = int(number) if number and len(number) <= _LONGEST_NUMBER else 0
        time = self.read_time(":".join(filter(None, map(found.get, ("time", "minute")))))
        return Owner(
            identifier(found["student"]),
            found.get("person", ""),
            match.start("student"),
            found.get("file") or found.get("typed", ""),
            int(f"{time:%Y%m%d%H%M%S}") if time else order,
            time,
            bool(found.get("late")),
        )

    def read_time(self, text: str) -> datetime | None:
        """Return a time that the LMS wrote, without a time zone; None where it cannot be read."""
        for format in self.time_formats:
            try:
                return datetime.strptime(text, format)
            except ValueError:
                continue
        return None

    def names_in(self, cell: str) -> list[str]:
        """Return the ids that a cell may hold: as it is written, and in lower case."""
        name = cell.strip()
        for prefix in self.id_prefixes:
            name = name.removeprefix(prefix)
        return [identifier(name), identifier(name).casefold()] if name else []

    def id_cells(
        self, column: str, header: Sequence[str], rows: Sequence[Sequence[str]]
    ) -> list[str] | None:
        """Return each row's cell of a column of ids; None where the table lacks it."""
        parts = column.split(" + ")
        if not set(parts) <= set(header):
            return None
        places = [header.index(part) for part in parts]
        return [" ".join(row[at].strip() for at in places if at < len(row)) for row in rows]
