"""What an attack is.

It is one or more cells: their source, or the cell itself. A cell before them defines PORT, where
someone listens, OUTSIDE, a folder that anyone may write to, and the paths BANK, SUBMITTED, SECRET
and RESULTS. An attack that finds what it must not find answers the quiz question ``even`` rightly:
that is how a test sees a leak. What a leak test looks for it holds backwards, so as not to find
itself.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

#: Finds the server of the submission's process, in a cell before the one that attacks it.
SERVER = """
import sys

frame = sys._getframe()
while type(frame.f_locals.get("self")).__name__ != "Server":
    frame = frame.f_back
server = frame.f_locals["self"]
"""
ANY = ("graded", "needs_review", "timeout", "memory", "crashed")


@dataclass(frozen=True)
class Attack:
    """Cells, and the statuses that their row may have."""

    cells: tuple[str | dict[str, Any], ...]
    status: tuple[str, ...]


def attack(*cells: str | dict[str, Any], status: str = "graded") -> Attack:
    """Return an attack; ``status`` may name several, separated by spaces, or be ``any``."""
    allowed = ANY if status == "any" else tuple(status.split())
    return Attack(tuple(c if isinstance(c, dict) else inspect.cleandoc(c) for c in cells), allowed)
