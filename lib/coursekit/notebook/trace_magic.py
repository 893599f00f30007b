"""``%%trace``: run a notebook's cell and show, line by line, what its names then were.

``%load_ext coursekit.notebook.trace_magic`` brings it. The cell runs as any other: its names stay,
and its last expression is shown.
"""

from __future__ import annotations

import html
import uuid
from collections.abc import Callable
from typing import Any

from coursekit.live.execute import execute
from coursekit.live.trace import Tracer

_FILE = "this cell"
#: A row of radio buttons, between which arrow keys move, and below it the step that is chosen.
_STYLE = (
    "<style>.ck-trace{display:flex;flex-wrap:wrap}.ck-trace>div{display:none;order:1;width:100%}"
    ".ck-trace>:checked+div{display:block}.ck-trace :is(th,td){padding:2px 10px 2px 0;"
    "text-align:left;font-weight:400}.ck-trace-new>th{font-weight:700}"
    ".ck-spoken{position:absolute;clip-path:inset(50%)}</style>"
)


class Steps:
    """The steps of a cell that ran: HTML in a notebook, lines of text elsewhere."""

    def __init__(self, tracer: Tracer, code: str) -> None:
        self._steps, self._is_cut = tracer.steps, tracer.is_cut
        self._lines = code.splitlines()

    def _repr_html_(self) -> str:
        name, count = uuid.uuid4().hex, len(self._steps)
        parts = []
        for number, step in enumerate(self._steps, 1):
            where = f"Step {number} of {count}: line {step.line}"
            checked = " checked" if number == 1 else ""
            line = html.escape(self._lines[step.line - 1].strip())
            parts.append(
                f'<input type="radio" name="{name}" aria-label="{where}"{checked}>'
                f"<div><p>{where}, <code>{line}</code></p>{step.html()}</div>"
            )
        end = f"<p>The first {count} steps are kept.</p>" if self._is_cut else ""
        return (
            f'{_STYLE}<div class="ck-trace" role="radiogroup" aria-label="Steps">'
            f"{''.join(parts)}</div>{end}"
        )

    def __repr__(self) -> str:
        return "\n".join(
            f"line {step.line}: "
            + ", ".join(f"{name} {shape or text}" for name, (shape, text) in step.changed.items())
            for step in self._steps
        )


def trace_cell(code: str, names: dict[str, Any], show: Callable[[Steps], object]) -> Any:
    """Run ``code`` in ``names`` and return the value of its last expression.

    ``show`` gets the steps, also those before an error.
    """
    tracer = Tracer(_FILE)
    try:
        return execute(code, _FILE, names, tracer)
    finally:
        show(Steps(tracer, code))


def load_ipython_extension(shell: Any) -> None:
    """Register ``%%trace`` with IPython."""
    from IPython.display import display

    def trace(line: str, cell: str) -> Any:
        """Run the cell and show each line's names with shape and value."""
        return trace_cell(cell, shell.user_ns, display)

    shell.register_magic_function(trace, magic_kind="cell", magic_name="trace")
