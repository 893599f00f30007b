"""Name the cells of exercises: each has an id, which is its nbgrader grade id, too."""

from __future__ import annotations

import hashlib
from typing import Literal

Role = Literal[
    "statement",
    "figure",
    "hints",
    "answer",
    "restored",
    "checks",
    "check",
    "text",
    "rubric",
    "gate",
    "progress",
]

#: Longest cell id that a notebook may have (characters).
_ID_LENGTH = 64


def cell_id(exercise: str, role: Role, item: str = "") -> str:
    """Return a cell's id, ``<exercise>-<role>-<item>``; a hash ends one that would be too long."""
    id = "-".join(part for part in (exercise, role, item) if part)
    if len(id) <= _ID_LENGTH:
        return id
    digest = hashlib.sha256(id.encode()).hexdigest()[:8]
    return f"{id[: _ID_LENGTH - 9]}-{digest}"
