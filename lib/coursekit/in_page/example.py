"""Find an exercise's example: the first call of its first visible check, and its result."""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from coursekit.bank.running import run_check
from coursekit.judge.checks import Check

_LONGEST = 400  # characters of an array that is shown whole


class _Seen(BaseException):
    """Ends a check after the call that was wanted."""


@dataclass
class Call:
    """A call of the learner's function: its arguments by name, and its result or its error."""

    function: str
    arguments: dict[str, Any]
    result: Any = None
    error: BaseException | None = None

    def text(self) -> str:
        """Return the call as lines: arguments with their shapes, then the result."""
        width = max(map(len, self.arguments), default=0)
        lines = [f"Example: {self.function}({', '.join(self.arguments)})"]
        for name, value in self.arguments.items():
            indent = " " * (width + 4)
            lines.append(f"  {name:<{width}}  {in_lines(value, indent)}")
        if self.error is None:
            lines.append(f"→ {in_lines(self.result, '  ')}")
        return "\n".join(lines)


def in_lines(value: Any, indent: str) -> str:
    """Return a value for a reader: an array with its shape, whole if it is small."""
    if isinstance(value, tuple) and any(isinstance(each, np.ndarray) for each in value):
        return "\n".join(f"{in_lines(each, indent)}" for each in value)
    if isinstance(value, dict) and any(isinstance(each, np.ndarray) for each in value.values()):
        return ("\n" + indent).join(f"{key!r}: {_entry(each)}" for key, each in value.items())
    if callable(value) and hasattr(value, "__name__"):
        return f"the {'class' if isinstance(value, type) else 'function'} {value.__name__}"
    if not isinstance(value, np.ndarray) or value.ndim == 0:
        return f"{value!r}"[:_LONGEST]
    shape = f"shape {value.shape}"
    text = np.array2string(value, precision=4, suppress_small=True)
    if len(text) > _LONGEST:
        return shape
    separate = "\n" + indent
    return f"{shape}{separate if value.ndim > 1 else '  '}{text.replace(chr(10), separate)}"


def _entry(value: Any) -> str:
    """Return an entry of a dictionary in few words."""
    return f"shape {value.shape}" if isinstance(value, np.ndarray) else f"{value!r}"[:60]


def first_call(check: Check, names: Mapping[str, Any]) -> Call | None:
    """Return the first call that a check makes of a function or class in ``names``, if any."""
    found: list[Call] = []
    recording = {
        name: _recorder(name, names[name], found)
        for name in check.names
        if callable(names.get(name))
    }
    with contextlib.suppress(BaseException):  # what a check makes of it is not asked
        run_check(check, {**names, **recording}, exercise="", misconceptions={})
    return found[0] if found else None


def _recorder(name: str, function: Callable[..., Any], found: list[Call]) -> Callable[..., Any]:
    @functools.wraps(function, updated=())
    def recorded(*args: Any, **options: Any) -> Any:
        call = Call(name, _by_name(function, args, options))
        found.append(call)
        try:
            call.result = function(*args, **options)
        except BaseException as error:
            call.error = error
        raise _Seen

    return recorded


def _by_name(
    function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
) -> dict[str, Any]:
    try:
        bound = dict(inspect.signature(function).bind(*args, **options).arguments)
    except (TypeError, ValueError):
        bound = {f"argument {number}": value for number, value in enumerate(args, 1)} | options
    return copy.deepcopy(bound)
