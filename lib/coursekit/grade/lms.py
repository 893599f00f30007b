"""Find out whose an entry of a class's folder or archive is, by what the LMS wrote into its name.

========  ================================================================  ==============
layout    entry                                                             student
========  ================================================================  ==============
canvas    ``name_USER_ATTACHMENT_file.ipynb``, also ``name_LATE_USER_…``    USER
          ``name_USER_text.html``, ``name_USER_link.html``                  USER
          ``anon_CODE_ATTACHMENT_file.ipynb``, also ``LATE_anon_CODE_…``    anon_CODE
moodle    ``Full Name_PARTICIPANT_assignsubmission_file/…``                 PARTICIPANT
          ``Full Name_PARTICIPANT_assignsubmission_file_name.ipynb``        PARTICIPANT
nbgrader  ``STUDENT/CHAPTER/…``, ``STUDENT/…``, ``STUDENT.ipynb``           STUDENT
========  ================================================================  ==============

The ids are those in the LMS's own file of grades. Students choose their files' names, and an LMS
writes its part in front of them: so the leftmost mark counts. Persons' names cannot pose as one:
Canvas removes ``_12_`` from them, and Moodle all underscores (see `lib/content_zipper.rb` and
`mod/assign/classes/downloader.php` there). One case remains: a name in Canvas that ends with
``_12`` gives a wrong id, which a check against the LMS's list finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from coursekit.errors import CoursekitError
from coursekit.grade.work import is_notebook
from coursekit.identifiers import identifier, printable

LAYOUTS = ("canvas", "moodle", "nbgrader")
_SHAPES = {
    "canvas": "named as in a download from Canvas",
    "moodle": "named as in a download from Moodle",
    "nbgrader": "not",
}

_NUMBER = "[0-9]+"
#: Longer numbers are forged, and order nothing.
_LONGEST_NUMBER = 20
# Canvas's codes for anonymous grading have five characters, none that looks like another.
_CANVAS_ANONYMOUS = re.compile(
    rf"(?P<late>LATE_)?(?P<student>anon_[1-9A-HJ-NP-Za-km-z]{{5}})_"
    rf"(?:(?P<order>{_NUMBER})_(?P<file>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
_CANVAS = re.compile(
    rf"(?P<person>.*?)(?P<late>_LATE)?_(?P<student>{_NUMBER})_(?P<order>{_NUMBER})_(?P<file>.+)",
    re.DOTALL,
)
_CANVAS_TYPED = re.compile(
    rf"(?P<person>.*?)(?P<late>_LATE)?_(?P<student>{_NUMBER})_(?P<file>(?:text|link)\.html)",
    re.DOTALL,
)
_MOODLE = re.compile(
    rf"(?P<person>.*?)_(?P<student>{_NUMBER})_assignsubmission_[a-z0-9]+_(?P<file>.+)", re.DOTALL
)
# All of a folder's name is Moodle's: here the mark is at its end.
_MOODLE_FOLDER = re.compile(
    rf"(?P<person>.*)_(?P<student>{_NUMBER})_assignsubmission_[a-z0-9]+_?", re.DOTALL
)


class Entry(NamedTuple):
    """A file or folder directly in the class's; a name with a separator points elsewhere."""

    name: str
    is_folder: bool


class Owner(NamedTuple):
    """The student whose entry it is.

    Attributes
    ----------
    student : str
        The id.
    person : str
        The person's name as the LMS writes it; the same in all entries of one id.
    file : str
        The student's name for the file; empty for a folder, and where there is only the id.
    order : int
        Canvas's number of the file; a later file has a larger one.
    is_late : bool
        Whether Canvas marked the submission as late.
    """

    student: str
    person: str
    file: str = ""
    order: int = 0
    is_late: bool = False


def owner(entry: Entry, layout: str) -> Owner | None:
    """Return whose an entry is, None where its name does not have the layout."""
    if is_stray(entry):
        return None
    if layout == "canvas":
        return None if entry.is_folder else _canvas(entry.name)
    if layout == "moodle":
        return _moodle(entry)
    if not entry.is_folder and not is_notebook(entry.name):
        return None
    student = entry.name if entry.is_folder else entry.name[: -len(".ipynb")]
    return Owner(identifier(student), entry.name)


def is_stray(entry: Entry) -> bool:
    """Whether an entry of an archive lies outside the class's folder."""
    return not entry.name or "/" in entry.name


def belongs(entry: Entry) -> bool:
    """Whether an entry must be somebody's, whatever its name; others may be lists of grades."""
    return entry.is_folder or is_stray(entry) or is_notebook(entry.name)


def layout_by_name(entry: Entry) -> str:
    """Return the layout that an entry's name belongs to, by the leftmost mark in it."""
    canvas, moodle = owner(entry, "canvas"), owner(entry, "moodle")
    if canvas and moodle:
        return "canvas" if len(canvas.person) < len(moodle.person) else "moodle"
    return "canvas" if canvas else "moodle" if moodle else "nbgrader"


def decide_layout(where: object, entries: Iterable[Entry]) -> str:
    """Return the layout that all entries have.

    Raises
    ------
    CoursekitError
        Two entries have different ones.
    """
    first: dict[str, Entry] = {}
    others: dict[str, Entry] = {}
    for entry in entries:
        if not is_stray(entry):
            (first if belongs(entry) else others).setdefault(layout_by_name(entry), entry)
    # Files that are not notebooks decide only where there is nothing else.
    first = first or {layout: e for layout, e in others.items() if layout != "nbgrader"}
    if len(first) > 1:
        (one, a), (other, b) = sorted(first.items())[:2]
        raise CoursekitError(
            f"{where}: {printable(a.name)!r} is {_SHAPES[one]}, and {printable(b.name)!r} is "
            f"{_SHAPES[other]}; expected one layout: take out what does not belong there, or add "
            f"{' or '.join(f'--layout {layout}' for layout in sorted(first))}"
        )
    return next(iter(first), "nbgrader")


def _canvas(name: str) -> Owner | None:
    if match := _CANVAS_ANONYMOUS.fullmatch(name):
        file, order, is_late = match["file"] or match["typed"], match["order"], bool(match["late"])
        return Owner(match["student"], "", file, _order(order), is_late)
    for pattern in (_CANVAS, _CANVAS_TYPED):
        if match := pattern.fullmatch(name):
            fields = match.groupdict()
            order, is_late = _order(fields.get("order")), bool(match["late"])
            student = printable(match["student"])
            return Owner(student, match["person"], match["file"], order, is_late)
    return None


def _order(number: str | None) -> int:
    return int(number) if number and len(number) <= _LONGEST_NUMBER else 0


def _moodle(entry: Entry) -> Owner | None:
    if entry.is_folder:
        match = _MOODLE_FOLDER.fullmatch(entry.name)
        return Owner(printable(match["student"]), match["person"]) if match else None
    match = _MOODLE.fullmatch(entry.name)
    return Owner(printable(match["student"]), match["person"], match["file"]) if match else None
