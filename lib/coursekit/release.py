"""``coursekit release``: a chapter's exercises, or a route's, as notebooks for students."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
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
from coursekit.routes import Route, load_routes


@dataclass(frozen=True)
class _Assignment:
    chapter: str
    title: str
    exercises: Sequence[Exercise]
    install: str | None
    practice: bool

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
        answers, and the visible checks. For questions that earn points, the notebook checks only
        the form of the answer and does not contain the right one. Print how many points are
        protected, so that only somebody who knows the answer can earn them. With --nbgrader,
        write an assignment into an nbgrader course: the source notebook, nbgrader_config.py where
        there is none, and the release that nbgrader makes of them. With --route NAME in place of
        CHAPTER, do so for each chapter of a route through the course; `coursekit list` names the
        routes.
        """,
        """
        coursekit release masking -o handout --practice
        coursekit release masking -o handout --with-text --install "course.whl[notebook]"
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
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, help="write DIR/CHAPTER.ipynb")
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
    parser.add_argument(
        "--install",
        metavar="SOURCE",
        help="have pip install SOURCE where the library is missing (default: the wheel on the "
        "published site of the repository in _config.yml, if any)",
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
        install=args.install or published_wheels(root),
        practice=args.practice,
    )
    if args.output is not None:
        if args.with_text:
            notebook = _with_text(text, bank, assignment)
        else:
            about = (assignment.title, assignment.exercises, assignment.install)
            notebook = assignment_notebook(*about, practice=assignment.practice)
        print(f"{_write(notebook, args.output, chapter)}: {assignment.size()}")
    if args.nbgrader is not None:
        _write_nbgrader(args.nbgrader, assignment)
    # The chapter's text shows the answers to predictions below them.
    ids = [each.id for each in assignment.exercises if each.id.startswith("predict-")]
    shown = ids if args.with_text else ()
    print(protection(assignment.exercises, practice=args.practice, shown=shown))


def _write_nbgrader(course: Path, assignment: _Assignment) -> None:
    from coursekit.assignment.course import source_file, write_course

    released = write_course(
        course,
        assignment.chapter,
        assignment.title,
        assignment.exercises,
        assignment.install,
        practice=assignment.practice,
    )
    print(f"{released}: {assignment.size()}")
    source = source_file(course, assignment.chapter)
    print(f"{source}: the same with solutions; do not hand it out")


def _with_text(text: Path, bank: Bank, assignment: _Assignment) -> Node:
    """Return the chapter as a notebook; exercises that it does not place follow at the end."""
    practice = assignment.practice
    notebook = chapter_notebook(text, bank, install=assignment.install, practice=practice)
    placed = chapter_exercises(text)
    notebook.cells[1:1] = withheld_cells(assignment.exercises)
    for exercise in assignment.exercises:
        if exercise.id not in placed:
            notebook.cells += student_cells(exercise, practice=practice)
    return notebook


def _write(notebook: Node, folder: Path, chapter: str) -> Path:
    path = make_folder(folder) / f"{chapter}.ipynb"
    nbformat().write(notebook, path)
    return path


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
