"""Runs the cells of a chapter: one after another, in one namespace that stays."""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

from coursekit.live import standins
from coursekit.live.display import LIMIT, Shown, shown
from coursekit.live.execute import execute
from coursekit.live.explain import explain, no_input
from coursekit.live.trace import Tracer
from coursekit.live.undrawn import MARK, Drawing


class CellReply(TypedDict):
    """What a cell showed; ``error`` is one line, or None where it ran to its end.

    ``draws`` says whether it asked for Matplotlib where that is not.
    ``missing`` is the module that is not here, and ``unrun`` the name that an earlier cell would
    have defined, where that is why it failed.
    """

    shown: list[Shown]
    error: str | None
    missing: str | None
    unrun: str | None
    draws: bool


class Cells:
    """The namespace of a chapter, and what its running cell has shown so far."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__", "input": no_input}
        self._shown: list[Shown] = []

    def run(
        self, code: str, file: str, above: Sequence[str] = (), tracer: Tracer | None = None
    ) -> CellReply:
        """Run a cell; ``above`` are the earlier cells that have not been run.

        Never raises for what the code does. A ``tracer`` records the steps.
        """
        standins.install(self.show)
        self._shown = []
        Drawing.used = False
        reply = CellReply(shown=[], error=None, missing=None, unrun=None, draws=False)
        with catching(self._shown):
            try:
                value = execute(code, file, self.names, tracer)
                if value is not None and not code.rstrip().endswith(";"):
                    self.show(value)
            except BaseException as error:
                reply["error"] = explain(error, file)
                if isinstance(error, ModuleNotFoundError):
                    reply["missing"] = (error.name or "").partition(".")[0]
                if isinstance(error, NameError) and error.name in bound_by(above):
                    reply["unrun"] = error.name
        reply["shown"] = [part for part in self._shown if MARK not in part.get("html", "")]
        reply["draws"] = Drawing.used
        return reply

    def show(self, value: Any) -> None:
        """Add a value to what the running cell shows."""
        self._shown.append(shown(value))


@contextlib.contextmanager
def catching(parts: list[Shown]) -> Iterator[None]:
    """Add what is printed meanwhile to ``parts``, up to `LIMIT` characters."""
    printed = _Printed(parts)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        yield


class _Printed(io.TextIOBase):
    """Printed text, in its place between the values that a cell shows."""

    def __init__(self, parts: list[Shown]) -> None:
        self._parts, self._room = parts, LIMIT

    def write(self, text: str) -> int:
        if self._room > 0 and text:
            kept = text[: self._room]
            self._room -= len(kept)
            if self._room <= 0:
                kept += f"\n… cut after {LIMIT} characters."
            if self._parts and "text" in self._parts[-1] and self._open:
                self._parts[-1]["text"] += kept
            else:
                self._parts.append(Shown(text=kept))
                self._open_at = len(self._parts)
        return len(text)

    @property
    def _open(self) -> bool:
        return getattr(self, "_open_at", 0) == len(self._parts)


def bound_by(cells: Sequence[str]) -> set[str]:
    """Return the names that cells define at their outer level."""
    found: set[str] = set()
    for code in cells:
        try:
            tree = ast.parse(code)
        except SyntaxError:
            continue
        for node in _outer(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                found |= {(each.asname or each.name).partition(".")[0] for each in node.names}
    return found - set(dir(builtins))


def _outer(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a module that are not inside a function or class."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _outer(node)
