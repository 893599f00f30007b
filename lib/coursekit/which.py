"""Which of the known mistakes an answer shows: one rule for arrays, shapes, numbers and lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def which(mistakes: Mapping[str, T], fits: Callable[[T], bool]) -> str | None:
    """Return the one mistake that an answer shows.

    Where several fit, the answer does not tell which was made, and none is named.

    Parameters
    ----------
    mistakes : mapping of str to object
        A misconception's id to what that mistake gives.
    fits : callable
        Whether the answer is what a mistake gives.
    """
    fitting = [id for id, wrong in mistakes.items() if fits(wrong)]
    return fitting[0] if len(fitting) == 1 else None


def in_common(fitting: Sequence[Sequence[str]]) -> str | None:
    """Return the first id that all fitting mistakes show, each given with its ids."""
    first, *others = fitting or [()]
    return next((id for id in first if all(id in other for other in others)), None)
