"""The instructor's secret, which moves the random numbers of hidden checks."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from coursekit.bank.model import Exercise
from coursekit.errors import CoursekitError
from coursekit.grade.task import Task

_SHORTEST = 16


def read_secret(path: Path | None, results: Path, exercises: Sequence[Exercise]) -> str:
    """Return the secret in a file, or "" for none; warn where hidden checks would need one.

    Raises
    ------
    CoursekitError
        The file holds no text or too little, or is the results file.
    """
    if path is None:
        if any(check.hidden for exercise in exercises for check in exercise.checks):
            print(
                "warning: without --secret FILE, anyone can compute the numbers that hidden checks "
                "use",
                file=sys.stderr,
            )
        return ""
    if path.resolve() == results.resolve():
        raise CoursekitError(f"{path}: given for --secret and for --results; expected two files")
    try:
        text = path.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise CoursekitError(f"{path}: not a text file; expected a secret on one line") from None
    if len(text) < _SHORTEST:
        raise CoursekitError(
            f"{path}: {len(text)} characters; expected a secret of at least {_SHORTEST}"
        )
    return text


def check_secret(stored: Collection[str], task: Task, results: Path) -> None:
    """Compare the secret with the one that the rows in the results file were graded with.

    A run with another secret grades all of them again, which is announced. A run without one would
    do the same with numbers that anyone can compute, which is more likely a slip.

    Parameters
    ----------
    stored : collection of str
        The fingerprints in the chapter's rows; see `Task.secret_fingerprint`.
    task : Task
        What is to be graded.
    results : Path
        The results file.

    Raises
    ------
    CoursekitError
        Rows were graded with a secret, and this run has none.
    """
    others = set(stored) - {"", task.secret_fingerprint}
    if others and not task.secret:
        raise CoursekitError(
            f"{results}: its rows of {task.chapter} were graded with a secret; expected the same "
            "--secret FILE, or another --results file"
        )
    if others:
        print(
            f"warning: {results} has rows of {task.chapter} that were graded with another secret; "
            "every submission that this run selects is graded again",
            file=sys.stderr,
        )
