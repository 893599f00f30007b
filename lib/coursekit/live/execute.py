"""Runs a reader's code, with the value of its last line, and step by step where asked to."""

from __future__ import annotations

import ast
import linecache
from typing import Any

from coursekit.live.trace import Tracer, Watched


def execute(code: str, file: str, names: dict[str, Any], tracer: Tracer | None = None) -> Any:
    """Run ``code`` in ``names``; return the value of its last line if that is an expression.

    ``tracer`` gets the steps, also those before an error. Raises what the code raises.
    """
    # So that a message, and inspect, can quote the code.
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    tree = ast.parse(code, file)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    local = Watched(names) if tracer else names

    def work() -> Any:
        exec(compile(tree, file, "exec"), names, local)
        if not isinstance(last, ast.Expr):
            return None
        return eval(compile(ast.Expression(last.value), file, "eval"), names, local)

    return tracer.run(work) if tracer else work()
