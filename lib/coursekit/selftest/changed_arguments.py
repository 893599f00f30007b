"""An answer that changes its arguments must be rejected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import numpy as np

from coursekit.made import run_answer
from coursekit.model import Exercise
from coursekit.running import run_check


def changed_argument_problems(exercise: Exercise) -> Iterator[str]:
    """Yield the functions that may write into the arrays which they are given."""
    for name in exercise.names:
        names, _ = run_answer(exercise, exercise.solution)
        function = names.get(name)
        if not callable(function) or isinstance(function, type):
            continue
        changed: list[bool] = []
        names[name] = _changing(function, changed)
        checks = [check for check in exercise.checks if name in check.names]
        verdicts = [run_check(check, names, exercise=exercise.id) for check in checks]
        if changed and all(verdict.passed for verdict in verdicts):
            yield (
                f"{name} may change its arguments, and every check passes; "
                f"call it with call_keeping_inputs({name}, …) in a visible check"
            )


def _changing(function: Callable[..., Any], changed: list[bool]) -> Callable[..., Any]:
    """Return the function, which afterwards writes into each array that it was given."""

    @wraps(function)
    def answer(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        for value in (*args, *kwargs.values()):
            if _is_writable(value) and not _share_memory(value, result):
                value += 1
                changed.append(True)
        return result

    return answer


def _is_writable(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.flags.writeable


def _share_memory(value: Any, result: Any) -> bool:
    """Whether the result is a view of an argument: it has to stay right."""
    results = result if isinstance(result, tuple | list) else (result,)
    return any(isinstance(r, np.ndarray) and np.shares_memory(r, value) for r in results)
