"""Let the fork server import what honest work imports, some of it on first use only.

Libraries put imports off: torch loads five hundred modules for the first ``backward()``, and numpy
its random numbers when they are first asked for. Without this, every submission would pay for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from coursekit.grade.attempt import Attempt
from coursekit.grade.limits import Limits
from coursekit.grade.notebook_file import Cell
from coursekit.grade.session import Session, SessionOver
from coursekit.made import known_of
from coursekit.model import Exercise
from coursekit.running import run_check
from coursekit.sandbox.sandbox import Sandbox


def warm_up(exercises: Sequence[Exercise], sandbox: Sandbox, limits: Limits) -> bool:
    """Preload what a process imports in which the exercises' own solutions are graded.

    That process is confined like any other and runs the course's code alone: no learner has a say
    in what is imported. The fork server learns names of modules, nothing of solutions and checks.

    Returns
    -------
    bool
        Whether the solutions fare as well after it. A module that cannot be imported in the fork
        server may leave its library half loaded, and another sandbox is needed.

    Raises
    ------
    SandboxError
        No process can be confined.
    """
    modules, points = _solved(exercises, sandbox, limits)
    sandbox.preload(modules)
    return _solved(exercises, sandbox, limits)[1] == points


def _solved(
    exercises: Sequence[Exercise], sandbox: Sandbox, limits: Limits
) -> tuple[list[str], float]:
    """Grade the solutions; return the modules that their process has imported, and the points."""
    attempt = Attempt(exercises, partial(Session, sandbox, limits), run_check, known_of)
    modules: Any = []
    try:
        attempt.through([Cell(e.solution, True, exercise=e.id, role="answer") for e in exercises])
        modules = attempt.session.request(limits.call_seconds, do="modules")
    except SessionOver:  # a course whose solutions fail is graded all the same
        pass
    finally:
        attempt.close()
    return modules, sum(verdict.points for verdict in attempt.verdicts.values())
