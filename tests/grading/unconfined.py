"""Grading in this process, for tests of what comes before a submission runs and after it.

Grader, checks, rows and the command are the real ones; no sandbox starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from coursekit.errors import DefinitionError
from coursekit.grade.grader import Grader
from coursekit.grade.limits import Limits
from coursekit.grade.pool import Done, Job
from coursekit.grade.session import raise_remote
from coursekit.grade.task import Task, load_exercises
from coursekit.sandbox.sandbox import Sandbox

NO_SANDBOX = cast(Sandbox, SimpleNamespace(mechanisms=["none"], close=lambda: None))


class _Session:
    """Runs the cells of trusted work, and answers as `coursekit.grade.session.Session` does."""

    over, has_graphs, is_idle, deadline = None, False, False, 0.0

    def __init__(self, sandbox: Sandbox, limits: Limits, deadline: float | None = None) -> None:
        self.limits, self.troubles, self.not_importable = limits, list[str](), list[str]()
        self._space: dict[str, Any] = {"__name__": "__main__"}

    def request(self, seconds: float, do: str, source: str = "", names: Sequence[str] = ()) -> Any:
        if do == "names":
            return {name: self._space[name] for name in names if name in self._space}
        try:
            exec(source, self._space)
        except Exception as error:
            raise_remote({"type": type(error).__name__, "message": str(error)})

    def close(self) -> None:
        pass


def grade_here(
    task: Task, jobs: Iterable[Job], *, workers: int = 1, alone: bool = False
) -> Iterator[Done]:
    """Yield the outcome of every job, as workers do."""
    grader = Grader(load_exercises(task), NO_SANDBOX, task.limits, task.secret)
    for label, data, warnings in jobs:
        yield label, grader.grade(data, warnings).as_json(), task.level


def _no_course() -> Path:
    raise DefinitionError("no course here")


@contextmanager
def in_this_process() -> Iterator[None]:
    """Let ``coursekit grade`` grade here, and the command read no exercises but the tests'."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("coursekit.command.default_folder", _no_course)
        patch.setattr("coursekit.grade.cli.open_sandbox", lambda task: NO_SANDBOX)
        patch.setattr("coursekit.grade.cli.grade_on_this_machine", grade_here)
        patch.setattr("coursekit.grade.attempt.Session", _Session)
        yield
