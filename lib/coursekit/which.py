"""Which of the known mistakes an answer shows: one rule for arrays, shapes, numbers and lines."""

from __future__ import annotations

from collections.abc import Sequence


def in_common(fitting: Sequence[Sequence[str]]) -> str | None:
    """Return the first id that all fitting mistakes show, each given with its ids."""
    first, *others = fitting or [()]
    return next((id for id in first if all(id in other for other in others)), None)
