"""Run the answers in exercise files: starters, solutions, wrong answers and other right ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from coursekit.made import known_of, run_answer
from coursekit.model import Check, Exercise
from coursekit.running import run_check
from coursekit.verdict import Verdict

#: Hidden checks draw other numbers for each secret; the verdict must be the same for all.
SECRETS = ("a secret", "another secret")


@dataclass(frozen=True)
class CheckedAnswer:
    """One answer: the error that it raised, if any, and each check's verdict on it."""

    error: Exception | None
    verdicts: tuple[Verdict, ...]


def check_answers(exercise: Exercise, code: str) -> Iterator[CheckedAnswer]:
    """Run an answer and all checks; then, for other secrets, again what follows a secret."""
    first = check_answer(exercise, code)
    yield first
    names, error = run_answer(exercise, code)
    drawn = [check.hidden and "rng" in check.parameters for check in exercise.checks]
    for secret in SECRETS if any(drawn) else ():
        yield CheckedAnswer(
            error,
            tuple(
                _run(exercise, check, names, secret) if again else verdict
                for check, verdict, again in zip(
                    exercise.checks, first.verdicts, drawn, strict=True
                )
            ),
        )


def check_answer(exercise: Exercise, code: str) -> CheckedAnswer:
    """Run an answer, then all checks."""
    names, error = run_answer(exercise, code)
    return CheckedAnswer(error, tuple(_run(exercise, check, names) for check in exercise.checks))


def does_not_run(error: Exception) -> str:
    """Return the line that names what an answer raised."""
    return f"does not run: {type(error).__name__}: {error}"


def _run(exercise: Exercise, check: Check, names: dict[str, Any], secret: str = "") -> Verdict:
    return run_check(
        check,
        names,
        exercise=exercise.id,
        misconceptions=exercise.misconceptions,
        secret=secret,
        without_torch=exercise.without_torch,
        known=partial(known_of, exercise, check, secret),
    )


def full_marks(exercise: Exercise, code: str, what: str) -> Iterator[str]:
    """Yield why an answer that is right does not get full marks."""
    for answer in check_answers(exercise, code):
        if answer.error is not None:
            yield f"{what}: {does_not_run(answer.error)}"
            return
        failed = [verdict for verdict in answer.verdicts if not verdict.passed]
        yield from (f"{what}: the check {v.check} rejects it: {v.text}" for v in failed)
        if failed:
            return
