"""Whether the newest attempt at an answer ran, in a notebook's IPython.

A cell that fails leaves the names as they were. A check would judge those, and its verdict would
be read as one on the new code. The shell's history has the source of each cell that was run, which
tells a syntax error; which cells raised is noted here as they end.

Where it is not certain that the newest attempt failed, nothing is said: `exec` or a magic may have
bound the name since, and other kernels than IPython have no such history.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from traceback import walk_tb
from typing import Any

from coursekit.error_origin import text_of
from coursekit.kernel.bindings import binds_unseen, bound_by, is_attempt, is_check
from coursekit.verdict import PLACEHOLDER

#: Longest error text that a message repeats (characters).
_ERROR_TEXT = 300


@dataclass(frozen=True)
class Failure:
    """How a cell failed: in which of its lines (0 if that is not known), and the error in words."""

    line: int
    error: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.error}" if self.line else self.error


#: Cells that raised, by execution count.
_raised: dict[int, Failure] = {}


def failed_attempt(names: Mapping[str, Any], answers: Collection[str]) -> Failure | None:
    """Return how the newest attempt at an answer failed; None if it ran, or if that is not known.

    Parameters
    ----------
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    answers : collection of str
        The names that the answer's cell binds.
    """
    shell = _shell()
    if shell is None or shell.user_ns is not names:
        return None
    _watch(shell)
    for count, source in reversed(list(enumerate(shell.history_manager.input_hist_raw))):
        try:
            tree = _parsed(source, shell)
        except Exception as error:
            if is_attempt(source, answers):
                return _failure(error, getattr(error, "lineno", None) or 0)
            continue
        if is_check(tree):
            continue
        if binds_unseen(tree):
            return None
        if bound := bound_by(tree, answers):
            failure = _raised.get(count)
            is_bound = failure and _reached(tree, failure) > max(bound.values())
            return None if is_bound else failure
    return None


def _shell() -> Any:
    """Return the IPython of this kernel; None where there is none, or one without a history."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    history = getattr(shell, "history_manager", None)
    return shell if hasattr(history, "input_hist_raw") else None


def _watch(shell: Any) -> None:
    """Have the end of each cell noted from now on, and note that of the last one."""
    if _note in shell.events.callbacks["post_run_cell"]:
        return
    shell.events.register("post_run_cell", _note)
    if last := getattr(shell, "last_execution_result", None):
        _note(last)


def _note(result: Any) -> None:
    """Note whether a cell raised, and where."""
    count, error = result.execution_count, result.error_in_exec
    if count is None:  # A cell outside the history.
        return
    _raised.pop(count, None)  # A reset shell counts from 1 again.
    if error is None or _is_placeholder(error):
        return
    names = _shell().user_ns
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_globals is names]
    if lines:
        _raised[count] = _failure(error, lines[0])


def _is_placeholder(error: BaseException) -> bool:
    return isinstance(error, NotImplementedError) and text_of(error) in ("", PLACEHOLDER)


def _failure(error: BaseException, line: int) -> Failure:
    text = error.msg if isinstance(error, SyntaxError) else text_of(error)
    kind = type(error).__name__
    return Failure(line, f"{kind}: {text[:_ERROR_TEXT]}" if text else kind)


def _parsed(source: str, shell: Any) -> ast.Module:
    """Return the tree of a cell, its magics as calls; raise what IPython says of its syntax."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = shell.transform_cell(source)
        tree = ast.parse(code)
        # What only the compiler sees, such as a `return` outside a function.
        compile(
            code,
            "<cell>",
            "exec",
            flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | shell.compile.flags,
            dont_inherit=True,
        )
    return tree


def _reached(tree: ast.Module, failure: Failure) -> int:
    """Return the index of the statement that raised; the last one, if several share its line."""
    starts = [_first_line(statement) for statement in tree.body]
    return max((index for index, line in enumerate(starts) if line <= failure.line), default=0)


def _first_line(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
