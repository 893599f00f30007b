"""Run the answers in exercise files: starters, solutions, wrong answers and other right ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from coursekit.errors import DefinitionError
from coursekit.model import Check, Exercise, Wrong
from coursekit.running import CheckResult, run_check

#: Hidden checks draw other numbers for each secret; the verdict must be the same for all.
SECRETS = ("a secret", "another secret")


@dataclass(frozen=True)
class Outcome:
    """The result of one answer: the exception that stopped it, or each check's verdict."""

    error: str
    results: tuple[CheckResult, ...]


def outcomes(exercise: Exercise, code: str) -> Iterator[Outcome]:
    """Run an answer and all checks, then again the checks that depend on the secret."""
    first = outcome(exercise, code)
    yield first
    names, error = run_answer(exercise, code)
    drawn = [check.hidden and "rng" in check.parameters for check in exercise.checks]
    for secret in SECRETS if any(drawn) else ():
        yield Outcome(
            error,
            tuple(
                _run(exercise, check, names, secret) if again else result
                for check, result, again in zip(exercise.checks, first.results, drawn, strict=True)
            ),
        )


def outcome(exercise: Exercise, code: str) -> Outcome:
    """Run an answer and all checks."""
    names, error = run_answer(exercise, code)
    return Outcome(error, tuple(_run(exercise, check, names) for check in exercise.checks))


def run_answer(exercise: Exercise, code: str) -> tuple[dict[str, Any], str]:
    """Run an answer after the exercise's setup; return the names it defines and its exception.

    Nothing confines it, so it is only for answers from exercise files.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    try:
        exec(compile(exercise.setup, "<setup>", "exec"), names)
        exec(compile(code, "<answer>", "exec"), names)
    except Exception as raised:
        return names, f"{type(raised).__name__}: {raised}"
    return names, ""


def _run(exercise: Exercise, check: Check, names: dict[str, Any], secret: str = "") -> CheckResult:
    explained = exercise.misconceptions
    return run_check(check, names, exercise=exercise.id, misconceptions=explained, secret=secret)


def wrong_code(exercise: Exercise, wrong: Wrong) -> str:
    """Return the code of a wrong answer, which may be declared as edits of the solution."""
    if wrong.code is not None:
        return wrong.code
    code = exercise.solution
    for old, new in wrong.replace.items():
        if old not in code:
            raise DefinitionError(f"the solution has no {old!r} to replace")
        code = code.replace(old, new)
    return code


def full_marks(exercise: Exercise, code: str, what: str) -> Iterator[str]:
    """Yield the reasons why a right answer does not get full marks."""
    for run in outcomes(exercise, code):
        if run.error:
            yield f"{what}: does not run: {run.error}"
            return
        failed = [result for result in run.results if not result.passed]
        yield from (f"{what}: the check {r.check} rejects it: {r.text}" for r in failed)
        if failed:
            return
