"""What a page asks of the Python that runs its cells, and the answers, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coursekit.live import names
from coursekit.live.cells import Cells
from coursekit.live.trace import Tracer, as_data

#: The cells of the page. There is one page to a Python.
_cells = Cells()


def answer_live(kind: str, asked: Mapping[str, Any]) -> Any:
    """Answer a request of this kind; never raises for what a reader's code does."""
    return _ANSWERS[kind](asked)


def _run_cell(asked: Mapping[str, Any]) -> Any:
    global _cells
    if asked["fresh"]:
        _cells = Cells()
    return _cells.run(asked["code"], asked["file"], asked["above"])


def _trace_cell(asked: Mapping[str, Any]) -> Any:
    """Run a cell step by step; its names stay, as after a run."""
    tracer = Tracer(asked["file"])
    reply = _cells.run(asked["code"], asked["file"], asked["above"], tracer)
    return reply | {"trace": as_data(tracer)}


def _complete(asked: Mapping[str, Any]) -> Any:
    return names.complete(_known(asked), asked["dotted"])


def _explain(asked: Mapping[str, Any]) -> Any:
    return names.explain(_known(asked), asked["dotted"])


def _known(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names of the cells, for a cell, and what the code around it imports."""
    own = _cells.names if asked["cell"] else {}
    return names.with_imports(own, asked["imports"])


_ANSWERS = {
    "cell": _run_cell,
    "trace-cell": _trace_cell,
    "complete": _complete,
    "explain": _explain,
}
