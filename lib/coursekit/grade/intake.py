"""A class's submissions, in a folder or a zip: whose each is, and when it was handed in.

Whose it is, is settled before anything is graded. A fault in one student's files leads to that
student's row; a fault in the whole, or of this machine, ends the run with one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from coursekit.command import names, tell
from coursekit.errors import CoursekitError
from coursekit.grade.choice import File, Work, choose, disguised
from coursekit.grade.class_files import (
    CLASS_FOLDERS,
    METADATA,
    Entry,
    Folder,
    UnusableError,
    decide_layout,
    open_class,
)
from coursekit.grade.times import (
    MOST_BYTES,
    RECORD,
    listed_times,
    of_clock,
    of_moodle,
    of_record,
)
from coursekit.lms import Owner, identifier, layout_of, owner, printable
from coursekit.sandbox.limits import MIB

_MOST_METADATA = 64 * MIB
_MOST_SHARED = 5
_OUTSIDE = "its name in the zip points outside"


@dataclass(frozen=True)
class Submission:
    """One student's work. A class may be large: only its place is kept.

    Attributes
    ----------
    student : str
        The id: printable, without separators.
    entries : tuple of Entry
        The student's files and folders in the class's.
    intake : Intake
        What reads them.
    timestamp : datetime, optional
        When it was handed in, where the LMS or nbgrader's exchange says it.
    is_marked_late : bool
        Whether the LMS marked it as late in its files' names.
    record : str, optional
        The text of nbgrader's record of the time, where there is one.
    """

    student: str
    entries: tuple[Entry, ...]
    intake: _Intake
    timestamp: datetime | None = None
    is_marked_late: bool = False
    record: str | None = None

    def read(self) -> Work:
        """Return (bytes of the notebook, reasons for a person to look).

        Raises
        ------
        NoNotebookError
            Nothing was handed in.
        UnusableError
            There is no notebook, or none that can be read.
        CoursekitError
            This machine cannot read it, which is not the student's fault.
        """
        with _readable(self.intake.source.where):
            return self.intake.chosen(self.entries)


def find_submissions(
    where: Path,
    chapter: str,
    most_bytes: int,
    layout: str | None = None,
    lms_file: Path | None = None,
    zone: ZoneInfo | None = None,
) -> Sequence[Submission]:
    """Return the submissions in a folder or an LMS's zip, ordered by student.

    Times that cannot be read, and the clock by which times without a zone were read, are told on
    stderr.

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
    zone : ZoneInfo or None
        Of the clocks whose times come without one; None: this machine's.

    Raises
    ------
    CoursekitError
        There is no such folder, or nothing in it, or it is not clear whose something is.
    """
    with _readable(where):
        source = open_class(where, chapter, layout)
        entries = [Entry(name, is_folder) for name, is_folder in source.entries.items()]
        if layout and not any(owner(*entry, layout) for entry in entries):
            raise CoursekitError(
                f"{where}: no name in it is one of the layout {layout}; nothing was graded. Leave "
                "--layout out, or name another one"
            )
        layout = layout or decide_layout(where, entries)
        intake = _Intake(source, layout, chapter, most_bytes)
        if layout == "nbgrader":
            intake.refuse_own_folder(entries)
        owned = intake.by_student(entries)
    if not owned:
        raise CoursekitError(
            f"{where}: no submissions; expected {where / 'STUDENT' / chapter / chapter}.ipynb"
        )
    listed = {}
    if lms_file:
        of = {student: entries[0][0].name for student, entries in owned.items()}
        listed = listed_times(lms_file, layout, of)
    with _readable(where):
        times = _Times(intake, listed, zone)
        submissions = [times.dated(student, owned[student]) for student in sorted(owned)]
    for line in times.lines():
        tell(line)
    return submissions


class _Times:
    """Finds when each submission was handed in, and keeps what to tell of it."""

    def __init__(self, intake: _Intake, listed: Mapping[str, str], zone: ZoneInfo | None) -> None:
        self._intake, self._listed, self._zone = intake, listed, zone
        self._unreadable: list[str] = []
        self._latest_local: datetime | None = None

    def dated(self, student: str, owned: Sequence[tuple[Entry, Owner]]) -> Submission:
        """Return a student's submission, with its time where somebody wrote it down."""
        entries = tuple(entry for entry, _ in owned)
        record = self._intake.record(entries) if self._intake.layout == "nbgrader" else None
        time = None
        try:
            if date := self._listed.get(student):
                time = self._local(of_moodle(date, self._zone))
            elif times := [whose.time for _, whose in owned if whose.time]:
                newest = max(times)  # without a zone it is that of the LMS's clock
                is_whole = newest.tzinfo is not None
                time = newest if is_whole else self._local(of_clock(newest, self._zone))
            elif record is not None:
                time = of_record(record, self._zone)
        except (ValueError, OverflowError) as error:
            self._unreadable.append(f"{student} ({' '.join(str(error).split())[:60]})")
        is_late = any(whose.is_late for _, whose in owned)
        return Submission(student, entries, self._intake, time, is_late, record)

    def _local(self, time: datetime | None) -> datetime | None:
        self._latest_local = max(filter(None, (self._latest_local, time)), default=None)
        return time

    def lines(self) -> Iterator[str]:
        """Yield what to tell the instructor."""
        if self._latest_local is not None and self._zone is None:
            latest = self._latest_local.astimezone()
            yield (
                f"times without a time zone were read in this machine's, {latest:%Z} "
                f"(UTC{latest:%z}); the latest is {latest:%Y-%m-%d %H:%M}. If that is wrong, run "
                "the same command with --timezone, such as Europe/Berlin"
            )
        if self._unreadable:
            yield (
                f"times of submission that cannot be read: {names(self._unreadable)}; a zone like "
                "CEST is known where --timezone is its place, such as Europe/Berlin"
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


# --- whose they are -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Intake:
    """Reads the submissions of one class.

    Attributes
    ----------
    source : Folder or Zip
        The class's folder or zip.
    layout, chapter : str
        How it names students, and the assignment's name.
    most_bytes : int
        Larger notebooks are not read.
    """

    source: Any
    layout: str
    chapter: str
    most_bytes: int

    def by_student(self, entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Owner]]]:
        """Return each student's entries; what is nobody's is named on stderr.

        Raises
        ------
        CoursekitError
            Two students' entries have one id.
        """
        owned: dict[str, list[tuple[Entry, Owner]]] = {}
        passed_over = []
        submitters = self._submitters(entries) if self.layout == "gradescope" else {}
        for entry in entries:
            owners = submitters.get(entry.name) or self._owners(entry)
            if not owners and entry.name != METADATA:
                passed_over.append(entry.name)
            for whose in owners:
                folded = whose.student.casefold().rstrip(". ")  # as some file systems compare them
                key = folded if self.layout == "nbgrader" else whose.student
                owned.setdefault(key, []).append((entry, whose))
        shared = [of for of in owned.values() if len({w[:2] for _, w in of}) > 1]
        if shared:
            ids = "; ".join(
                f"{of[0][1].student} ({names(ascii(entry.name) for entry, _ in of)})"
                for of in shared[:_MOST_SHARED]
            )
            more = f"; and {len(shared) - _MOST_SHARED} more" if shared[_MOST_SHARED:] else ""
            raise CoursekitError(
                f"{self.source.where}: one student's id stands for several: {ids}{more}. Nothing "
                "was graded; expected one submission per student: take out or rename what is wrong"
            )
        if passed_over:
            passed = names(map(printable, sorted(passed_over)))
            nobodys = "not graded, since no student's name or notebook is in it"
            tell(f"{self.source.where}: {nobodys}: {passed}")
        return {of[0][1].student: of for of in owned.values()}

    def _owners(self, entry: Entry) -> list[Owner]:
        whose = owner(*entry, self.layout)
        if whose and self.layout == "nbgrader" and not entry.must_be_somebodys:
            files = [File(entry.name, 0, handle) for _, handle in self.source.files(entry.name)]
            whose = whose if disguised(files, self.read)[0] else None
        if whose is None and entry.must_be_somebodys:
            # It must be somebody's, whatever its name: it counts as a student.
            whose = Owner(identifier(entry.name), entry.name, "", 0, False, None, 0)
        return [whose] if whose else []

    def _submitters(self, entries: Sequence[Entry]) -> dict[str, list[Owner]]:
        """Return whose each folder is by Gradescope's own list; a group's is each member's."""
        import yaml

        where = f"{self.source.where}: {METADATA}"
        if Entry(METADATA, False) not in entries:
            raise CoursekitError(f"{where} is missing, which says whose each folder is; expected "
                                 "Gradescope's whole export")  # fmt: skip
        try:
            _, handle = next(iter(self.source.files(METADATA)))
            told = yaml.safe_load(self.source.read(handle, _MOST_METADATA))
            return {
                folder: [_submitter(person, of.get(":created_at")) for person in of[":submitters"]]
                for folder, of in told.items()
            }
        except (yaml.YAMLError, UnusableError, KeyError, TypeError, AttributeError) as error:
            reason = " ".join(str(error).split())[:100]
            raise CoursekitError(f"{where} cannot be read ({reason}); export it again") from None

    def refuse_own_folder(self, entries: Sequence[Entry]) -> None:
        """Refuse a course's folder, or one student's: what is in it would be students."""
        where, name = self.source.where.resolve(), f"{self.chapter}.ipynb"
        whose = "one student's"
        if of_class := next((of for of, _ in entries if self._is_class(of, len(entries))), None):
            name, whose, above = f"{of_class}/", "a course's", where / of_class
        elif Entry(name, False) in entries:
            above = where.parent.parent if where.name == self.chapter else where.parent
        # A student may have the chapter's name.
        elif Entry(self.chapter, True) in entries and not any(
            path.startswith(f"{self.chapter}/") for path, _ in self.source.files(self.chapter)
        ):
            name, above = f"{self.chapter}/", where.parent
        else:
            return
        advice = f"pass {above}" if where.is_dir() else "make the zip of all students' folders"
        raise CoursekitError(
            f"{where}: has {name} directly in it, as {whose} folder has; expected the "
            f"class's, with STUDENT/{self.chapter}/{self.chapter}.ipynb in it: {advice}"
        )

    def _is_class(self, name: str, count: int) -> bool:
        """Whether one of ``count`` entries is a folder with a class's in it."""
        where = self.source.where / name
        if not self.source.entries[name]:
            return False
        if name in CLASS_FOLDERS or count > 1 or not where.is_dir():
            return name in CLASS_FOLDERS
        inside = Folder(where).entries
        return METADATA in inside or any(layout_of(*one) != "nbgrader" for one in inside.items())

    def read(self, file: File) -> bytes:
        """Return a file's bytes, or raise `UnusableError`."""
        data: bytes = self.source.read(file.handle, self.most_bytes)
        return data

    def record(self, entries: Sequence[Entry]) -> str | None:
        """Return the text of nbgrader's record; None where there is none."""
        place = f"{self.chapter}/{RECORD}"
        try:
            records = [file.handle for file in self._files(entries) if file.path == place]
            data = self.source.read(records[-1], MOST_BYTES) if records else None
        except (UnusableError, OSError):
            return ""
        return None if data is None else str(data, "utf-8", "replace")

    def chosen(self, entries: Sequence[Entry]) -> Work:
        """Return what is the notebook among a student's files, or raise `UnusableError`."""
        files = [file for file in self._files(entries) if file.name != RECORD]
        return choose(files, self.read, self.chapter, by_place=self.layout == "nbgrader")

    def _files(self, entries: Sequence[Entry]) -> list[File]:
        """Return a student's files that may be work of this chapter."""
        found = []
        for entry in entries:
            whose = owner(*entry, self.layout)
            if whose is None:
                stray = "/" in entry.name or not entry.name
                told = f"its name is not one that the layout {self.layout} has"
                raise UnusableError(_OUTSIDE if stray else told)
            for path, handle in self.source.files(entry.name):
                found.append(File(path or whose.file, whose.order, handle, is_whole=not path))
        if self.layout != "nbgrader":
            return found
        # In a student's folder, those of other names are for other chapters.
        chapter = identifier(self.chapter).casefold()
        return [
            file
            for file in found
            if "/" not in file.path
            or chapter in (identifier(part).casefold() for part in file.path.split("/")[:-1])
        ]


def _submitter(person: Mapping[str, Any], created: Any) -> Owner:
    id = person.get(":sid") or person.get(":email") or person[":name"]
    time = created if isinstance(created, datetime) else None
    return Owner(identifier(str(id)), str(person.get(":name")), "", 0, False, time, 0)
