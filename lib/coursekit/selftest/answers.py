"""Run the bank's own answers: starters, solutions, wrong ones and other right ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from coursekit.errors import DefinitionError
from coursekit.model import Exercise, Wrong
from coursekit.running import CheckResult, run_check

#: Hidden checks draw other numbers for each; an answer must be judged alike with all of them.
SECRETS = ("", "a secret", "another secret")


@dataclass(frozen=True)
class Outcome:
    """What became of one answer: the error that stopped it, or each check's verdict."""

    error: str
    results: tuple[CheckResult, ...]


def outcomes(exercise: Exercise, code: str) -> Iterator[Outcome]:
    """Run an answer and all checks, once for each secret that makes a difference."""
    drawn = any(check.hidden and "rng" in check.parameters for check in exercise.checks)
    for secret in SECRETS if drawn else SECRETS[:1]:
        yield outcome(exercise, code, secret)


def outcome(exercise: Exercise, code: str, secret: str = "") -> Outcome:
    """Run an answer after the exercise's setup, then all checks.

    Unconfined: for the bank's own answers only.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    error = ""
    try:
        exec(compile(exercise.setup, "<setup>", "exec"), names)
        exec(compile(code, "<answer>", "exec"), names)
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"
    results = (
        run_check(
            check,
            names,
            exercise=exercise.id,
            misconceptions=exercise.misconceptions,
            secret=secret,
        )
        for check in exercise.checks
    )
    return Outcome(error, tuple(results))


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
        yield from (f"{what}: the check {r.check} rejects it: {r.message}" for r in failed)
        if failed:
            return
