"""Find defects of a code exercise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coursekit.bank.define import collecting
from coursekit.bank.mistakes import run_answer, wrong_answers
from coursekit.bank.model import BUILT_IN, Exercise
from coursekit.bank.running import run_check
from coursekit.bank.source import check_source, string_constants
from coursekit.errors import DefinitionError
from coursekit.judge.verdict import CHECK_ERROR
from coursekit.selftest.answers import (
    CheckedAnswer,
    check_answers,
    does_not_run,
    full_marks,
)

MIN_WRONG, MIN_ALSO_RIGHT = 6, 2


def code_problems(exercise: Exercise) -> Iterator[str]:
    """Yield missing parts, answers with a wrong verdict, and checks that need other code."""
    yield from _counts(exercise)
    try:
        yield from _mistakes(exercise)
    except DefinitionError as error:
        yield str(error)
    for name, code in exercise.also_right.items():
        yield from full_marks(exercise, code, f"ALSO_RIGHT {name!r}")
    yield from _alone(exercise)


def _mistakes(exercise: Exercise) -> Iterator[str]:
    """Yield what is wrong with the answers that make mistakes, and which checks accept all."""
    rejecting: set[str] = set()
    # What a check names itself, it has found in the very answer.
    named = string_constants(check_source(exercise, *(check.name for check in exercise.checks)))
    for name, wrong in wrong_answers(exercise).items():
        for answer in check_answers(exercise, wrong.code):
            rejecting |= {verdict.check for verdict in answer.verdicts if not verdict.passed}
            problems = list(_misjudged(answer, wrong.mistake, named))
            yield from (f"the mistake {name!r}: {problem}" for problem in problems)
            if problems:
                break
    yield from (
        f"the check {check.name} accepts all mistakes; a check that cannot fail is a defect"
        for check in exercise.checks
        if exercise.mistakes and check.name not in rejecting
    )


def _misjudged(answer: CheckedAnswer, mistake: str, named: frozenset[str]) -> Iterator[str]:
    """Yield what a learner with this answer is told wrongly, and what is not told."""
    if answer.error is not None:
        yield does_not_run(answer.error)
        return
    failed = [verdict for verdict in answer.verdicts if not verdict.passed]
    if not failed:
        yield "all checks accept it"
        return
    reported = {verdict.misconception for verdict in failed}
    if mistake not in reported:
        others = ", ".join(sorted(str(id) for id in reported))
        yield f"no check names it; named: {others}"
    true = {None, mistake, *named, *(BUILT_IN - {CHECK_ERROR})}
    for verdict in failed:
        if verdict.misconception not in true:
            yield f"the check {verdict.check} takes it for {verdict.misconception!r}"
        elif verdict.misconception not in {None, *BUILT_IN} and not verdict.explained:
            yield f"{verdict.misconception!r}, which it is told, has no text"


def _counts(exercise: Exercise) -> Iterator[str]:
    if (count := sum(len(mistake.edits) for mistake in exercise.mistakes.values())) < MIN_WRONG:
        yield f"has {count} answers that make mistakes; expected at least {MIN_WRONG}"
    if len(exercise.also_right) < MIN_ALSO_RIGHT:
        count = len(exercise.also_right)
        yield f"has {count} ALSO_RIGHT answers; expected at least {MIN_ALSO_RIGHT}"
    if not exercise.hints:
        yield "has no hints"
    if not exercise.points:
        yield "is worth no points"


def _alone(exercise: Exercise) -> Iterator[str]:
    """Yield the checks that fail when only their own code runs, as in the page and notebooks."""
    names = run_answer(exercise, exercise.solution).names
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
