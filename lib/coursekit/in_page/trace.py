"""Run code step by step, and record the names that each line made: shape, type, range."""

from __future__ import annotations

import dis
import hashlib
import html
import sys
from collections import UserDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

import numpy as np

from coursekit.in_page.summary import MOST, Summary, rows_html, summary

#: Steps that are kept; the code then runs on without being watched.
MOST_STEPS = 300
_NAMES_SHOWN = 12


@dataclass
class Step:
    """A line that was run: what it changed, and all that is known there."""

    line: int
    function: str
    changed: list[Summary]
    known: list[Summary]
    values: dict[str, Any] = field(default_factory=dict)  # copies of what changed

    def html(self) -> str:
        """Return the names as a table, those that this line changed first."""
        names = {each.name for each in self.changed}
        rest = [each for each in self.known if each.name not in names]
        shown = [*self.changed, *rest][: max(_NAMES_SHOWN, len(self.changed))]
        return rows_html(shown, names) if shown else "<p>No names yet.</p>"


class _Module(UserDict[str, Any]):
    """The names of a module whose code is run in parts; it knows which of them the code made.

    An earlier run may have left the others there, with values of lines that have not run.
    """

    def __init__(self, names: dict[str, Any], code: CodeType) -> None:
        super().__init__()
        self.data = names
        self.to_come = _stored_by(code)
        self.new: set[str] = set()

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        if name in self.to_come:
            self.to_come.remove(name)
            self.new.add(name)


class Tracer:
    """Records the lines of one file while something runs."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.steps: list[Step] = []
        self.is_cut = False
        self._lines: dict[FrameType, int] = {}
        self._seen: dict[FrameType, dict[str, Any]] = {}

    def module(self, names: dict[str, Any], code: str) -> _Module:
        """Return ``names`` as the locals of ``code``, for ``exec(part_of_code, names, locals)``.

        Until a line of ``code`` has given one of its names a value, no step shows that name.
        """
        return _Module(names, compile(code, self.file, "exec"))

    def run(self, work: Callable[[], Any]) -> Any:
        """Return what ``work`` returns; its lines are then in ``steps``, also where it raised."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            return work()
        finally:
            sys.settrace(before)
            self._lines.clear()
            self._seen.clear()

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != self.file or self.is_cut:
            return None
        if frame.f_code.co_name.startswith("<") and frame.f_code.co_name != "<module>":
            return None  # a comprehension is one line of what is around it
        self._seen[frame] = {name: _sign(value) for name, value in self._locals(frame)}
        if frame.f_code.co_name != "<module>" and (given := self._locals(frame)):
            self._keep(frame, frame.f_code.co_firstlineno, dict(given))
        return self._line

    def _line(self, frame: FrameType, event: str, value: Any) -> Any:
        previous = self._lines.get(frame)
        if event == "line":
            self._lines[frame] = frame.f_lineno
        if previous is None or event not in ("line", "return"):
            return self._line
        changed = self._changed(frame)
        if event == "return" and frame.f_code.co_name != "<module>" and value is not None:
            changed["return"] = value
        if changed:
            self._keep(frame, previous, changed)
        if event == "return":
            self._lines.pop(frame, None)
            self._seen.pop(frame, None)
        return None if self.is_cut else self._line

    def _changed(self, frame: FrameType) -> dict[str, Any]:
        """Return the names that have another value than before this line of the frame.

        So has one that an earlier run left with the same value, when it is first given one here.
        """
        seen, changed = self._seen.setdefault(frame, {}), {}
        module = frame.f_locals
        new: set[str] = module.new if isinstance(module, _Module) else set()
        for name, value in self._locals(frame):
            sign = _sign(value)
            if name in new or seen.get(name) != sign:
                seen[name] = sign
                changed[name] = value
        new.clear()
        return changed

    def _locals(self, frame: FrameType) -> list[tuple[str, Any]]:
        names = frame.f_locals
        hidden: set[str] = names.to_come if isinstance(names, _Module) else set()
        return [
            (name, value)
            for name, value in names.items()
            if not name.startswith("_") and name not in hidden
        ]

    def _keep(self, frame: FrameType, line: int, changed: dict[str, Any]) -> None:
        made = [each for name, value in changed.items() if (each := summary(name, value))]
        if not made:
            return
        known = [each for name, value in self._locals(frame) if (each := summary(name, value))]
        values = {each.name: _copy(changed[each.name]) for each in made}
        self.steps.append(Step(line, frame.f_code.co_name, made, known, values))
        if len(self.steps) >= MOST_STEPS:
            self.is_cut = True
            sys.settrace(None)


def _stored_by(code: CodeType) -> set[str]:
    """Return the names that a module's own code gives a value."""
    return {each.argval for each in dis.get_instructions(code) if each.opname == "STORE_NAME"}


def _sign(value: Any) -> Any:
    """Return what differs once a value has changed, in place too."""
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject or value.size > MOST:
            return id(value), value.shape
        return value.shape, str(value.dtype), hashlib.blake2b(value.tobytes()).digest()
    if isinstance(value, (int, float, complex, str, bytes, bool, type(None))):
        return type(value), repr(value)  # repr: nan equals nan
    if isinstance(value, (list, tuple, dict, set)):
        return id(value), len(value), repr(value)[:500]
    return id(value)


def _copy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy() if value.size <= MOST else None
    return value if isinstance(value, (int, float, bool, tuple, list)) else None


def steps_html(tracer: Tracer, code: str) -> str:
    """Return all steps as a list, for a notebook."""
    lines = code.splitlines()
    items = "".join(
        f"<li><code>{html.escape(_text(lines, step.line))}</code>{step.html()}</li>"
        for step in tracer.steps
    )
    end = f"<p>The first {MOST_STEPS} steps; the rest ran unwatched.</p>" if tracer.is_cut else ""
    return f'<div class="ck-trace"><ol class="ck-trace-steps">{items}</ol>{end}</div>'


def _text(lines: list[str], number: int) -> str:
    line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    return f"{number}: {line}"


def as_data(tracer: Tracer) -> dict[str, Any]:
    """Return the steps for a page: of each its line, its function and its names as HTML."""
    steps = [
        {"line": step.line, "function": step.function.strip("<>"), "html": step.html()}
        for step in tracer.steps
    ]
    return {"steps": steps, "cut": tracer.is_cut}


def departure(own: list[Step], right: list[Step]) -> tuple[int, str] | None:
    """Return the first step whose result is not the solution's, and in what it departs.

    Only names that both have are compared, by their last values in the solution, and what is
    returned. None where nothing departs, or nothing can be compared.
    """
    expected = {name: value for step in right for name, value in step.values.items()}
    last = {name: number for number, step in enumerate(own) for name in step.values}
    for number, step in enumerate(own):
        for name, value in step.values.items():
            if name not in expected or last[name] != number:
                continue
            if difference := _difference(value, expected[name]):
                return (
                    number,
                    f"`{name}` {difference}" if name != "return" else f"the result {difference}",
                )
    return None


def result_departs(own: list[Step], expected: Mapping[str, Any]) -> tuple[int, str] | None:
    """Return the step that returned another shape or range than a right answer, if one did.

    ``expected`` has the ``shape`` of a right result, and its ``low`` and ``high``, rounded.
    """
    for number in reversed(range(len(own))):
        if "return" not in own[number].values:
            continue
        value = own[number].values["return"]
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf" or not value.size:
            return None
        if list(value.shape) != list(expected["shape"]):
            right = tuple(expected["shape"])
            return number, f"the result has the shape {value.shape}; a right one has {right}"
        ends = [float(np.nanmin(value)), float(np.nanmax(value))]
        right_ends = [expected["low"], expected["high"]]
        if not np.allclose(ends, right_ends, rtol=0.01, atol=1e-6):
            shown = " … ".join(f"{end:.3g}" for end in right_ends)
            return number, f"the result's range is not that of a right one, {shown}"
        return None
    return None


def _difference(value: Any, right: Any) -> str:
    try:
        value, right = np.asarray(value), np.asarray(right)
        if value.dtype.kind not in "biuf" or right.dtype.kind not in "biuf":
            return ""
    except ValueError:
        return ""
    if value.shape != right.shape:
        return f"has the shape {value.shape}, in the solution {right.shape}"
    if np.allclose(value, right, rtol=1e-4, atol=1e-6, equal_nan=True):
        return ""
    ends = (f"{np.nanmin(a):.4g} … {np.nanmax(a):.4g}" for a in (value, right))
    own, theirs = ends
    if own == theirs:
        return "has the solution's shape and range, and other numbers"
    return f"ranges over {own}, in the solution over {theirs}"
