"""``coursekit release``: write a chapter's or a route's exercises as notebooks for students."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from coursekit.bank.load import Bank
from coursekit.bank.model import Exercise
from coursekit.command import (
    Subparsers,
    add_bank_option,
    add_command,
    bank_folders,
    counted,
    make_folder,
    open_bank,
)
from coursekit.course import Course, course_of
from coursekit.errors import CoursekitError
from coursekit.notebooks import (
    Install,
    add_install_cell,
    assignment_notebook,
    attach,
    chapter_exercises,
    chapter_notebook,
    install_of,
    student_cells,
)
from coursekit.notebooks.hand_in_cell import add_hand_in_cell
from coursekit.notebooks.install import published_folder
from coursekit.notebooks.nbformat_cells import Node, nbformat, withheld_cells
from coursekit.notebooks.packed import files_of, wheel_files, write_zip
from coursekit.protection import protection
from coursekit.routes import Route, load_routes


@dataclass(frozen=True)
class _Assignment:
    chapter: str
    title: str
    exercises: Sequence[Exercise]
    practice: bool
    course: Course
    #: Address of the folder that has the course's wheels; "" where it is not published.
    site: str

    def size(self) -> str:
        points = sum(exercise.points for exercise in self.exercises)
        return f"{counted(len(self.exercises), 'exercise')}, {counted(points, 'point')}"


def add_parser(subparsers: Subparsers) -> None:
    """Add ``coursekit release`` and its options to the command line."""
    parser = add_command(
        subparsers,
        "release",
        run,
        """
        Write a chapter's exercises as a notebook for students, with statements, hints, cells for
        answers, and the visible checks; and as a zip, with the course's library, a script that
        installs it, and how to hand in. For questions that earn points, the notebook checks only
        the form of the answer and does not contain the right one. Print how many points are
        protected, so that only somebody who knows the answer can earn them. With --nbgrader,
        write an assignment into an nbgrader course: the source notebook, nbgrader_config.py where
        there is none, and the release that nbgrader makes of them. With --route NAME in place of
        CHAPTER, do so for each chapter of a route through the course; `coursekit list` names the
        routes.
        """,
        """
        coursekit release masking -o handout
        coursekit release masking -o handout --with-text
        coursekit release masking --nbgrader ~/my-course
        coursekit release --route week -o handout
        """,
    )
    _add_arguments(parser)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "chapter", metavar="CHAPTER", nargs="?", help="a chapter that has exercises"
    )
    parser.add_argument(
        "--route", metavar="NAME", help="all chapters of this route, each as its own assignment"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        type=Path,
        help="write DIR/CHAPTER.ipynb and DIR/CHAPTER.zip",
    )
    parser.add_argument(
        "--nbgrader", metavar="COURSE_DIR", type=Path, help="write into this nbgrader course"
    )
    parser.add_argument(
        "--with-text",
        action="store_true",
        help="with -o: include the chapter's text (default: exercises only)",
    )
    parser.add_argument(
        "--practice",
        action="store_true",
        help="tell at once whether the answer to a question is right, in work that earns no marks "
        "(default: check the form only)",
    )
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Write the notebooks, print their paths, and return the exit status."""
    if args.output is None and args.nbgrader is None:
        raise CoursekitError("release: expected -o DIR or --nbgrader COURSE_DIR, or both")
    if args.with_text and args.output is None:
        raise CoursekitError(
            "release: --with-text needs -o DIR; an nbgrader assignment has the exercises only"
        )
    if (args.chapter is None) == (args.route is None):
        raise CoursekitError("release: expected CHAPTER or --route NAME, and not both")
    bank = open_bank(args)
    route = _route(args, bank)
    for chapter in route.chapters if route else (args.chapter,):
        _release(args, bank, chapter)
    if route:
        print(f"{route.title}: {route.size(bank)}")
    return 0


def _route(args: argparse.Namespace, bank: Bank) -> Route | None:
    return load_routes(bank_folders(args)[0], bank)[args.route] if args.route else None


def _release(args: argparse.Namespace, bank: Bank, chapter: str) -> None:
    """Write one chapter's notebooks and print what they are."""
    root = bank_folders(args)[0].parent
    text = root / "book" / f"{chapter}.md"
    assignment = _Assignment(
        chapter=chapter,
        title=_title(chapter, text),
        exercises=_in_order(bank, chapter, text),
        practice=args.practice,
        course=course_of(root),
        site=published_folder(root),
    )
    if args.output is not None:
        _write_handout(args, text, bank, assignment)
    if args.nbgrader is not None:
        _write_nbgrader(args.nbgrader, assignment)
    shown = _predictions(assignment.exercises) if args.with_text else ()
    print(protection(assignment.exercises, practice=args.practice, shown=shown))


def _write_handout(
    args: argparse.Namespace, text: Path, bank: Bank, assignment: _Assignment
) -> None:
    """Write the notebook for students, alone and in a zip with all that it needs."""
    title, exercises, practice = assignment.title, assignment.exercises, assignment.practice
    if args.with_text:
        if not text.is_file():
            raise CoursekitError(
                f"--with-text needs the chapter's text, which only the course's repository has: "
                f"there is no {text}. Run this in a clone of it, or release without --with-text"
            )
        notebook = _with_text(text, bank, assignment)
    else:
        notebook = assignment_notebook(title, exercises, practice=practice)
    file = f"{assignment.chapter}.ipynb"
    add_hand_in_cell(notebook, file, exercises)
    install = _add_install(notebook, assignment)
    path = make_folder(args.output) / file
    nbformat().write(notebook, path)
    print(f"{path}: {assignment.size()}")
    if install is None:
        return
    wheels = wheel_files(assignment.course)
    if missing := [name for name in install.wheels if name not in wheels]:
        print(_without_wheel(missing, assignment.site), file=sys.stderr)
        return
    files = files_of(title, install, file, hands_in=True)
    write_zip(path.with_suffix(".zip"), {file: path.read_bytes(), **wheels, **files})
    print(f"{path.with_suffix('.zip')}: the same with the library and how to begin; hand out this")


def _add_install(notebook: Node, assignment: _Assignment) -> Install | None:
    """Add the cell that installs the course; there is none for exercises without a course."""
    if not assignment.course.distribution:
        return None
    install = install_of(notebook.cells, assignment.course, assignment.site)
    add_install_cell(notebook, install)
    return install


def _without_wheel(missing: Sequence[str], site: str) -> str:
    """Return what the notebook lacks without the wheels, and what to do."""
    names = " and ".join(missing)
    if site:
        return f"no zip: {names} is not here; the notebook fetches it from {site}"
    return (
        f"no zip: {names} is not here, and `repository: url:` in _config.yml is empty, so that "
        "students cannot install the library: run `make book` in the course's repository, or copy "
        "the file, which comes with the course's notebooks, into the folder where you run this "
        "command, and release again"
    )


def _write_nbgrader(course: Path, assignment: _Assignment) -> None:
    from coursekit.notebooks.handout_files import source_file, write_course
    from coursekit.notebooks.source_notebook import source_notebook

    title, exercises, practice = assignment.title, assignment.exercises, assignment.practice
    notebook = source_notebook(title, exercises, practice=practice)
    _add_install(notebook, assignment)
    released = write_course(course, assignment.chapter, notebook)
    print(f"{released}: {assignment.size()}")
    source = source_file(course, assignment.chapter)
    print(f"{source}: the same with solutions; do not hand it out")


def _with_text(text: Path, bank: Bank, assignment: _Assignment) -> Node:
    """Return the chapter as a notebook; exercises that it does not place follow at the end."""
    practice = assignment.practice
    notebook = chapter_notebook(text, bank, practice=practice)
    placed = chapter_exercises(text)
    notebook.cells[1:1] = withheld_cells(assignment.exercises)
    others = [exercise for exercise in assignment.exercises if exercise.id not in placed]
    for exercise in others:
        notebook.cells += student_cells(exercise, practice=practice)
    attach(notebook.cells, others, practice=practice)
    return notebook


def _predictions(exercises: Sequence[Exercise]) -> list[str]:
    """Return the ids of the questions whose answers the chapter's text shows below them."""
    return [exercise.id for exercise in exercises if exercise.id.startswith("predict-")]


def _in_order(bank: Bank, chapter: str, text: Path) -> Sequence[Exercise]:
    """Return the chapter's exercises in the order of its text, then those it does not place."""
    exercises = bank.chapter(chapter)
    placed = chapter_exercises(text) if text.is_file() else []
    place = {id: at for at, id in enumerate(placed)}
    return sorted(exercises, key=lambda exercise: place.get(exercise.id, len(place)))


def _title(chapter: str, text: Path) -> str:
    lines = text.read_text(encoding="utf-8").splitlines() if text.is_file() else []
    titles = (line.removeprefix("# ").strip() for line in lines if line.startswith("# "))
    return next(titles, chapter.replace("-", " ").capitalize())
