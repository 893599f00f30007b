"""What a grader must know to grade a chapter, as data that can be sent to its process."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coursekit.bank import load_sources
from coursekit.command import tell
from coursekit.errors import CoursekitError
from coursekit.grade.limits import Limits
from coursekit.model import Exercise

#: Where the files of a task seem to lie, in messages too: in no course's checkout.
_MEMORY = Path("/in memory")


@dataclass(frozen=True)
class Task:
    """A chapter to be graded.

    Attributes
    ----------
    chapter : str
        The assignment's name.
    files : dict of str to str
        The chapter's exercise files: name to source.
    secret : str
        Moves the hidden checks' random numbers.
    level : str
        The isolation to use; see `coursekit.sandbox.restrictions`.
    preload : tuple of str
        Modules that the fork server imports once.
    hidden : tuple of str
        Folders that learner code must not see.
    withheld : tuple of str
        Library functions that the exercises ask the learner to write.
    limits : Limits
        What each submission may use.
    """

    chapter: str
    files: dict[str, str]
    secret: str
    level: str
    preload: tuple[str, ...]
    hidden: tuple[str, ...]
    withheld: tuple[str, ...]
    limits: Limits

    @property
    def secret_fingerprint(self) -> str:
        """What a row records of the secret, so that another one is noticed; "" for no secret."""
        if not self.secret:
            return ""
        # Published with the results: it takes long to compute, so that nobody tries short secrets.
        slow = hashlib.scrypt(self.secret.encode(), salt=b"coursekit row", n=1 << 14, r=8, p=1)
        return slow[:4].hex()


def task_from_json(fields: dict[str, Any]) -> Task:
    """Return the task of which these are the fields, as `dataclasses.asdict` gives them."""
    limits = Limits(**fields["limits"])
    lists = {name: tuple(fields[name]) for name in ("preload", "hidden", "withheld")}
    return Task(**{**fields, **lists, "limits": limits})


def load_exercises(task: Task) -> Sequence[Exercise]:
    """Return the task's exercises, read from the sources that it carries, without a file."""
    chapter = _MEMORY / task.chapter
    return load_sources({chapter / name: text for name, text in task.files.items()}).chapter(
        task.chapter
    )


# --- the secret -----------------------------------------------------------------------------------

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
            tell("warning: without --secret FILE, anyone can compute the numbers of hidden checks")
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
        tell(
            f"warning: {results} has rows of {task.chapter} that were graded with another secret; "
            "every submission that this run selects is graded again"
        )
