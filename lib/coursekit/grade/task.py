"""Tell a grader what it must know to grade a chapter, as data for its process."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from coursekit.bank.load import load_sources
from coursekit.bank.model import Exercise
from coursekit.grade.grader import VERSION
from coursekit.grade.limits import Limits

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
    def version(self) -> str:
        """A digest of everything that a grade depends on, except the work itself."""
        digest = hashlib.sha256(VERSION.encode())
        for name, source in sorted(self.files.items()):
            digest.update(f"{name}\0{len(source)}\0{source}".encode())
        digest.update(_slow_digest(self.secret, b"coursekit"))
        return digest.hexdigest()

    @property
    def secret_fingerprint(self) -> str:
        """What a row records of the secret, so that another one is noticed; "" for no secret."""
        return _slow_digest(self.secret, b"coursekit row")[:4].hex() if self.secret else ""


def _slow_digest(secret: str, salt: bytes) -> bytes:
    """Return a digest that takes long to compute.

    Keys and fingerprints are published with the results, and must not let anybody find a short
    secret by trying.
    """
    return hashlib.scrypt(secret.encode(), salt=salt, n=1 << 14, r=8, p=1)


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
