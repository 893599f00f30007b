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
    """The names of a module while its code runs in parts, each of which has a frame.

    ``given`` are those that got a value last; ``known`` has what steps have shown of them.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        super().__init__()
        self.data = names
        self.given: set[str] = set()
        self.known: dict[str, tuple[str, str]] = {}

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        self.given.add(name)  # an earlier run may have left it there with the same value


class _Frame:
    """A running function or module: its line, and its names at that line."""

    def __init__(self, frame: FrameType) -> None:
        self._frame = frame
        self.line = 0
        self.function = frame.f_code.co_name
        names = frame.f_locals
        self.known: dict[str, Any] = names.known if isinstance(names, Watched) else {}
        # A module has names of other cells already, a function only its arguments.
        self._signs = self._signs_now() if self.function == "<module>" else {}

    def _signs_now(self) -> dict[str, Any]:
        names = self._frame.f_locals.items()
        return {n: _sign(v) for n, v in names if not n.startswith("_") and _is_shown(v)}

    def changed(self) -> dict[str, Any]:
        """Return the names that got a value, or changed in place, since this was last asked."""
        names, before = self._frame.f_locals, self._signs
        self._signs = self._signs_now()
        for name in self.known.keys() - self._signs.keys():
            del self.known[name]
        changed = {name for name, sign in self._signs.items() if before.get(name) != sign}
        if isinstance(names, Watched):
            changed |= names.given & self._signs.keys()
            names.given.clear()
        return {name: value for name, value in names.items() if name in changed}


class Tracer:
    """Records the lines of one file while something runs."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.steps: list[Step] = []
        self._frames: dict[FrameType, _Frame] = {}

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
            self._frames.clear()

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code.co_filename != self.file or self.is_cut:
            return None
        if code.co_name.startswith("<") and code.co_name != "<module>":
            return None  # a comprehension is one line of what is around it
        self._frames[frame] = seen = _Frame(frame)
        self._keep(seen, code.co_firstlineno, seen.changed())
        return self._line

    def _line(self, frame: FrameType, event: str, value: Any) -> Any:
        seen = self._frames[frame]
        if event in ("line", "return") and seen.line:
            changed = seen.changed()
            if event == "return" and seen.function != "<module>" and value is not None:
                changed["return"] = value
            self._keep(seen, seen.line, changed)
        if event == "line":
            seen.line = frame.f_lineno
        return None if self.is_cut else self._line

    def _keep(self, seen: _Frame, line: int, changed: dict[str, Any]) -> None:
        rows = {name: (_shape(value), _text(value)) for name, value in changed.items()}
        if rows and not self.is_cut:
            self.steps.append(Step(line, seen.function, rows, dict(seen.known)))
            seen.known.update(rows)


def _is_shown(value: Any) -> bool:
    return not isinstance(value, ModuleType) and not callable(value)


def _sign(value: Any) -> Any:
    """Return what differs once a value has changed, in place too."""
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
    steps = [
        {"line": step.line, "function": step.function.strip("<>"), "html": step.html()}
        for step in tracer.steps
    ]
    return {"steps": steps, "cut": tracer.is_cut}
