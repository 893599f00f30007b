"""``coursekit list``: what the bank holds."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from coursekit.bank import Bank
from coursekit.command import Subparsers, add_bank_option, add_command, counted, open_bank
from coursekit.model import Exercise
from coursekit.protection import protected_points


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "list",
        run,
        """
        List the exercises by chapter: id, kind, points and title, and how many points of the
        chapter are protected when it is released. Ids are what
        `coursekit check` and a chapter's {exercise} blocks name.
        """,
        "coursekit list masking",
    )
    parser.add_argument("chapter", nargs="?", metavar="CHAPTER", help="list this chapter only")
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print the list."""
    bank = open_bank(args)
    print("\n".join(lines(bank, args.chapter)))
    return 0


def lines(bank: Bank, chapter: str | None = None) -> list[str]:
    """Return the list's lines: each chapter with its exercises, then the totals."""
    chapters = [chapter] if chapter else list(bank.chapters)
    listed = {name: bank.chapter(name) for name in chapters}
    everything = [exercise for exercises in listed.values() for exercise in exercises]
    width = max((len(exercise.id) for exercise in everything), default=0)
    text = []
    for name, exercises in listed.items():
        text += [_head(name, exercises), *(_line(e, width) for e in exercises), ""]
    points = sum(exercise.points for exercise in everything)
    return [*text, f"{counted(len(everything), 'exercise')}, {counted(points, 'point')}"]


def _head(chapter: str, exercises: Sequence[Exercise]) -> str:
    points = sum(exercise.points for exercise in exercises)
    kept = sum(map(protected_points, exercises))
    return f"{chapter}  ({kept:g} of {counted(points, 'point')} protected)"


def _line(exercise: Exercise, width: int) -> str:
    kind = "widget" if exercise.explorable else exercise.kind
    return f"  {exercise.id:<{width}}  {kind:<6}  {exercise.points:>3g}  {exercise.title}"
