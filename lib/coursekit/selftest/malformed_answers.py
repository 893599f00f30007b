"""Give the checks answers of wrong types and shapes, which they must reject without an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any

import numpy as np

from coursekit.made import run_answer
from coursekit.model import CHECK_ERROR, Check, Exercise
from coursekit.running import run_check

Spoil = Callable[[Any], Any]

#: Replacements for a value, by their names in messages.
_WHOLE: Mapping[str, Spoil] = {
    "None": lambda value: None,
    "a text": lambda value: "text",
    "one number": lambda value: 0.5,
    "an empty list": lambda value: [],
    "a ragged list": lambda value: [[1.0, 2.0], [3.0]],
}
_ARRAY: Mapping[str, Spoil] = {
    "a transposed array": lambda array: array.T,
    "an array with another axis": lambda array: array[None],
    "an array without its last axis": lambda array: array[..., 0],
    "an array without its first row": lambda array: array[1:],
    "an array without its last column": lambda array: array[..., :-1],
    "an array with a row twice": lambda array: np.concatenate([array, array[:1]]),
    "a flat array": lambda array: array.ravel(),
}


def malformed_answer_problems(exercise: Exercise) -> Iterator[str]:
    """Yield a line for each check that raises an exception on a malformed answer."""
    reported: set[str] = set()
    for name in exercise.names:
        checks = [check for check in exercise.checks if name in check.names]
        changes = {check.name: _changes(exercise, name, check) for check in checks}
        for what, spoil in _spoils():
            changed = [c for c in checks if what in changes[c.name] and c.name not in reported]
            if not changed:
                continue
            names, _ = run_answer(exercise, exercise.solution)
            names[name] = _spoiled(names[name], spoil)
            for check in changed:
                result = run_check(check, names, exercise=exercise.id)
                if result.misconception == CHECK_ERROR:
                    reported.add(check.name)
                    yield (
                        f"the check {check.name} raises on {what} for {name}: {result.message} "
                        "Guard it with as_array or expect_shape"
                    )


def _changes(exercise: Exercise, name: str, check: Check) -> set[str]:
    """Return what changes a value that the check sees: anything else is the model solution."""
    names, _ = run_answer(exercise, exercise.solution)
    found: set[str] = set()

    def look(value: Any) -> Any:
        found.update(what for what, spoil in _spoils() if _is_changed(value, spoil))
        return value

    if name in names:
        names[name] = _spoiled(names[name], look)
        run_check(check, names, exercise=exercise.id)
    return found


def _is_changed(value: Any, spoil: Spoil) -> bool:
    try:
        return spoil(value) is not value
    except Exception:
        return True  # the check has to stand that, too


def _spoils() -> Iterator[tuple[str, Spoil]]:
    yield from _WHOLE.items()
    for what, change in _ARRAY.items():
        yield what, _on_arrays(change)
    parts = {"None": _WHOLE["None"]} | {what: _on_arrays(c) for what, c in _ARRAY.items()}
    for place in (0, 1):
        yield from ((f"{what} as part {place + 1}", _at(place, c)) for what, c in parts.items())
    yield "its parts in reverse", lambda value: value[::-1] if isinstance(value, tuple) else value
    yield "its first part alone", lambda value: value[0] if isinstance(value, tuple) else value


def _on_arrays(change: Spoil) -> Spoil:
    def spoil(value: Any) -> Any:
        is_array = isinstance(value, np.ndarray) and value.ndim
        return change(value) if is_array else value

    return spoil


def _at(place: int, change: Spoil) -> Spoil:
    def spoil(value: Any) -> Any:
        if not isinstance(value, tuple) or place >= len(value):
            return value
        return (*value[:place], change(value[place]), *value[place + 1 :])

    return spoil


def _spoiled(value: Any, spoil: Spoil) -> Any:
    """Return the learner's value spoiled; for a function or a class, spoil what it returns."""
    if isinstance(value, type):
        return type(value.__name__, (value,), dict(_methods(value, spoil)))
    return _returning(value, spoil) if callable(value) else spoil(value)


def _methods(kind: type, spoil: Spoil) -> Iterator[tuple[str, Any]]:
    for name, member in vars(kind).items():
        if hasattr(member, "__code__") and (name == "__call__" or not name.startswith("_")):
            yield name, _returning(member, spoil)


def _returning(function: Callable[..., Any], spoil: Spoil) -> Callable[..., Any]:
    @wraps(function)
    def answer(*args: Any, **kwargs: Any) -> Any:
        return spoil(function(*args, **kwargs))

    return answer
