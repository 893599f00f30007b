"""Which of the files that a student handed in is the notebook.

What is a notebook is one, whatever it is called, or in a zip of its own. What is none is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from coursekit.grade.class_files import UnusableError, is_notebook, notebooks_in
from coursekit.grade.notebook_file import holds_notebook, kind_of
from coursekit.lms import printable

#: The number that an LMS adds to the name of a file handed in again.
_TURN = re.compile(r"(?: ?\(([0-9]{1,9})\)|-([0-9]{1,9}))?\.ipynb\Z", re.IGNORECASE)
_MOST_NAMED = 5
#: A notebook's bytes, and reasons for a person to look.
Work: TypeAlias = tuple[bytes, tuple[str, ...]]


class NoNotebookError(UnusableError):
    """Nothing was handed in: there is a folder, as an LMS makes it, and no file in it."""


class File(NamedTuple):
    """A file of one student.

    Attributes
    ----------
    path : str
        As the student called it, folders included.
    order : int
        The LMS's number of it; a later file has a larger one.
    handle : object
        Where its bytes are: a path, or a zip's member.
    is_whole : bool
        Whether it is all that the student handed in, and its name the student's id.
    """

    path: str
    order: int
    handle: Any
    is_whole: bool = False

    @property
    def name(self) -> str:
        """Its name without folders."""
        return self.path.rsplit("/", 1)[-1]


def choose(
    files: Sequence[File], read: Callable[[File], bytes], chapter: str, by_place: bool
) -> Work:
    """Return the bytes of the file that is the notebook of a chapter, and reasons to look.

    Parameters
    ----------
    files : sequence of File
        All that the student handed in for the chapter.
    read : callable
        Returns a file's bytes, or raises `UnusableError`.
    chapter : str
        The assignment's name.
    by_place : bool
        Whether a name decides, as in nbgrader's layout, or the newest counts, as in an LMS.

    Raises
    ------
    NoNotebookError
        There is no file.
    UnusableError
        None is a notebook, or it is not clear which one counts.
    """
    known: Mapping[File, bytes] = {}
    notebooks = [file for file in files if is_notebook(file.name) and file.name[0] != "."]
    if not notebooks:
        known, others = disguised(files, read)
        notebooks = list(known)
        if others and not notebooks:
            raise UnusableError(f"it has no notebook; {'; '.join(others[:_MOST_NAMED])}")
    if not notebooks:
        raise NoNotebookError(f"it has no {chapter}.ipynb" if by_place else "it has no file")
    file, warnings = (_by_place if by_place else _newest)(notebooks, chapter)
    own_name = file.path if file in known or file.name == f"{chapter}.ipynb" else file.name
    is_in_place = file.is_whole or file.path in (f"{chapter}.ipynb", f"{chapter}/{chapter}.ipynb")
    if file in known or (by_place and not is_in_place):
        shown = "/".join(map(printable, own_name.split("/")))
        warnings = (*warnings, f"its notebook is called {shown}")
    return known[file] if file in known else read(file), warnings


def _by_place(files: Sequence[File], chapter: str) -> tuple[File, tuple[str, ...]]:
    name = f"{chapter}.ipynb"
    for exact in (f"{chapter}/{name}", name):
        if same := [file for file in files if file.path == exact]:
            warnings = (f"it has {len(same)} files of one name; the last was taken",)
            return same[-1], warnings if len(same) > 1 else ()
    if len(files) > 1:
        raise UnusableError(f"it has {len(files)} notebooks, and none is called {name}")
    return files[0], ()


def _newest(files: Sequence[File], chapter: str) -> tuple[File, tuple[str, ...]]:
    named = [file for file in files if chapter in file.name] or files
    newest = max(named, key=lambda file: (file.order, _turn(file.path), file.path))
    warnings = (f"it has {len(files)} notebooks; the newest was taken",)
    return newest, warnings if len(files) > 1 else ()


def _turn(name: str) -> int:
    match = _TURN.search(name)
    return int(match[1] or match[2] or 0) if match else 0


def disguised(
    files: Sequence[File], read: Callable[[File], bytes]
) -> tuple[Mapping[File, bytes], list[str]]:
    """Return notebooks that are called otherwise or zipped, and what the other files are."""
    found: dict[File, bytes] = {}
    others = []
    for file in files:
        try:
            data = read(file)
            zipped = notebooks_in(data)
        except UnusableError as error:
            others.append(f"{printable(file.name)}: {error}")
            continue
        for name, inner in zipped.items():
            found[file._replace(path=f"{file.path}/{name}")] = inner
        if holds_notebook(data):
            found[file] = data
        elif not zipped:
            others.append(f"{printable(file.name)} is {kind_of(data)}, not a notebook")
    return found, others
