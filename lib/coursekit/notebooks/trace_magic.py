"""``%%trace``: run a notebook's cell and show, line by line, what its names then were.

``%load_ext coursekit.notebooks.trace_magic`` brings it. The cell runs as any other: its names stay,
and its last expression is shown.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from typing import Any

from coursekit.in_page.trace import Tracer, steps_html

_FILE = "this cell"
#: As the page has it, for a document that has no style sheet of coursekit's.
_STYLE = (
    "<style>.ck-trace-names{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    ".ck-trace-names :is(th,td){padding:2px 10px 2px 0;text-align:left;font-weight:400}"
    ".ck-trace-new>th{font-weight:700}.ck-spoken{position:absolute;clip-path:inset(50%)}"
    ".ck-trace-heat{outline:1px solid}</style>"
)


class Steps:
    """The steps of a cell that ran: HTML in a notebook, lines of text elsewhere."""

    def __init__(self, tracer: Tracer, code: str) -> None:
        self._tracer, self._code = tracer, code

    def _repr_html_(self) -> str:
        return _STYLE + steps_html(self._tracer, self._code)

    def __repr__(self) -> str:
        return "\n".join(
            f"line {step.line}: "
            + ", ".join(f"{each.name} {each.shape or each.text}".rstrip() for each in step.changed)
            for step in self._tracer.steps
        )


def trace_cell(code: str, names: dict[str, Any], show: Callable[[Steps], object]) -> Any:
    """Run ``code`` in ``names`` and return the value of its last expression.

    ``show`` gets the steps, also those before an error.
    """
    linecache.cache[_FILE] = (len(code), None, code.splitlines(keepends=True), _FILE)
    tree = ast.parse(code, _FILE)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    tracer = Tracer(_FILE)

    def work() -> Any:
        local = tracer.module(names, code)
        exec(compile(tree, _FILE, "exec"), names, local)
        if isinstance(last, ast.Expr):
            return eval(compile(ast.Expression(last.value), _FILE, "eval"), names, local)
        return None

    try:
        return tracer.run(work)
    finally:
        show(Steps(tracer, code))


def load_ipython_extension(shell: Any) -> None:
    """Register ``%%trace`` with IPython."""
    from IPython.display import display

    def trace(line: str, cell: str) -> Any:
        """Run the cell and show each line's names with shape, type and range."""
        return trace_cell(cell, shell.user_ns, display)

    shell.register_magic_function(trace, magic_kind="cell", magic_name="trace")
