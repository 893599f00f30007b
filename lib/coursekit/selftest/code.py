"""Defects of a code exercise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from coursekit.define import collecting
from coursekit.made import run_answer
from coursekit.model import BUILT_IN, Exercise, Wrong
from coursekit.running import run_check
from coursekit.selftest.answers import (
    CheckedAnswer,
    check_answers,
    does_not_run,
    full_marks,
)
from coursekit.source import check_source
from coursekit.verdict import CHECK_ERROR, Verdict

MIN_WRONG, MIN_ALSO_RIGHT = 6, 2


def code_problems(exercise: Exercise) -> Iterator[str]:
    """Yield missing parts, answers with a wrong verdict, and checks that need other code."""
    yield from _counts(exercise)
    yield from _wrong(exercise)
    for name, code in exercise.also_right.items():
        yield from full_marks(exercise, code, f"ALSO_RIGHT {name!r}")
    yield from _alone(exercise)


def _wrong(exercise: Exercise) -> Iterator[str]:
    rejecting: set[str] = set()
    for name, wrong in exercise.wrong.items():
        for answer in check_answers(exercise, wrong.code):
            rejecting |= {verdict.check for verdict in answer.verdicts if not verdict.passed}
            problems = list(_not_rejected(answer, wrong))
            yield from (f"the mistake {name}: {problem}" for problem in problems)
            if problems:
                break
    yield from (
        f"the check {check.name} rejects none of the mistakes; a check that cannot fail is a defect"
        for check in exercise.checks
        if exercise.wrong and check.name not in rejecting
    )


def _not_rejected(answer: CheckedAnswer, wrong: Wrong) -> Iterator[str]:
    if answer.error is not None:
        yield does_not_run(answer.error)
        return
    failed = [verdict for verdict in answer.verdicts if not verdict.passed]
    if not failed:
        yield "no check rejects it"
        return
    yield from _not_told(failed, wrong)


def _not_told(failed: Sequence[Verdict], wrong: Wrong) -> Iterator[str]:
    """Yield what a learner with this answer is told wrongly, and what is not told."""
    reported = {verdict.misconception for verdict in failed}
    if wrong.misconception not in reported:
        others = ", ".join(sorted(str(id) for id in reported)) or "nothing"
        yield f"no check reports {wrong.misconception!r}; reported: {others}"
    true = {None, wrong.misconception, *wrong.also, *(BUILT_IN - {CHECK_ERROR})}
    for verdict in failed:
        if verdict.misconception not in true:
            yield (
                f"the check {verdict.check} reports {verdict.misconception!r}; if that is true of "
                "this answer, put it into (also …)"
            )
        elif verdict.misconception not in {None, *BUILT_IN} and not verdict.explained:
            yield f"the misconception {verdict.misconception!r} has no explanation"


def _counts(exercise: Exercise) -> Iterator[str]:
    if len(exercise.wrong) < MIN_WRONG:
        yield f"has {len(exercise.wrong)} edits that make a mistake; expected at least {MIN_WRONG}"
    if len(exercise.also_right) < MIN_ALSO_RIGHT:
        count = len(exercise.also_right)
        yield f"has {count} ALSO_RIGHT answers; expected at least {MIN_ALSO_RIGHT}"
    if not exercise.hints:
        yield "has no hints"
    if not exercise.points:
        yield "is worth no points"


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
