"""One student's work: whose it is, and which of its files is the notebook."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from coursekit.identifiers import printable
from coursekit.in_notebook.hand_in import FOLDER as HAND_IN

if TYPE_CHECKING:
    from coursekit.grade.timestamps import HandIn

#: A notebook's bytes, and reasons for a person to look.
Work: TypeAlias = tuple[bytes, tuple[str, ...]]
#: Names that operating systems and tools leave in folders and archives, and nobody hands in.
LITTER = frozenset(
    {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints", ".git"}
    | {".Trashes", ".fseventsd", ".Spotlight-V100", "$RECYCLE.BIN", "lost+found"}
    | {"System Volume Information", "@eaDir", ".vscode", ".idea"}
)
#: The number that an LMS adds to the name of a file handed in again.
_TURN = re.compile(r"(?: ?\(([0-9]{1,9})\)|-([0-9]{1,9}))?\.ipynb\Z", re.IGNORECASE)


class UnusableError(Exception):
    """A submission that cannot even be read; the text is its row's reason."""


class NoNotebookError(UnusableError):
    """Nothing was handed in: there is a folder, as an LMS makes it, and no notebook in it.

    ``others`` are the names of notebooks that lie elsewhere in it.
    """

    def __init__(self, missing: str, files: Sequence[File] = ()) -> None:
        notebooks = [file for file in files if is_notebook(file.path)]
        self.others = ", ".join(map(_shown, notebooks[:3]))
        there = ", ".join(map(_shown, (notebooks or files)[:3]))
        super().__init__(f"it has no {missing}" + (f"; it has {there}" if there else ""))


class Reader(Protocol):
    """Reads the submissions of a class."""

    def read(self, place: Any) -> Work:
        """Return the work at a place, as `Submission.read` does."""

    def hand_in(self, student: str, place: Any) -> HandIn:
        """Return when the work at a place was handed in."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's work. A class may be large: only the place of the work is kept.

    Attributes
    ----------
    student : str
        The id: printable, without separators.
    place : object
        Where the work is, for ``reader``.
    reader : Reader
        What reads it.
    is_marked_late : bool
        Whether the LMS marked it as late in its files' names.
    """

    student: str
    place: Any
    reader: Reader
    is_marked_late: bool = False

    @property
    def hand_in(self) -> HandIn:
        """When it was handed in, as far as that is known."""
        return self.reader.hand_in(self.student, self.place)

    def read(self) -> Work:
        """Return (bytes of the notebook, reasons for a person to look).

        Raises
        ------
        NoNotebookError
            There is no notebook.
        UnusableError
            There is none that can be read.
        CoursekitError
            This machine cannot read it, which is not the student's fault.
        """
        return self.reader.read(self.place)


class File(NamedTuple):
    """A file of one student.

    Attributes
    ----------
    path : str
        As the student called it, folders included.
    order : int
        The LMS's number of it; a later file has a larger one.
    handle : object
        Where its bytes are, for the folder or archive that it came from.
    time : datetime, optional
        When it was handed in, by the LMS's clock, where its name says so.
    """

    path: str
    order: int
    handle: Any
    time: datetime | None = None


def is_notebook(name: str) -> bool:
    """Whether a file has a notebook's name."""
    return name.lower().endswith(".ipynb")


def is_litter(name: str) -> bool:
    """Whether a system or tool left a file or folder; ``._name`` holds macOS's notes on a file."""
    return name in LITTER or name.startswith("._")


def choose_by_place(files: Sequence[File], chapter: str) -> tuple[File, tuple[str, ...]]:
    """Return the notebook in a folder of nbgrader's layout, and warnings about it.

    The path of a file that is the whole submission is empty.

    Raises
    ------
    NoNotebookError
        There is none.
    UnusableError
        There are several, and none has the chapter's name.
    """
    name = f"{chapter}.ipynb"
    near = [file for file in files if _is_near(file.path, chapter)]
    folders = (f"{chapter}/{HAND_IN}/", f"{chapter}/", f"{HAND_IN}/", "")
    for exact in ("", *(folder + name for folder in folders)):
        if same := [file for file in files if file.path == exact]:
            if len(same) > 1:
                return same[-1], (f"it has {len(same)} files of one name; the last was taken",)
            rivals = [file for file in near if _is_rival(file.path, chapter)]
            return same[0], _taken(same[0], rivals) if exact else ()
    if len(near) == 1:
        return near[0], (f"its notebook is called {printable(near[0].path.rsplit('/', 1)[-1])}",)
    if near:
        raise UnusableError(f"it has {len(near)} notebooks, and none is called {name}")
    raise NoNotebookError(name, files)


def _is_near(path: str, chapter: str) -> bool:
    """Whether a file is a notebook in the student's folder, or in the chapter's folder there."""
    name = path.removeprefix(f"{chapter}/").removeprefix(f"{HAND_IN}/")
    return is_notebook(name) and "/" not in name and not name.startswith(".")


def _is_rival(path: str, chapter: str) -> bool:
    """Whether a notebook may be the chapter's: outside its folder those of others may lie."""
    return path.startswith(f"{chapter}/") or chapter in path.rsplit("/", 1)[-1]


def _taken(chosen: File, notebooks: Sequence[File]) -> tuple[str, ...]:
    """Return the warning that there were others, if there were."""
    if len(notebooks) == 1:
        return ()
    return (f"it has {len(notebooks)} notebooks; {_shown(chosen)} was taken",)


def _shown(file: File) -> str:
    """Return a file's name and its folder's, as text."""
    return "/".join(map(printable, file.path.split("/")[-2:]))


def choose_newest(files: Sequence[File], chapter: str) -> tuple[File, tuple[str, ...]]:
    """Return the newest of the notebooks that a student sent to an LMS, and warnings about it.

    Of those that the LMS received at once, that in the folder `HAND_IN` is taken.

    Raises
    ------
    NoNotebookError
        There is none.
    """
    notebooks = [
        file
        for file in files
        if is_notebook(file.path) and not any(map(is_litter, file.path.split("/")))
    ]
    if not notebooks:
        raise NoNotebookError("notebook", files)
    named = [file for file in notebooks if chapter in file.path.rsplit("/", 1)[-1]]
    chosen = max(named or notebooks, key=_age)
    return chosen, _taken(chosen, notebooks)


def _age(file: File) -> tuple[int, int, bool, str]:
    match = _TURN.search(file.path)
    turn = int(match[1] or match[2] or 0) if match else 0
    return file.order, turn, HAND_IN in file.path.split("/")[:-1], file.path
