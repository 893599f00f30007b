"""Run the bank's own answers: starters, solutions, wrong ones and other right ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from coursekit.errors import DefinitionError
from coursekit.model import Check, Exercise, Wrong
from coursekit.running import CheckResult, run_check

#: Hidden checks draw other numbers for each; an answer must be judged alike with all of them.
SECRETS = ("a secret", "another secret")


@dataclass(frozen=True)
class Outcome:
    """What became of one answer: the error that stopped it, or each check's verdict."""

    error: str
    results: tuple[CheckResult, ...]


def outcomes(exercise: Exercise, code: str) -> Iterator[Outcome]:
    """Run an answer and all checks; then, for other secrets, again what follows a secret."""
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
    """Run an answer, then all checks."""
    names, error = run_answer(exercise, code)
    return Outcome(error, tuple(_run(exercise, check, names) for check in exercise.checks))


def run_answer(exercise: Exercise, code: str) -> tuple[dict[str, Any], str]:
    """Run an answer after the exercise's setup; return what it defines, and what it raised.

    Unconfined: for the bank's own answers only.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    try:
        exec(compile(exercise.setup, "<setup>", "exec"), names)
        exec(compile(code, "<answer>", "exec"), names)
    except Exception as raised:
        return names, f"{type(raised).__name__}: {raised}"
    return names, ""


def _run(exercise: Exercise, check: Check, names: dict[str, Any], secret: str = "") -> CheckResult:
    told = exercise.misconceptions
    return run_check(check, names, exercise=exercise.id, misconceptions=told, secret=secret)


def wrong_code(exercise: Exercise, wrong: Wrong) -> str:
    """Return the code of a wrong answer: its own, or the edited solution."""
    if wrong.code is not None:
        return wrong.code
    code = exercise.solution
    for old, new in wrong.replace.items():
        if old not in code:
            raise DefinitionError(f"the solution has no {old!r} to replace")
        code = code.replace(old, new)
    return code


def full_marks(exercise: Exercise, code: str, what: str) -> Iterator[str]:
    """Yield why an answer that is right does not get full marks."""
    for seen in outcomes(exercise, code):
        if seen.error:
            yield f"{what}: does not run: {seen.error}"
            return
        failed = [result for result in seen.results if not result.passed]
        yield from (f"{what}: the check {r.check} rejects it: {r.text}" for r in failed)
        if failed:
            return
