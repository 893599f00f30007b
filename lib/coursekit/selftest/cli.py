"""``coursekit check``: test the exercises themselves."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from coursekit.bank import exercise_files, load_exercise
from coursekit.command import (
    Subparsers,
    add_bank_option,
    add_command,
    bank_folders,
    counted,
)
from coursekit.errors import DefinitionError, UnknownError
from coursekit.model import Exercise
from coursekit.selftest import collisions, libraries, problems


def add_parser(subparsers: Subparsers) -> None:
    """Add the subcommand."""
    parser = add_command(
        subparsers,
        "check",
        run,
        """
        Test the exercises themselves: starters earn nothing, solutions everything, each wrong
        answer is rejected for its reason, other right answers are accepted, hints and
        explanations are there, checks run without the solution and grader results of any type
        and shape without an error of their own, and no function of a library that the exercises
        use passes for an answer unless it is withheld. Prints a line for each
        exercise and one below it for each problem. The exit status is 1 when there are any.
        """,
        "coursekit check context-vector masking",
    )
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="exercises or whole chapters (default: all)"
    )
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print what is wrong with the exercises asked for; return 1 when anything is."""
    files = [path for folder in bank_folders(args) for path in exercise_files(folder)]
    asked = _asked(files, args.ids)
    if not asked:
        raise DefinitionError(f"no exercises in {', '.join(map(str, bank_folders(args)))}")
    width = max(len(path.stem) for path in asked)
    packages = libraries(files)
    loaded, bad = [], 0
    for path in asked:
        found: list[str] = []
        try:
            exercise = load_exercise(path)
        except DefinitionError as error:
            found, told = [str(error)], ""
        else:
            loaded.append(exercise)
            found, told = problems(exercise, packages), _told(exercise)
        print("\n".join([f"{'✗' if found else '✓'} {path.stem:<{width}}  {told}".rstrip(),
                         *(f"    {problem}" for problem in found)]))  # fmt: skip
        bad += bool(found)
    clashes = _same_id(files, asked)
    clashes += [clash for chapter in _by_chapter(loaded) for clash in collisions(chapter)]
    print("".join(f"✗ {clash}\n" for clash in clashes), end="")
    between = f", {counted(len(clashes), 'conflict')} between them" if clashes else ""
    total = f"{counted(len(asked), 'exercise')}: {len(asked) - bad} in order, {bad} with problems"
    print(total + between)
    return 1 if bad or clashes else 0


def _asked(files: Sequence[Path], ids: Sequence[str]) -> list[Path]:
    """Return the files of the exercises and chapters asked for, all when none is."""
    known = sorted({path.stem for path in files} | {path.parent.name for path in files})
    for id in ids:
        if id not in known:
            raise UnknownError("exercise or chapter", id, known)
    return [f for f in files if not ids or f.stem in ids or f.parent.name in ids]


def _same_id(files: Sequence[Path], asked: Sequence[Path]) -> list[str]:
    """Return which of the files have an id that another one has."""
    by_id: dict[str, list[Path]] = {}
    for path in files:
        by_id.setdefault(path.stem, []).append(path)
    return [
        f"{paths[0]} and {other} have the same id; ids are unique in a bank"
        for paths in by_id.values()
        for other in paths[1:]
        if set(paths) & set(asked)
    ]


def _told(exercise: Exercise) -> str:
    points = counted(exercise.points, "point")
    if exercise.questions:
        return f"{points}, {counted(len(exercise.questions), 'question')}"
    return f"{points}, {len(exercise.wrong)} wrong and {len(exercise.also_right)} other right"


def _by_chapter(exercises: Sequence[Exercise]) -> list[tuple[Exercise, ...]]:
    chapters = dict.fromkeys(exercise.chapter for exercise in exercises)
    return [tuple(e for e in exercises if e.chapter == chapter) for chapter in chapters]
