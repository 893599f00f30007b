"""``coursekit list``: the exercises by chapter."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from coursekit.command import (
    Subparsers,
    add_bank_option,
    add_command,
    bank_folders,
    counted,
    open_bank,
    open_chapter,
)
from coursekit.model import Exercise
from coursekit.protection import protected_points
from coursekit.routes import load_routes
from coursekit.times import task_minutes


def add_parser(subparsers: Subparsers) -> None:
    """Add ``coursekit list`` and its options to the command line."""
    parser = add_command(
        subparsers,
        "list",
        run,
        """
        List the exercises by chapter with id, kind, points and title, and how many points of
        each chapter are protected when it is released; then the routes through the course. Use
        the ids with `coursekit check` and in a chapter's {exercise} blocks.
        """,
        "coursekit list masking",
    )
    parser.add_argument(
        "chapter", nargs="?", metavar="CHAPTER", help="list only this chapter (default: all)"
    )
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print the list and return the exit status."""
    if args.chapter:
        print("\n".join(lines({args.chapter: open_chapter(args, args.chapter)})))
        return 0
    bank = open_bank(args)
    print("\n".join(lines({chapter: bank.chapter(chapter) for chapter in bank.chapters})))
    for route in load_routes(bank_folders(args)[0], bank).values():
        exercises = (each for chapter in route.chapters for each in bank.chapter(chapter))
        optional = f"; optional: {', '.join(route.optional)}" if route.optional else ""
        hours = _hours(task_minutes(exercises))
        print(f"route {route.name}: {route.size(bank)}; {hours}{optional}")
    return 0


def _hours(minutes: float) -> str:
    """Return how long exercises take; an installed course does not have the chapters' text."""
    return f"about {counted(max(0.5, round(minutes / 30) / 2), 'hour')} of exercises"


def lines(exercises: Mapping[str, Sequence[Exercise]]) -> list[str]:
    """Return the list's lines: each chapter with its exercises, then the totals."""
    listed = [exercise for of_chapter in exercises.values() for exercise in of_chapter]
    width = max((len(exercise.id) for exercise in listed), default=0)
    text = []
    for name, of_chapter in exercises.items():
        text += [_head(name, of_chapter), *(_line(e, width) for e in of_chapter), ""]
    points = sum(exercise.points for exercise in listed)
    return [*text, f"{counted(len(listed), 'exercise')}, {counted(points, 'point')}"]


def _head(chapter: str, exercises: Sequence[Exercise]) -> str:
    points = sum(exercise.points for exercise in exercises)
    protected = sum(map(protected_points, exercises))
    return f"{chapter}  ({protected:g} of {counted(points, 'point')} protected)"


def _line(exercise: Exercise, width: int) -> str:
    kind = "widget" if exercise.explorable else exercise.kind
    return f"  {exercise.id:<{width}}  {kind:<6}  {exercise.points:>3g}  {exercise.title}"
