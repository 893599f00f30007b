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
    """Add ``coursekit check`` and its options to the command line."""
    parser = add_command(
        subparsers,
        "check",
        run,
        """
        Test the exercises themselves: starters earn nothing and solutions everything, each wrong
        answer is rejected for its misconception, other right answers are accepted, there are
        hints and explanations, checks run without the solution and do not fail on answers of a
        wrong type or shape, no constant, argument or count of the calls earns a point, and no
        function of a library passes as an answer unless it is withheld. Print a line for each
        exercise, and below it a line for each problem. The exit status is 1 if there are any.
        """,
        "coursekit check context-vector masking",
    )
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="test these exercises or chapters (default: all)"
    )
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print the exercises with their problems; return 1 if there are any."""
    files = [path for folder in bank_folders(args) for path in exercise_files(folder)]
    selected = _selected(files, args.ids)
    if not selected:
        raise DefinitionError(f"no exercises in {', '.join(map(str, bank_folders(args)))}")
    width = max(len(path.stem) for path in selected)
    packages = libraries(files)
    loaded, bad = [], 0
    for path in selected:
        exercise, defects = _test(path, packages)
        loaded += [exercise] if exercise else []
        bad += bool(defects)
        summary = _summary(exercise) if exercise else ""
        print(f"{'✗' if defects else '✓'} {path.stem:<{width}}  {summary}".rstrip())
        print("".join(f"    {defect}\n" for defect in defects), end="")
    conflicts = _same_id(files, selected)
    conflicts += [each for chapter in _by_chapter(loaded) for each in collisions(chapter)]
    print("".join(f"✗ {conflict}\n" for conflict in conflicts), end="")
    between = f", {counted(len(conflicts), 'conflict')} between them" if conflicts else ""
    total = counted(len(selected), "exercise")
    print(f"{total}: {len(selected) - bad} in order, {bad} with problems{between}")
    return 1 if bad or conflicts else 0


def _test(path: Path, packages: Sequence[str]) -> tuple[Exercise | None, list[str]]:
    """Return the exercise of a file, unless it cannot be read, and its defects."""
    try:
        exercise = load_exercise(path)
    except DefinitionError as error:
        return None, [str(error)]
    return exercise, problems(exercise, packages)


def _selected(files: Sequence[Path], ids: Sequence[str]) -> list[Path]:
    """Return the files of the exercises and chapters in ``ids``, or all files if it is empty."""
    known = sorted({path.stem for path in files} | {path.parent.name for path in files})
    for id in ids:
        if id not in known:
            raise UnknownError("exercise or chapter", id, known)
    return [f for f in files if not ids or f.stem in ids or f.parent.name in ids]


def _same_id(files: Sequence[Path], selected: Sequence[Path]) -> list[str]:
    """Return a line for each pair of files that have the same id, if one of them is selected."""
    by_id: dict[str, list[Path]] = {}
    for path in files:
        by_id.setdefault(path.stem, []).append(path)
    return [
        f"{paths[0]} and {other} have the same id; expected a different id for each exercise"
        for paths in by_id.values()
        for other in paths[1:]
        if set(paths) & set(selected)
    ]


def _summary(exercise: Exercise) -> str:
    points = counted(exercise.points, "point")
    if exercise.questions:
        return f"{points}, {counted(len(exercise.questions), 'question')}"
    return f"{points}, {len(exercise.wrong)} wrong and {len(exercise.also_right)} other right"


def _by_chapter(exercises: Sequence[Exercise]) -> list[tuple[Exercise, ...]]:
    chapters = dict.fromkeys(exercise.chapter for exercise in exercises)
    return [tuple(e for e in exercises if e.chapter == chapter) for chapter in chapters]
