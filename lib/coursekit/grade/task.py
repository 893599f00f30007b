"""What a grader must know to grade a chapter, as data that can be sent to where it runs."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from coursekit.bank import load_bank
from coursekit.grade.grader import VERSION
from coursekit.grade.limits import Limits
from coursekit.model import Exercise


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
        The isolation that is asked for; see `coursekit.sandbox.restrictions`.
    preload : tuple of str
        Modules that the chapter's exercises give to the learner.
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
        """A digest of everything that a grade depends on, the work excepted.

        The secret goes through a slow function: keys are published with the results, and a short
        secret must not be found by trying.
        """
        digest = hashlib.sha256(VERSION.encode())
        for name, source in sorted(self.files.items()):
            digest.update(f"{name}\0{len(source)}\0{source}".encode())
        digest.update(hashlib.scrypt(self.secret.encode(), salt=b"coursekit", n=1 << 14, r=8, p=1))
        return digest.hexdigest()


def task_from_json(told: dict[str, Any]) -> Task:
    """Return the task that `Task.as_json` told."""
    limits = Limits(**told["limits"])
    lists = {name: tuple(told[name]) for name in ("preload", "hidden", "withheld")}
    return Task(**{**told, **lists, "limits": limits})


def load_exercises(task: Task) -> Sequence[Exercise]:
    """Return the task's exercises, read from its own copies of their files."""
    with tempfile.TemporaryDirectory(prefix="coursekit-") as folder:
        chapter = Path(folder, task.chapter)
        chapter.mkdir(mode=0o700)
        for name, source in task.files.items():
            Path(chapter, name).write_text(source, encoding="utf-8")
        return load_bank(folder).chapter(task.chapter)
