"""The LMSs: what each calls its files, ids and columns; one table, for what comes in and goes out.

Students choose their files' names, and an LMS writes its part in front of them: the leftmost mark
counts. Persons' names cannot pose as one: Canvas removes ``_12_`` from them, and Moodle all
underscores. One case remains: a name in Canvas that ends with ``_12`` gives a wrong id, which a
check against the LMS's list finds.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from coursekit.errors import CoursekitError

_LONGEST_ID = 200
#: Longer numbers are forged, and order nothing.
_LONGEST_NUMBER = 20


@dataclass(frozen=True)
class Lms:
    """What one LMS writes. Headings are in English, German and French.

    Attributes
    ----------
    files, folders : tuple of str
        Patterns of the names in a download of a class. Groups: the ``student``'s id, the
        ``person``, the student's name for the ``file``, the ``order`` of files, ``late``, ``time``.
    time_format : str
        Of the group ``time``; by the clock of the LMS.
    id_columns : tuple of str
        The columns of its list that have the ids of its file names.
    ids : tuple of str
        All columns that may hold a student's id, best first.
    grade, max_points, times : tuple of str
        Other columns. Without ``grade`` it is the one named for the assignment; in Canvas a line
        of its own begins with ``max_points``.
    """

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    time_format: str = ""
    id_columns: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    grade: tuple[str, ...] = ()
    max_points: tuple[str, ...] = ()
    times: tuple[str, ...] = ()


_CANVAS = "(?P<person>.*?)(?P<late>_LATE)?_(?P<student>[0-9]+)_"
# Canvas's codes for anonymous grading have five characters, none that looks like another.
_ANONYMOUS = "(?P<late>LATE_)?(?P<student>anon_[1-9A-HJ-NP-Za-km-z]{5})_"
_TYPED = r"(?P<file>(?:text|link)\.html)"
# A date in another language is no time that is known, and the id is one all the same.
_BRIGHTSPACE = "(?P<student>[0-9]+)-[0-9]+ - (?P<person>.+?) ?- (?P<time>[^-]*[0-9]{4}[^-]*?)"
_BLACKBOARD = "(?P<person>.+?)_(?P<student>[^_]+)_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})"

LMS = {
    "canvas": Lms(
        files=(
            _ANONYMOUS + "(?P<order>[0-9]+)_(?P<file>.+)",
            _ANONYMOUS + _TYPED,
            _CANVAS + "(?P<order>[0-9]+)_(?P<file>.+)",
            _CANVAS + _TYPED,
        ),
        id_columns=("ID",),
        ids=("SIS Login ID", "SIS User ID", "ID"),
        max_points=("Points Possible",),
    ),
    "moodle": Lms(
        files=("(?P<person>.*?)_(?P<student>[0-9]+)_assignsubmission_[a-z0-9]+_(?P<file>.+)",),
        # All of a folder's name is Moodle's: here the mark is at its end.
        folders=("(?P<person>.*)_(?P<student>[0-9]+)_assignsubmission_[a-z0-9]+_?",),
        id_columns=("Identifier", "ID", "Identifiant"),
        ids=(
            *("Username", "Anmeldename", "Nom d'utilisateur"),
            *("Email address", "E-Mail-Adresse", "Adresse de courriel"),
            *("ID number", "ID-Nummer", "Numéro d'identification"),
            *("Identifier", "ID", "Identifiant"),
        ),
        grade=("Grade", "Bewertung", "Note"),
        max_points=("Maximum Grade", "Bestwertung", "Maximale Bewertung", "Note maximale"),
        times=(
            *("Last modified (submission)", "Zuletzt geändert (Abgabe)"),
            "Dernière modification (travail remis)",
        ),
    ),
    # What submission_metadata.yml says of a folder is read by `coursekit.grade.intake`.
    "gradescope": Lms(folders=("(?P<student>submission_[0-9]+)",), ids=("SID", "Email")),
    "brightspace": Lms(
        files=(_BRIGHTSPACE + " - (?P<file>.+)",),
        folders=(_BRIGHTSPACE,),
        time_format="%b %d, %Y %I%M %p",
        ids=("OrgDefinedId", "Username"),
    ),
    "blackboard": Lms(
        files=(_BLACKBOARD + "_(?P<file>.+)", _BLACKBOARD + r"(?P<file>\.txt)"),
        time_format="%Y-%m-%d-%H-%M-%S",
        ids=("Username", "Student ID"),
    ),
    "nbgrader": Lms(
        # A student's own file may be called otherwise, and be a notebook.
        files=(r"(?P<person>(?P<student>.+?)(?:\.ipynb(?:\.[a-z]+)?|\.(?:txt|json|zip))?)",),
        folders=("(?P<person>(?P<student>.+))",),
    ),
}
#: The columns of each LMS's list by which one knows it.
_LISTS = {name: (*lms.id_columns, *lms.ids, *lms.times) for name, lms in LMS.items()}
_ANY = tuple(dict.fromkeys(column for lms in LMS.values() for column in lms.ids))
LMS |= {
    name: replace(LMS[name], ids=(*LMS[name].ids, *_ANY)) for name in ("nbgrader", "gradescope")
}
LAYOUTS = tuple(LMS)
_PATTERNS = {
    (name, is_folder): [re.compile(pattern, re.DOTALL | re.IGNORECASE * (name == "nbgrader"))
                        for pattern in (lms.folders if is_folder else lms.files)]
    for name, lms in LMS.items()
    for is_folder in (False, True)
}  # fmt: skip


class Owner(NamedTuple):
    """The student whose a file or folder of a class is.

    Attributes
    ----------
    student : str
        The id.
    person : str
        What the LMS writes before it; the same in all files of one id.
    file : str
        The student's name for the file; empty for a folder.
    order : int
        A later file has a larger one.
    is_late : bool
        Whether the LMS marked it as late.
    time : datetime, optional
        The time in its name, by the clock of the LMS.
    mark : int
        Where in the name the id is.
    """

    student: str
    person: str
    file: str
    order: int
    is_late: bool
    time: datetime | None
    mark: int


def owner(name: str, is_folder: bool, layout: str) -> Owner | None:
    """Return whose a file or folder of a class is; None where its name does not have the layout."""
    for pattern in _PATTERNS[layout, is_folder]:
        if name and "/" not in name and (match := pattern.fullmatch(name)):
            found = match.groupdict()
            time = None
            with suppress(ValueError, KeyError):
                time = datetime.strptime(found["time"], LMS[layout].time_format)
            order = found.get("order") or (time.strftime("%Y%m%d%H%M%S") if time else "0")
            return Owner(
                identifier(found["student"]),
                found.get("person") or "",
                found.get("file") or ("" if is_folder else name),
                int(order) if len(order) <= _LONGEST_NUMBER else 0,
                bool(found.get("late")),
                time,
                match.start("student"),
            )
    return None


def layout_of(name: str, is_folder: bool) -> str:
    """Return the layout that a name belongs to, by the leftmost mark in it."""
    others = ((owner(name, is_folder, layout), layout) for layout in LMS if layout != "nbgrader")
    return min(
        ((whose.mark, layout) for whose, layout in others if whose), default=(0, "nbgrader")
    )[1]


# --- ids ----------------------------------------------------------------------------------------


def printable(name: str) -> str:
    """Return a student's id without separators and invisible characters, as files can hold it.

    A longer one than any real id ends with a digest: two that begin alike stay two.
    """
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() and c not in "/\\" else f"%{ord(c):02x}" for c in text)
    id = shown.strip() or "%"
    if len(id) > _LONGEST_ID:
        id = f"{id[: _LONGEST_ID - 17]}~{hashlib.sha256(id.encode()).hexdigest()[:16]}"
    return id


def identifier(name: str) -> str:
    """Return the one form in which a student's id is compared and stored, wherever it comes from.

    A Mac's file system and an LMS may spell one name with other characters: *ë* is one or two.
    """
    return printable(unicodedata.normalize("NFC", name))


def names_in(cell: str) -> list[str]:
    """Return the ids that a cell may hold; Moodle's is "Participant 12", in any language."""
    whole = cell.strip()
    name = re.sub(r"\A(?:\D+\s|Participant|Teilnehmer/in)(?=[0-9]+\Z)", "", whole)
    ids = map(identifier, (name, whole))
    return [spelt for id in ids for spelt in (id, id.casefold())] if name else []


# --- lists --------------------------------------------------------------------------------------


#: What Excel makes of an id.
_ROUNDED = re.compile(r"[0-9]+(?:[.,][0-9]+)?E\+[0-9]+|[0-9]+[.,]0+")


@dataclass
class Table:
    """A list that an LMS exported, and how it was written: for it, or for Excel, to read again."""

    path: Path
    header: list[str]
    rows: list[list[str]]
    separator: str
    newline: str
    mark: str

    def places(self, columns: Sequence[str]) -> dict[str, int]:
        """Return where the columns are that the list has."""
        header = [" ".join(cell.split()) for cell in self.header]  # with no-break spaces
        return {column: header.index(column) for column in columns if column in header}

    def text(self) -> str:
        """Return the list as it was written."""
        out = io.StringIO()
        lines = csv.writer(out, delimiter=self.separator, lineterminator=self.newline)
        lines.writerows([self.header, *self.rows])
        return self.mark + out.getvalue()


def read_list(exported: Path, layout: str, ids: Sequence[str]) -> Table:
    """Return the list that an LMS has of a class, or raise `CoursekitError`.

    A list is that of the LMS of whose columns it has most. Folders named by students, and
    Gradescope's, may be compared with any. It must have one of the columns ``ids``.
    """
    table = read_table(exported)
    seen = {name: [*table.places(columns)] for name, columns in _LISTS.items()}
    first, second = sorted(seen, key=lambda name: len(seen[name]), reverse=True)[:2]
    is_known = len(seen[first]) > len(seen[second])
    if is_known and first != layout and not set(LMS[first].ids) <= set(LMS[layout].ids):
        raise CoursekitError(
            f"{exported} is a list from {first.capitalize()}, by its columns "
            f"{', '.join(seen[first])}; expected one from {layout.capitalize()}"
        )
    places = table.places(ids)
    if not places:
        raise CoursekitError(
            f"{exported} has none of the columns {', '.join(ids)}; expected the list that "
            f"{layout.capitalize()} exports of a class, with English, German or French headings: "
            "choose one of these languages there, and export it again"
        )
    cells = (row[at] for row in table.rows for at in places.values())
    if changed := next(filter(_ROUNDED.fullmatch, cells), None):
        raise CoursekitError(
            f"{exported}: Excel has made a number of an id, {changed}; export the list again, and "
            "do not save it there"
        )
    return table


def read_table(exported: Path) -> Table:
    """Return a table, which somebody may have saved with Excel.

    Raises
    ------
    CoursekitError
        It cannot be read; the text says what to do.
    """
    csv.field_size_limit(1 << 26)  # feedback comments are long
    try:
        data = exported.read_bytes()
    except OSError as error:
        raise CoursekitError(f"cannot read {exported}: {error.strerror}") from None
    if data[:4] in (b"PK\3\4", b"\xd0\xcf\x11\xe0"):
        raise CoursekitError(
            f"cannot read {exported}: it is an Excel workbook; save it as *CSV UTF-8* there, or "
            "export it from the LMS again"
        )
    text, separator = _decoded(data), None
    if said := re.match("sep=(.)\r?\n", text):  # for Excel
        text, separator = text[said.end() :], said[1]
    first = text.lstrip("\r\n").split("\n", 1)[0]
    separator = separator or max(",;\t", key=first.count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        table = [row for row in lines if row]
    except csv.Error as error:
        raise CoursekitError(f"cannot read {exported}: {error}") from None
    if not table:
        raise CoursekitError(f"{exported} is empty")
    newline, mark = (
        ("\r\n" if "\r\n" in text else "\n"),
        "\ufeff" * data.startswith(b"\xef\xbb\xbf"),
    )
    header, *rows = table
    even = [_even(row, len(header), f"{exported}: line {n}") for n, row in enumerate(rows, 2)]
    return Table(exported, header, even, separator, newline, mark)


def _even(row: list[str], width: int, where: str) -> list[str]:
    """Return a line with as many cells as the header."""
    if any(cell.strip() for cell in row[width:]):
        raise CoursekitError(f"{where} has {len(row)} cells; expected {width}")
    return row[:width] + [""] * (width - len(row))


def _decoded(data: bytes) -> str:
    """Return the text of a list: UTF-8, UTF-16, or what Excel saves on Windows."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
