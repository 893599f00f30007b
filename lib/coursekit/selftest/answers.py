"""Run the answers in exercise files: starters, solutions, wrong answers and other right ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from coursekit.bank.alone import verdicts_on
from coursekit.bank.mistakes import run_answer, verdict_on
from coursekit.bank.model import Exercise
from coursekit.judge.stopped import limited
from coursekit.judge.verdict import Verdict

#: Hidden checks draw other numbers for each secret; the verdict must be the same for all.
SECRETS = ("a secret", "another secret")
#: More than any learner waits for: authors' machines may be busy.
_SECONDS = 60.0


@dataclass(frozen=True)
class CheckedAnswer:
    """One answer: the error that it raised, if any, and each check's verdict on it."""

    error: BaseException | None
    verdicts: tuple[Verdict, ...]


def check_answers(exercise: Exercise, code: str) -> Iterator[CheckedAnswer]:
    """Run an answer and all checks; then, for other secrets, again what follows a secret."""
    first = check_answer(exercise, code)
    yield first
    drawn = [check.hidden and "rng" in check.parameters for check in exercise.checks]
    if not any(drawn):
        return
    ran = run_answer(exercise, code)
    for secret in SECRETS:
        yield CheckedAnswer(
            first.error,
            tuple(
                verdict_on(exercise, check, ran.names, secret=secret) if again else verdict
                for check, verdict, again in zip(
                    exercise.checks, first.verdicts, drawn, strict=True
                )
            ),
        )


def check_answer(exercise: Exercise, code: str, seconds: float = _SECONDS) -> CheckedAnswer:
    """Run an answer, then all checks; what takes more than ``seconds`` is stopped."""
    with limited(seconds):
        ran = run_answer(exercise, code)
        verdicts = verdicts_on(ran, exercise.checks, partial(verdict_on, exercise))
    return CheckedAnswer(ran.error, verdicts)


def does_not_run(error: BaseException) -> str:
    """Return the line that names what an answer raised."""
    return f"does not run: {type(error).__name__}: {error}"


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
