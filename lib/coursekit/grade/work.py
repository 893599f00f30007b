"""One student's work: whose it is, and which of its files is the notebook."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from coursekit.identifiers import printable

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
    """Nothing was handed in: there is a folder, as an LMS makes it, and no notebook in it."""


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
    """

    path: str
    order: int
    handle: Any


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
    for exact in ("", f"{chapter}/{name}", name):
        if same := [file for file in files if file.path == exact]:
            warnings = (f"it has {len(same)} files of one name; the last was taken",)
            return same[-1], warnings if len(same) > 1 else ()
    others = [file for file in files if _is_near(file.path, chapter)]
    if len(others) == 1:
        own_name = printable(others[0].path.rsplit("/", 1)[-1])
        return others[0], (f"its notebook is called {own_name}",)
    if others:
        raise UnusableError(f"it has {len(others)} notebooks, and none is called {name}")
    raise NoNotebookError(f"it has no {name}")


def _is_near(path: str, chapter: str) -> bool:
    """Whether a file is a notebook in the student's folder, or in the chapter's folder there."""
    name = path.removeprefix(f"{chapter}/")
    return is_notebook(name) and "/" not in name and not name.startswith(".")


def choose_newest(files: Sequence[File], chapter: str) -> tuple[File, tuple[str, ...]]:
    """Return the newest of the notebooks that a student sent to an LMS, and warnings about it.

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
        names = ", ".join(printable(file.path.rsplit("/", 1)[-1]) for file in files[:3])
        raise NoNotebookError(f"it has no notebook; it has {names or 'no file'}")
    named = [file for file in notebooks if chapter in file.path.rsplit("/", 1)[-1]]
    chosen = max(named or notebooks, key=lambda file: (file.order, _turn(file.path), file.path))
    if len(notebooks) == 1:
        return chosen, ()
    return chosen, (f"it has {len(notebooks)} notebooks; the newest was taken",)


def _turn(name: str) -> int:
    match = _TURN.search(name)
    return int(match[1] or match[2] or 0) if match else 0
