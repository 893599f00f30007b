"""What the subcommands share: help with an example, ``--exercises``, folders, counts, points."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from textwrap import dedent
from typing import TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from coursekit.bank import Bank, default_folder, exercise_files, load_bank
from coursekit.errors import CoursekitError, DefinitionError
from coursekit.model import Exercise

_MOST_NAMES = 20
#: What ``parser.add_subparsers`` returns.
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_command(
    subparsers: Subparsers,
    name: str,
    run: Callable[[argparse.Namespace], int],
    description: str,
    example: str,
) -> argparse.ArgumentParser:
    """Add a subcommand, whose ``run`` returns the exit status, and return its parser."""
    examples = "\n".join("  " + line for line in dedent(example).strip().splitlines())
    parser = subparsers.add_parser(
        name,
        description=dedent(description).strip(),
        epilog=f"example:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def add_bank_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--exercises DIR``, read by `open_bank`."""
    parser.add_argument(
        "--exercises",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="also read the exercises in DIR/CHAPTER; repeat it for more folders (default: only "
        "the folder exercises/ here or above, or else the course's own)",
    )


def counted(number: float, what: str) -> str:
    """Return ``"1 point"``, ``"2.5 points"``."""
    return f"{decimal(number)} {what}{'' if number == 1 else 's'}"


def decimal(number: float, places: int = 4) -> str:
    """Return a number of points in decimals, rounded, without an exponent or zeros at the end."""
    text = f"{number:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def names(listed: Iterable[str]) -> str:
    """Return names for a line, each once: the first ones, and how many more there are."""
    unique = list(dict.fromkeys(listed))
    more = len(unique) - _MOST_NAMES
    return ", ".join(unique[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def tell(line: str) -> None:
    """Print a line for the instructor on stderr, beside what the command itself prints."""
    print(line, file=sys.stderr)


def time_zone(name: str) -> ZoneInfo:
    """Return the time zone with a name of the tz database, like Europe/Berlin.

    Raises
    ------
    ValueError
        There is none; the text says what was expected.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            f"{name[:60]!r} is not a time zone; expected a name like Europe/Berlin or "
            "America/New_York"
        ) from None


def make_folder(path: Path) -> Path:
    """Make a folder unless it exists; raise `CoursekitError` where a file is in the way."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise CoursekitError(f"{path}: a file is in the way; expected a folder") from None
    return path


def bank_folders(args: argparse.Namespace) -> list[Path]:
    """Return the course's own folder of exercises, then those named with ``--exercises``."""
    try:
        return [default_folder(), *args.exercises]
    except DefinitionError:
        if not args.exercises:
            raise
        return list(args.exercises)  # coursekit without a course: the teacher's own exercises


def open_bank(args: argparse.Namespace) -> Bank:
    """Return the bank that the options name."""
    return load_bank(*bank_folders(args))


def open_chapter(args: argparse.Namespace, chapter: str) -> tuple[Exercise, ...]:
    """Return one chapter's exercises; files of other chapters are not even read."""
    folders = []
    for folder in bank_folders(args):
        below = folder / chapter
        # A folder of a single chapter may be named directly, and a wrong name is an error.
        folders.append(below if below.is_dir() or not exercise_files(folder) else folder)
    _note_mistyped(bank_folders(args), chapter)
    existing = [folder for folder in folders if folder.is_dir()] or bank_folders(args)
    return load_bank(*existing).chapter(chapter)


def _note_mistyped(folders: Iterable[Path], chapter: str) -> None:
    """Print which folder is called almost as a chapter is, and as none: nothing in it is used."""
    course, *more = ({f.name: f for f in folder.glob("*/")} for folder in folders)
    for named in more:
        others = named.keys() - course.keys()
        near = [] if chapter in named else get_close_matches(chapter, others, 1, 0.8)
        for name in near:
            tell(
                f"{named[name]}: passed over, since no chapter is called so; if its exercises are "
                f"for {chapter}, rename it"
            )
