"""What a page may say of the right result of graded work: its shape and its range, no more."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from coursekit.live.example import first_call
from coursekit.model import Exercise


def expected(exercise: Exercise) -> dict[str, Any] | None:
    """Return shape and range of what the solution returns for the page's example, rounded.

    None where the exercise is no graded function that a page can run, or returns anything but one
    array of numbers.
    """
    if exercise.practice or exercise.notebook_only or exercise.questions:
        return None
    visible = [check for check in exercise.checks if not check.hidden]
    return (
        _facts(exercise.id, exercise.groundwork + exercise.setup, exercise.solution, visible[0])
        if visible
        else None
    )


@functools.lru_cache(maxsize=1000)
def _facts(id: str, setup: str, solution: str, check: Any) -> dict[str, Any] | None:
    names: dict[str, Any] = {}
    exec(setup, names)
    exec(compile(solution, "the solution", "exec"), names)
    call = first_call(check, names)
    result = call.result if call else None
    if not isinstance(result, np.ndarray) or result.dtype.kind not in "biuf" or not result.size:
        return None
    ends = float(np.nanmin(result)), float(np.nanmax(result))
    low, high = (float(f"{end:.3g}") for end in ends)
    return (
        {"shape": list(result.shape), "low": low, "high": high} if np.isfinite(ends).all() else None
    )
