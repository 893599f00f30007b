"""``coursekit release``: a chapter's exercises as a notebook for students."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from coursekit.bank import Bank
from coursekit.command import (
    Subparsers,
    add_bank_option,
    add_command,
    bank_folders,
    counted,
    make_folder,
    open_bank,
)
from coursekit.errors import CoursekitError
from coursekit.model import Exercise
from coursekit.notebook import (
    assignment_notebook,
    chapter_exercises,
    chapter_notebook,
    student_cells,
)
from coursekit.notebook.install import published_wheels
from coursekit.notebook.nbformat_cells import Node, nbformat, withheld_cells
from coursekit.protection import protection


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "release",
        run,
        """
        Write a chapter's exercises as a notebook for students: statements, hints, cells for
        answers, and the visible checks. Questions that earn points are checked for the form of
        the answer only, and nothing in the notebook says which is right. A line says how many
        points are protected so. With --nbgrader, write them into an nbgrader course instead or as
        well: the source notebook, a minimal nbgrader_config.py where there is none,
        and the release that nbgrader makes of it.
        """,
        """
        coursekit release masking -o handout
        coursekit release masking --nbgrader ~/my-course
        """,
    )
    parser.add_argument("chapter", metavar="CHAPTER", help="a chapter that has exercises")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, help="write DIR/CHAPTER.ipynb")
    parser.add_argument(
        "--nbgrader", metavar="COURSE_DIR", type=Path, help="write into this nbgrader course"
    )
    parser.add_argument(
        "--with-text", action="store_true", help="with -o: include the chapter's text"
    )
    parser.add_argument(
        "--practice",
        action="store_true",
        help="say at once whether an answer to a question is right: for work that earns no marks",
    )
    parser.add_argument(
        "--install",
        metavar="SOURCE",
        help="what pip installs where the library is missing (default: the wheel on the "
        "published site of the repository in _config.yml, if any)",
    )
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Write what was asked for and say where it is."""
    if args.output is None and args.nbgrader is None:
        raise CoursekitError("release: say where to, with -o DIR or --nbgrader COURSE_DIR")
    bank = open_bank(args)
    root = bank_folders(args)[0].parent
    written = root / "book" / f"{args.chapter}.md"
    exercises = _in_order(bank, args.chapter, written)
    install = args.install or published_wheels(root)
    title = _title(args.chapter, written)
    practice = args.practice
    told = ", ".join(
        [counted(len(exercises), "exercise"), counted(sum(e.points for e in exercises), "point")]
    )
    if args.output is not None:
        if args.with_text:
            made = _with_text(written, bank, exercises, install, practice)
        else:
            made = assignment_notebook(title, exercises, install, practice=practice)
        print(f"{_write(made, args.output, args.chapter)}: {told}")
    if args.nbgrader is not None:
        from coursekit.assignment.course import source_file, write_course

        made = write_course(
            args.nbgrader, args.chapter, title, exercises, install, practice=practice
        )
        print(f"{made}: {told}")
        print(f"{source_file(args.nbgrader, args.chapter)}: the same with solutions; keep it")
    shown = _predictions(exercises) if args.output is not None and args.with_text else ()
    print(protection(exercises, practice=practice, shown=shown))
    return 0


def _with_text(
    written: Path, bank: Bank, exercises: Sequence[Exercise], install: str | None, practice: bool
) -> Node:
    """Return the chapter as a notebook, with the exercises that its text does not name below."""
    made = chapter_notebook(written, bank, install=install, practice=practice)
    named = chapter_exercises(written)
    made.cells[1:1] = withheld_cells(exercises)
    for exercise in exercises:
        if exercise.id not in named:
            made.cells += student_cells(exercise, practice=practice)
    return made


def _predictions(exercises: Sequence[Exercise]) -> list[str]:
    """Return the ids of the questions whose answer the chapter's text shows below them."""
    return [exercise.id for exercise in exercises if exercise.id.startswith("predict-")]


def _write(made: Node, folder: Path, chapter: str) -> Path:
    nbformat().write(made, make_folder(folder) / f"{chapter}.ipynb")
    return folder / f"{chapter}.ipynb"


def _in_order(bank: Bank, chapter: str, written: Path) -> Sequence[Exercise]:
    """Return the chapter's exercises as its text has them, then those that it does not name."""
    exercises = bank.chapter(chapter)
    named = chapter_exercises(written) if written.is_file() else []
    place = {id: at for at, id in enumerate(named)}
    return sorted(exercises, key=lambda exercise: place.get(exercise.id, len(place)))


def _title(chapter: str, written: Path) -> str:
    lines = written.read_text(encoding="utf-8").splitlines() if written.is_file() else []
    found = (line.removeprefix("# ").strip() for line in lines if line.startswith("# "))
    return next(found, chapter.replace("-", " ").capitalize())
