"""``coursekit check``: print what is wrong with exercises, a sentence for each defect."""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from coursekit.bank import exercise_files, load_exercise
from coursekit.command import (
    Subparsers,
    add_bank_option,
    add_command,
    bank_folders,
    counted,
)
from coursekit.define import collecting
from coursekit.errors import DefinitionError, UnknownError
from coursekit.made import known_of, run_answer
from coursekit.model import BUILT_IN, CHECK_ERROR, Check, Exercise, Wrong
from coursekit.running import run_check
from coursekit.selftest.quiz import quiz_problems
from coursekit.selftest.sweeps import libraries, library_answer_problems, sweep_problems
from coursekit.source import check_source, string_constants, top_level_names
from coursekit.verdict import Verdict

MIN_WRONG, MIN_ALSO_RIGHT = 6, 2
#: Hidden checks draw other numbers for each secret; the verdict must be the same for all.
SECRETS = ("", "a secret", "another secret")


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
        wrong type or shape, no constant or argument earns a point, and no function of a library
        passes as an answer unless it is withheld. Print a line for each exercise, and below it a
        line for each problem. The exit status is 1 if there are any.
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
    chapters: dict[str, list[Exercise]] = {}
    bad = 0
    for path in selected:
        summary, defects = "", []
        try:
            exercise = load_exercise(path)
        except DefinitionError as error:
            defects = [str(error)]
        else:
            chapters.setdefault(exercise.chapter, []).append(exercise)
            summary, defects = _summary(exercise), problems(exercise, packages)
        bad += bool(defects)
        print(f"{'✗' if defects else '✓'} {path.stem:<{width}}  {summary}".rstrip())
        print("".join(f"    {defect}\n" for defect in defects), end="")
    conflicts = _same_id(files, selected)
    conflicts += [each for chapter in chapters.values() for each in collisions(chapter)]
    print("".join(f"✗ {conflict}\n" for conflict in conflicts), end="")
    between = f", {counted(len(conflicts), 'conflict')} between them" if conflicts else ""
    total = counted(len(selected), "exercise")
    print(f"{total}: {len(selected) - bad} in order, {bad} with problems{between}")
    return 1 if bad or conflicts else 0


def _selected(files: Sequence[Path], ids: Sequence[str]) -> list[Path]:
    """Return the files of the exercises and chapters in ``ids``, or all files if it is empty."""
    known = sorted({path.stem for path in files} | {path.parent.name for path in files})
    for id in ids:
        if id not in known:
            raise UnknownError("exercise or chapter", id, known)
    return [f for f in files if not ids or f.stem in ids or f.parent.name in ids]


def _same_id(files: Sequence[Path], selected: Sequence[Path]) -> list[str]:
    """Return a line for each file that has the id of an earlier one, if one of them is selected."""
    first = {path.stem: path for path in reversed(files)}
    return [
        f"{first[path.stem]} and {path} have the same id; expected a different id for each exercise"
        for path in files
        if path != first[path.stem] and {path, first[path.stem]} & set(selected)
    ]


def _summary(exercise: Exercise) -> str:
    points = counted(exercise.points, "point")
    if exercise.questions:
        return f"{points}, {counted(len(exercise.questions), 'question')}"
    return f"{points}, {len(exercise.wrong)} wrong and {len(exercise.also_right)} other right"


def problems(exercise: Exercise, packages: Iterable[str] = ()) -> list[str]:
    """Return the defects of an exercise, a sentence each.

    In any exercise the starter earns nothing and the model solution everything, and messages are
    plain text. In a quiz every mistake is recognised, and every right order of lines is declared.

    A code exercise has enough wrong answers, each rejected by a check that names its misconception,
    and enough right answers written differently, which earn full marks; hints; and checks that run
    without the solution. No check raises an exception of its own on an answer of a wrong type or
    shape. No answer that solves nothing, such as a constant or one of its arguments, earns a point.
    No function of the libraries ``packages`` passes as an answer unless it is withheld.
    """
    if "torch" in sys.modules:  # as in grading; more threads make small models slower
        sys.modules["torch"].set_num_threads(1)
    defects = [*_starter(exercise), *_full_marks(exercise, exercise.solution, "solution")]
    defects += _not_plain(exercise)
    if exercise.questions:
        return [*defects, *quiz_problems(exercise)]
    defects += [*_missing(exercise), *_wrong(exercise)]
    for name, code in exercise.also_right.items():
        defects += _full_marks(exercise, code, f"ALSO_RIGHT {name!r}")
    defects += [*_alone(exercise), *sweep_problems(exercise)]
    return [*defects, *library_answer_problems(exercise, packages)]


@dataclass(frozen=True)
class CheckedAnswer:
    """One answer: the error that it raised, if any, and each check's verdict on it."""

    error: Exception | None
    verdicts: tuple[Verdict, ...]

    @property
    def failed(self) -> list[Verdict]:
        """The verdicts of the checks that reject it."""
        return [verdict for verdict in self.verdicts if not verdict.passed]


def check_answers(exercise: Exercise, code: str) -> Iterator[CheckedAnswer]:
    """Run an answer and all checks; then, for each secret, again what follows a secret."""
    names, error = run_answer(exercise, code)
    verdicts: dict[str, Verdict] = {}

    def verdict(check: Check, secret: str) -> Verdict:
        return run_check(
            check,
            names,
            exercise=exercise.id,
            misconceptions=exercise.misconceptions,
            secret=secret,
            without_torch=exercise.without_torch,
            known=partial(known_of, exercise, check, secret),
        )

    for secret in SECRETS:
        moved = [c for c in exercise.checks if not secret or (c.hidden and "rng" in c.parameters)]
        if secret and not moved:
            return
        verdicts |= {check.name: verdict(check, secret) for check in moved}
        yield CheckedAnswer(error, tuple(verdicts.values()))


def check_answer(exercise: Exercise, code: str) -> CheckedAnswer:
    """Run an answer, then all checks."""
    return next(check_answers(exercise, code))


def _does_not_run(error: Exception) -> str:
    return f"does not run: {type(error).__name__}: {error}"


def _starter(exercise: Exercise) -> Iterator[str]:
    answer = check_answer(exercise, exercise.starter)
    if answer.error is not None and not isinstance(answer.error, NotImplementedError):
        yield f"starter: {_does_not_run(answer.error)}"
    for verdict in answer.verdicts:
        if verdict.passed and verdict.max_points:
            yield f"starter: the check {verdict.check} passes before anything is answered"


def _full_marks(exercise: Exercise, code: str, what: str) -> Iterator[str]:
    """Yield why an answer that is right does not get full marks."""
    for answer in check_answers(exercise, code):
        if answer.error is not None:
            yield f"{what}: {_does_not_run(answer.error)}"
        else:
            yield from (f"{what}: the check {v.check} rejects it: {v.text}" for v in answer.failed)
        if answer.error or answer.failed:
            return


def _not_plain(exercise: Exercise) -> Iterator[str]:
    """Yield messages that contain formulas, which are not rendered in messages."""
    messages = {f"the explanation of {id!r}": text for id, text in exercise.misconceptions.items()}
    for question in exercise.auto_graded:
        own = question.messages.items()
        messages |= {f"question {question.name}: {at}": text for at, text in own}
    for check in exercise.checks if exercise.kind == "code" else ():
        messages[f"success_message of the check {check.name}"] = check.success_message
        messages[f"failure_message of the check {check.name}"] = check.failure_message
    yield from (
        f"{what} has $…$; messages are plain text, so write √d_k or q · k"
        for what, text in messages.items()
        if "$" in text
    )


def _missing(exercise: Exercise) -> Iterator[str]:
    """Yield which parts a code exercise lacks, and which texts nobody would read."""
    if len(exercise.wrong) < MIN_WRONG:
        yield f"has {len(exercise.wrong)} edits that make a mistake; expected at least {MIN_WRONG}"
    if len(exercise.also_right) < MIN_ALSO_RIGHT:
        count = len(exercise.also_right)
        yield f"has {count} ALSO_RIGHT answers; expected at least {MIN_ALSO_RIGHT}"
    if not exercise.hints:
        yield "has no hints"
    if not exercise.points:
        yield "is worth no points"
    shown = {id for wrong in exercise.wrong.values() for id in (wrong.misconception, *wrong.also)}
    # Only running a check tells which ids it reports, so it counts which ids its code names.
    for id in sorted(set(exercise.misconceptions) - shown - string_constants(exercise.source)):
        yield f"the misconception {id!r} is explained, but nothing reports it"


def _wrong(exercise: Exercise) -> Iterator[str]:
    rejecting: set[str] = set()
    for name, wrong in exercise.wrong.items():
        for answer in check_answers(exercise, wrong.code):
            rejecting |= {verdict.check for verdict in answer.failed}
            defects = [*_mistold(answer, wrong)]
            yield from (f"the mistake {name}: {defect}" for defect in defects)
            if defects:
                break
    yield from (
        f"the check {check.name} rejects none of the mistakes; a check that cannot fail is a defect"
        for check in exercise.checks
        if exercise.wrong and check.name not in rejecting
    )


def _mistold(answer: CheckedAnswer, wrong: Wrong) -> Iterator[str]:
    """Yield what a learner with this wrong answer is told wrongly, and what is not told."""
    if answer.error is not None:
        yield _does_not_run(answer.error)
        return
    if not answer.failed:
        yield "no check rejects it"
        return
    reported = {verdict.misconception for verdict in answer.failed}
    if wrong.misconception not in reported:
        others = ", ".join(sorted(str(id) for id in reported))
        yield f"no check reports {wrong.misconception!r}; reported: {others}"
    true = {None, wrong.misconception, *wrong.also, *(BUILT_IN - {CHECK_ERROR})}
    for verdict in answer.failed:
        if verdict.misconception not in true:
            yield (
                f"the check {verdict.check} reports {verdict.misconception!r}; if that is true of "
                "this answer, put it into (also …)"
            )
        elif verdict.misconception not in {None, *BUILT_IN} and not verdict.explained:
            yield f"the misconception {verdict.misconception!r} has no explanation"


def _alone(exercise: Exercise) -> Iterator[str]:
    """Yield the checks that fail when only their own code runs, as in the page and notebooks."""
    names, _ = run_answer(exercise, exercise.solution)
    for check in exercise.checks:
        namespace: dict[str, Any] = {}
        try:
            with collecting():
                exec(check_source(exercise, check.name), namespace)
            result = run_check(namespace[check.name], names, exercise=exercise.id)
        except Exception as error:
            yield f"the check {check.name} does not run on its own: {error}"
            continue
        if not result.passed:
            yield f"the check {check.name}, run on its own, rejects the solution: {result.text}"


def collisions(exercises: Sequence[Exercise]) -> list[str]:
    """Return the conflicts between the exercises of one chapter, a sentence each.

    A chapter is one notebook, whose cells share one namespace, and what one exercise withholds is
    taken away from all of them.
    """
    conflicts = []
    owner: dict[str, str] = {}
    for exercise in exercises:
        # A check may ask for what an earlier step defines as well.
        earlier = {name for used in exercise.used for name in used.names}
        for name in exercise.names:
            if name in owner and name not in earlier:
                conflicts.append(f"{exercise.id} and {owner[name]} both ask for {name!r}")
            owner.setdefault(name, exercise.id)
    for exercise in exercises:  # the setup of a quiz is empty
        conflicts += [
            f"{exercise.id}: its setup redefines {name!r}, which {owner[name]} asks for"
            for name in sorted(top_level_names(exercise.setup) & set(owner))
        ]
        conflicts += [
            f"{exercise.id}: its learner's part imports {name}, which {other.id} withholds"
            for other in exercises
            for name in sorted(_imported(exercise.setup) & set(other.withhold))
        ]
    return conflicts


def _imported(source: str) -> set[str]:
    nodes = (node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom))
    return {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
