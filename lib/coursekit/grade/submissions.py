"""The class's submissions: every folder and every notebook in a folder or archive is one.

A fault in one student's files leads to that student's row. A fault in the whole, or of this
machine, ends the run with one line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from coursekit.errors import CoursekitError
from coursekit.grade import timestamps
from coursekit.grade.archive import Archive
from coursekit.grade.folder import Folder
from coursekit.grade.notebook_file import UnreadableError, read_notebook
from coursekit.grade.owners import by_student, decide_layout
from coursekit.grade.roster import Roster
from coursekit.grade.submission_file import (
    File,
    NoNotebookError,
    Submission,
    UnusableError,
    Work,
    choose_by_place,
    choose_newest,
)
from coursekit.grade.timestamps import HandIn
from coursekit.lms import LAYOUTS, NBGRADER, Entry, Lms

#: The name of a student's entry, or the names of several.
Place: TypeAlias = str | tuple[str, ...]


class Source(Protocol):
    """A class's folder or archive."""

    where: Path

    def entries(self) -> Iterable[Entry]:
        """Return what lies directly in it."""

    def files(self, name: str, deep: bool = False) -> Sequence[tuple[str, Any]]:
        """Return an entry's files: path and handle. An entry that is a file has path ""."""

    def read(self, handle: Any, most: int) -> bytes:
        """Return a file's bytes."""

    def changed(self, handle: Any, zone: tzinfo | None) -> HandIn:
        """Return when a file was changed; ``zone`` is of clocks whose times come without one."""


def find_submissions(
    where: Path,
    chapter: str,
    most_bytes: int,
    layout: str | None = None,
    lms_file: Path | None = None,
    zone: tzinfo | None = None,
) -> Sequence[Submission]:
    """Return the submissions in a folder or an LMS's zip, ordered by student.

    Parameters
    ----------
    where, chapter : Path, str
        The folder or zip; the assignment's name.
    most_bytes : int
        Larger notebooks are not read.
    layout : str or None
        One of `coursekit.lms.LAYOUTS`; None: the one that all names have.
    lms_file : Path or None
        The LMS's list, which must contain every student.
    zone : tzinfo or None
        Of the clocks whose times come without one; None: this machine's.

    Raises
    ------
    CoursekitError
        There is no such folder, or nothing in it, or it is not clear whose something is.
    """
    source = _source(where, chapter, layout)
    with _readable(where):
        entries = list(source.entries())
    decided = LAYOUTS[layout] if layout else decide_layout(where, entries)
    if decided is NBGRADER:
        _refuse_own_folder(source, entries, chapter)
    owned = by_student(where, entries, decided)
    if not owned:
        raise CoursekitError(
            f"{where}: no submissions; expected {where / 'STUDENT' / chapter / chapter}.ipynb"
        )
    times = _checked_times(lms_file, decided, owned, zone) if lms_file else {}
    reader = _Reader(source, decided, chapter, most_bytes, times, zone)
    del entries  # and each student's go as the list grows: a class may be large
    return [reader.submission(student, owned.pop(student)) for student in sorted(owned)]


def refuse_another_chapter(
    where: Path, chapter: str, exercises: Collection[str], submissions: Iterable[Submission]
) -> None:
    """Refuse a class without a single notebook of the chapter, but with some of another.

    Each student would get a row without points. The search ends at the first notebook of the
    chapter, which is mostly the first of all.

    Raises
    ------
    CoursekitError
        The chapter's name or the folder is a wrong one.
    """
    seen = ""
    for submission in submissions:
        try:
            others = read_notebook(submission.read()[0]).others_than(exercises)
            has = f"whose exercises are {others}" if others else ""
        except NoNotebookError as error:
            has = error.others and f"who has {error.others}"
        except (UnusableError, UnreadableError):
            continue
        else:
            if not others:
                return
        seen = seen or (has and f"{submission.student}, {has}")
    if seen:
        raise CoursekitError(
            f"{where}: nobody's work is of {chapter}; found the work of {seen}. Name the chapter "
            f"that was handed in, or the folder in which {chapter} was"
        )


def _checked_times(
    lms_file: Path, lms: Lms, owned: Mapping[str, Sequence[Entry]], zone: tzinfo | None
) -> Mapping[str, HandIn]:
    """Check the students against the LMS's list; return the times of submission that it has."""
    roster = Roster(lms_file, lms)
    roster.refuse_unlisted({student: entries[0].name for student, entries in owned.items()})
    return roster.times(zone)


def _source(where: Path, chapter: str, layout: str | None) -> Source:
    with _readable(where):
        if where.is_dir():
            return Folder(where, chapter)
        if where.is_file():
            return Archive(where, chapter, layout)
        if not where.exists():
            raise CoursekitError(f"{where}: no such folder; expected submissions to {chapter}")
        raise CoursekitError(
            f"{where}: neither a folder nor a file; expected a class's folder or zip"
        )


@contextmanager
def _readable(where: object) -> Iterator[None]:
    """End the run with a line where this machine cannot read something: nobody loses points."""
    try:
        yield
    except OSError as error:
        raise CoursekitError(
            f"{error.filename or where}: cannot be read ({error.strerror or error}); mend that, "
            "and run the same command again"
        ) from None


def _refuse_own_folder(source: Source, entries: Sequence[Entry], chapter: str) -> None:
    """Refuse one student's folder, which would be graded as a student with the chapter's name."""
    where, name = source.where.resolve(), f"{chapter}.ipynb"
    if Entry(name, False) in entries:
        above = where.parent.parent if where.name == chapter else where.parent
    elif Entry(chapter, True) in entries and _is_students(source, chapter):
        name, above = f"{chapter}/", where.parent
    else:
        return
    advice = f"pass {above}" if where.is_dir() else "make the zip of all students' folders"
    raise CoursekitError(
        f"{where}: has {name} directly in it, as one student's folder has; expected the class's, "
        f"with STUDENT/{chapter}/{chapter}.ipynb in it: {advice}"
    )


def _is_students(source: Source, chapter: str) -> bool:
    """Whether a folder with the chapter's name is in a student's folder, not a student's itself."""
    try:
        with _readable(source.where):
            files = source.files(chapter)
    except UnusableError:
        return False
    return not any(path.startswith(f"{chapter}/") for path, _ in files)


@dataclass(frozen=True)
class _Reader:
    """Reads the submissions of one class.

    Attributes
    ----------
    source : Source
        The class's folder or archive.
    lms : Lms
        How it names students.
    chapter : str
        The assignment's name.
    most_bytes : int
        Larger notebooks are not read.
    times : mapping of str to HandIn
        Times of submission that the LMS's list has, by student.
    zone : tzinfo or None
        Of the clocks whose times come without one; None: this machine's.
    """

    source: Source
    lms: Lms
    chapter: str
    most_bytes: int
    times: Mapping[str, HandIn] = field(default_factory=dict)
    zone: tzinfo | None = None

    def submission(self, student: str, entries: Sequence[Entry]) -> Submission:
        """Return a student's submission; of a large class little is kept."""
        names = tuple(entry.name for entry in entries)
        place = names if len(names) > 1 else names[0]
        owners = [self.lms.owner(entry) for entry in entries]
        if owners[0] is None:
            return Submission(student, place, _Misfit(self.lms))
        return Submission(student, place, self, any(owner.is_late for owner in owners if owner))

    def read(self, place: Place) -> Work:
        """Return a submission's notebook, and warnings about it."""
        with _readable(self.source.where):
            try:
                chosen, warnings = self._chosen(self._listed(place))
            except NoNotebookError:
                self._chosen(self._listed(place, deep=True))  # which says what lies elsewhere
                raise
            return self.source.read(chosen.handle, self.most_bytes), warnings

    def hand_in(self, student: str, place: Place) -> HandIn:
        """Return when the notebook that `read` takes was handed in."""
        if self.lms is not NBGRADER:
            return self.times.get(student) or self._hand_in_by_name(place)
        try:
            files = self._listed(place)
        except (UnusableError, OSError):
            return HandIn()
        try:
            changed = self.source.changed(self._chosen(files)[0].handle, self.zone)
        except (UnusableError, OSError):
            changed = HandIn()
        return timestamps.of_notebook(changed, self._record(files), self.zone)

    def _hand_in_by_name(self, place: Place) -> HandIn:
        """Return the time in the name that the LMS gave to the notebook."""
        try:
            time = self._chosen(self._listed(place))[0].time
        except (UnusableError, OSError):
            return HandIn()
        return HandIn() if time is None else timestamps.of_clock(time, self.zone, timestamps.NAME)

    def _record(self, files: Sequence[File]) -> str | None:
        """Return the text of nbgrader's record; None where there is none."""
        place = f"{self.chapter}/{timestamps.RECORD}"
        records = [file for file in files if file.path == place]
        if not records:
            return None
        try:
            return self.source.read(records[-1].handle, timestamps.MOST_BYTES).decode(
                "utf-8", "replace"
            )
        except (UnusableError, OSError):
            return ""

    def _listed(self, place: Place, deep: bool = False) -> list[File]:
        names = (place,) if isinstance(place, str) else place
        return [file for name in names for file in self._files(name, deep)]

    def _chosen(self, files: Sequence[File]) -> tuple[File, tuple[str, ...]]:
        choose = choose_by_place if self.lms is NBGRADER else choose_newest
        return choose(files, self.chapter)

    def _files(self, name: str, deep: bool) -> Iterator[File]:
        for path, handle in self.source.files(name, deep or self.lms is not NBGRADER):
            owner = self.lms.owner(Entry(name, bool(path)))
            if owner is None or self.lms is NBGRADER:
                yield File(path, 0, handle)
            else:
                yield File(path or owner.file, owner.order, handle, owner.time)


@dataclass(frozen=True)
class _Misfit:
    """Reads an entry whose name does not have the layout of the others."""

    lms: Lms

    def read(self, place: str) -> Work:
        """Raise the reason why it cannot be graded."""
        if Entry(place, False).is_stray:
            raise UnusableError("its name in the zip points outside")
        raise UnusableError(f"its name is not one that the layout {self.lms.name} has")

    def hand_in(self, student: str, place: str) -> HandIn:
        """Return no time."""
        return HandIn()
