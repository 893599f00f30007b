"""What a grader must know to grade a chapter, as data that can be sent to its process."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from coursekit.bank import load_sources
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

    def as_json(self) -> dict[str, Any]:
        """Return the task as a JSON object."""
        return asdict(self)

    @property
    def secret_fingerprint(self) -> str:
        """What a row records of the secret, so that another one is noticed; "" for no secret."""
        if not self.secret:
            return ""
        # Published with the results: it takes long to compute, so that nobody tries short secrets.
        slow = hashlib.scrypt(self.secret.encode(), salt=b"coursekit row", n=1 << 14, r=8, p=1)
        return slow[:4].hex()


def task_from_json(fields: dict[str, Any]) -> Task:
    """Return the task that `Task.as_json` described."""
    limits = Limits(**fields["limits"])
    lists = {name: tuple(fields[name]) for name in ("preload", "hidden", "withheld")}
    return Task(**{**fields, **lists, "limits": limits})


def load_exercises(task: Task) -> Sequence[Exercise]:
    """Return the task's exercises, read from the sources that it carries, without a file."""
    chapter = _MEMORY / task.chapter
    return load_sources({chapter / name: text for name, text in task.files.items()}).chapter(
        task.chapter
    )
