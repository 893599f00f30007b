"""Runs code step by step: which names each line gave a value, with their shapes and values."""

from __future__ import annotations

import html
import sys
from collections import UserDict
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import Any

import numpy as np

#: Steps that are kept; the code then runs on without being watched.
MOST_STEPS = 300
_ROWS = 12
_ROOM = 80  # characters of a value
#: Numbers of an array that are read for a change in place.
_READ = 1_000_000
#: Values that may change in place, and are compared by their text.
_PLAIN = (list, tuple, dict, set, str, bytes, int, float, complex, type(None))


@dataclass
class Step:
    """A line that was run: by name, shape and value of what it changed and of what it found."""

    line: int
    function: str
    changed: dict[str, tuple[str, str]]
    known: dict[str, tuple[str, str]]

    def html(self) -> str:
        """Return the names as a table, those that this line changed first and marked."""
        shown = list({**self.changed, **self.known}.items())[: max(_ROWS, len(self.changed))]
        head = "".join(f'<th scope="col">{word}</th>' for word in ("Name", "Shape", "Value"))
        rows = "".join(_row(name, cells, name in self.changed) for name, cells in shown)
        table = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
        return f'<table class="ck-trace-names">{table}</table>'


def _row(name: str, cells: tuple[str, ...], is_new: bool) -> str:
    mark = ' class="ck-trace-new"' if is_new else ""
    note = '<span class="ck-spoken"> new</span>' if is_new else ""
    head = f'<th scope="row"><code>{html.escape(name)}</code>{note}</th>'
    return f"<tr{mark}>{head}{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>"


class Watched(UserDict[str, Any]):
    """The names of a module while its code runs; ``given`` are those that got a value last."""

    def __init__(self, names: dict[str, Any]) -> None:
        super().__init__()
        self.data = names
        self.given: set[str] = set()

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        self.given.add(name)  # an earlier run may have left it there with the same value


@dataclass
class _Place:
    """Where a running function is: its line, its names as seen last, and what steps have shown."""

    line: int
    signs: dict[str, Any]
    known: dict[str, tuple[str, str]]


class Tracer:
    """Records the lines of one file while something runs."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.steps: list[Step] = []
        self._places: dict[FrameType, _Place] = {}
        self._of_module: dict[str, tuple[str, str]] = {}  # its code may run in parts

    @property
    def is_cut(self) -> bool:
        """Whether there were more steps than are kept."""
        return len(self.steps) >= MOST_STEPS

    def run(self, work: Callable[[], Any]) -> Any:
        """Return what ``work`` returns; its lines are then in ``steps``, also where it raised."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            return work()
        finally:
            sys.settrace(before)
            self._places.clear()

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        is_module = code.co_name == "<module>"
        # A comprehension is one line of what is around it.
        is_inside = code.co_name.startswith("<") and not is_module
        if code.co_filename != self.file or self.is_cut or is_inside:
            return None
        # A module has names of other cells already, a function only its arguments.
        place = _Place(0, _signs(frame), self._of_module) if is_module else _Place(0, {}, {})
        self._places[frame] = place
        self._keep(frame, code.co_firstlineno, {})
        return self._line

    def _line(self, frame: FrameType, event: str, value: Any) -> Any:
        place = self._places[frame]
        if event in ("line", "return") and place.line:
            is_result = event == "return" and frame.f_code.co_name != "<module>"
            result = {"return": value} if is_result and value is not None else {}
            self._keep(frame, place.line, result)
        if event == "line":
            place.line = frame.f_lineno
        return None if self.is_cut else self._line

    def _keep(self, frame: FrameType, line: int, result: dict[str, Any]) -> None:
        """Keep a step if names got a value, or changed in place, since the last one."""
        place, names, signs = self._places[frame], frame.f_locals, _signs(frame)
        changed = {name for name, sign in signs.items() if place.signs.get(name) != sign}
        if isinstance(names, Watched):
            changed |= names.given & signs.keys()
            names.given.clear()
        place.signs = signs
        for name in place.known.keys() - signs.keys():
            del place.known[name]
        found = {name: value for name, value in names.items() if name in changed} | result
        rows = {name: (_shape(value), _text(value)) for name, value in found.items()}
        if rows and not self.is_cut:
            function = frame.f_code.co_name.strip("<>")
            self.steps.append(Step(line, function, rows, dict(place.known)))
            place.known.update(rows)


def _signs(frame: FrameType) -> dict[str, Any]:
    """Return by name what differs once a value has changed, in place too."""
    return {
        name: _sign(value)
        for name, value in frame.f_locals.items()
        if not (name.startswith("_") or isinstance(value, ModuleType) or callable(value))
    }


def _sign(value: Any) -> Any:
    if isinstance(value, np.ndarray) and not value.dtype.hasobject and value.size <= _READ:
        return value.shape, value.dtype.str, hash(value.tobytes())
    return type(value), _repr(value) if isinstance(value, _PLAIN) else id(value)


def _shape(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return str(tuple(shape)) if isinstance(shape, tuple) else ""


def _text(value: Any) -> str:
    with np.printoptions(precision=4, suppress=True, threshold=12, edgeitems=2):
        text = " ".join((str(value) if isinstance(value, np.ndarray) else _repr(value)).split())
    return text if len(text) <= _ROOM else f"{text[:_ROOM]}…"


def _repr(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # an object that is not finished
        return f"<{type(value).__name__}>"


def as_data(tracer: Tracer) -> dict[str, Any]:
    """Return the steps for a page: of each its line, its function and its names as HTML."""
    steps = [{"line": s.line, "function": s.function, "html": s.html()} for s in tracer.steps]
    return {"steps": steps, "cut": tracer.is_cut}
