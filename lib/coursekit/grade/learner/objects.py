"""Show the grader what the learner's names hold: data by value, the rest by handle."""

from __future__ import annotations

import inspect
import sys
from typing import Any

import numpy as np

from coursekit.grade.values import is_tensor

_DATA = (bool, int, float, complex, str, list, tuple, dict, set, frozenset, range, np.generic)


class Objects:
    """Objects that cannot cross, by number. The same object has the same number."""

    def __init__(self) -> None:
        self._by_number: list[Any] = []
        self._numbers: dict[int, int] = {}

    def __getitem__(self, number: int) -> Any:
        return self._by_number[number]

    def describe(self, value: Any) -> dict[str, Any]:
        """Return the tree of a handle: its number, its kind and its type's name."""
        if id(value) not in self._numbers:
            self._numbers[id(value)] = len(self._by_number)
            self._by_number.append(value)  # keeps it alive, so that no other object gets its id
        return {
            "t": "handle",
            "id": self._numbers[id(value)],
            "kind": kind_of(value),
            "type": type_name(value),
        }


def kind_of(value: Any) -> str:
    """Return ``data``, ``class``, ``function`` (also methods) or ``instance``."""
    if value is None or value is ... or isinstance(value, _DATA) or is_tensor(value):
        return "data"
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return "data"
    if isinstance(value, type):
        return "class"
    if inspect.isroutine(value):
        return "function"
    return "instance"


def type_name(value: Any) -> str:
    """Return the name of a value's type (of a class, its own name)."""
    kind = value if isinstance(value, type) else type(value)
    if isinstance(value, np.ndarray):
        return f"array of {value.dtype.name}"
    return str(getattr(kind, "__name__", "object"))[:80]


def describe_error(error: BaseException) -> dict[str, Any]:
    """Return an exception as data: its type, what it inherits, its text, the learner's line."""
    bases = [c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"]
    return {
        "type": type(error).__name__[:80],
        "bases": bases,
        "message": _text(error),
        "line": _line(error),
        "memory": _is_memory(error),
    }


def _text(error: BaseException) -> str:
    if isinstance(error, SyntaxError) and isinstance(error.msg, str):
        return error.msg[:2000]  # its text would name the cell's number; `_line` has the line
    try:
        return str(error)[:2000]  # a KeyError says the `repr` of its key
    except Exception:
        return ""


def _line(error: BaseException) -> str:
    """Return the last line of the learner's own code that the error passed through."""
    import linecache

    if isinstance(error, SyntaxError) and error.lineno:
        return f"line {error.lineno}: {(error.text or '').strip()[:200]}"
    line = ""
    step = error.__traceback__
    while step is not None:
        name, number = step.tb_frame.f_code.co_filename, step.tb_lineno
        if name.startswith("<cell "):
            line = f"line {number}: {linecache.getline(name, number).strip()[:200]}"
        step = step.tb_next
    return line


def _is_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError):
        return True
    if isinstance(error, ImportError):  # a shared library that the memory left has no room for
        return "failed to map segment" in _text(error)
    return "torch" in sys.modules and "t allocate memory" in _text(error)
