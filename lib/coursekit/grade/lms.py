"""Whose the entries of a class's folder or archive are, by what the LMS wrote into their names.

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

The ids are those by which the LMS's own file of grades knows the students. Students choose how
their files are called, and an LMS writes its part in front of that: so the mark that counts is the
leftmost one. Persons' names do not hide it: Canvas takes ``_12_`` out of them, and Moodle all
underscores (see `lib/content_zipper.rb` and `mod/assign/classes/downloader.php` there). The one
case left, a name in Canvas that ends with ``_12``, gives an id that the LMS's list can refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from coursekit.errors import CoursekitError
from coursekit.grade.work import is_notebook, printable

LAYOUTS = ("canvas", "moodle", "nbgrader")
_SHAPES = {
    "canvas": "named as in a download from Canvas",
    "moodle": "named as in a download from Moodle",
    "nbgrader": "not",
}

_NUMBER = "[0-9]{1,20}"
# Canvas's codes for anonymous grading have five characters, of those that are not mistaken.
_CANVAS_ANONYMOUS = re.compile(
    rf"(?:LATE_)?(?P<student>anon_[1-9A-HJ-NP-Za-km-z]{{5}})_"
    rf"(?:(?P<order>{_NUMBER})_(?P<file>.+)|(?P<typed>(?:text|link)\.html))",
    re.DOTALL,
)
_CANVAS = re.compile(
    rf"(?P<person>.*?)(?:_LATE)?_(?P<student>{_NUMBER})_(?P<order>{_NUMBER})_(?P<file>.+)",
    re.DOTALL,
)
_CANVAS_TYPED = re.compile(
    rf"(?P<person>.*?)(?:_LATE)?_(?P<student>{_NUMBER})_(?P<file>(?:text|link)\.html)", re.DOTALL
)
_MOODLE = re.compile(
    rf"(?P<person>.*?)_(?P<student>{_NUMBER})_assignsubmission_[a-z0-9]+_(?P<file>.+)", re.DOTALL
)
# All of a folder's name is Moodle's: here the mark is what it ends with.
_MOODLE_FOLDER = re.compile(
    rf"(?P<person>.*)_(?P<student>{_NUMBER})_assignsubmission_[a-z0-9]+_?", re.DOTALL
)


class Entry(NamedTuple):
    """A file or folder directly in the class's; one with a separator in it points elsewhere."""

    name: str
    is_folder: bool


class Owner(NamedTuple):
    """Whose an entry is.

    Attributes
    ----------
    student : str
        The id.
    person : str
        What the LMS wrote of the person's name. Entries of one id have the same.
    file : str
        What the student called the file; empty for a folder, and where the id is all there is.
    order : int
        Canvas's number of the file; a later file has a larger one.
    """

    student: str
    person: str
    file: str = ""
    order: int = 0


def owner(entry: Entry, layout: str) -> Owner | None:
    """Return whose an entry is, None where its name is not one that the layout has."""
    if is_stray(entry):
        return None
    if layout == "canvas":
        return None if entry.is_folder else _canvas(entry.name)
    if layout == "moodle":
        return _moodle(entry)
    if not entry.is_folder and not is_notebook(entry.name):
        return None
    plain = entry.name if entry.is_folder else entry.name[: -len(".ipynb")]
    return Owner(printable(plain), entry.name)


def is_stray(entry: Entry) -> bool:
    """Whether an entry of an archive lies outside the class's folder."""
    return not entry.name or "/" in entry.name


def belongs(entry: Entry) -> bool:
    """Whether an entry must be somebody's, whatever it is called; others may be lists of grades."""
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
    # Work that is no notebook counts where there is nothing else.
    first = first or {layout: e for layout, e in others.items() if layout != "nbgrader"}
    if len(first) > 1:
        (one, a), (other, b) = sorted(first.items())[:2]
        raise CoursekitError(
            f"{where}: {printable(a.name)!r} is {_SHAPES[one]}, and {printable(b.name)!r} is "
            f"{_SHAPES[other]}; expected one layout: take out what does not belong there, or say "
            f"which it is: {', '.join(f'--layout {layout}' for layout in sorted(first))}"
        )
    return next(iter(first), "nbgrader")


def _canvas(name: str) -> Owner | None:
    if match := _CANVAS_ANONYMOUS.fullmatch(name):
        file = match["file"] or match["typed"]
        return Owner(match["student"], "", file, int(match["order"] or 0))
    if match := _CANVAS.fullmatch(name):
        return Owner(match["student"], match["person"], match["file"], int(match["order"]))
    if match := _CANVAS_TYPED.fullmatch(name):
        return Owner(match["student"], match["person"], match["file"])
    return None


def _moodle(entry: Entry) -> Owner | None:
    if entry.is_folder:
        match = _MOODLE_FOLDER.fullmatch(entry.name)
        return Owner(match["student"], match["person"]) if match else None
    match = _MOODLE.fullmatch(entry.name)
    return Owner(match["student"], match["person"], match["file"]) if match else None
