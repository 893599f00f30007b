"""Whether the newest change of an answer ran, in a notebook's IPython.

A cell that fails leaves the names as they were. A check would judge those, and its verdict would
be read as one on the new code. How cells end is noted from the first check on. Where it is not
certain that the newest change failed, nothing is said.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Mapping
from traceback import walk_tb
from typing import Any

from coursekit.error_origin import text_of
from coursekit.verdict import PLACEHOLDER

_CHECK = re.compile(r"\b(check_(?:answer|forms?|packed)|report)\(")
#: What may define names without naming them.
_UNSEEN = re.compile(r"%run|exec\(|import \*|globals\(\)|get_ipython\(\)")
#: A line that is to define a name, be it with a slip in the word `def`; see `line_defining`.
_DEFINES = (
    r"^(?:async +)?(?:def|class) +(?:{0})\b|^(?:from|import)\b.*\b(?:{0})\b"
    r"|^(?!(?:if|elif|while|for|with)\b)(?:\w[\w, ]*[ ,])?(?:{0})\b(?:[^=(\n]*=(?!=)|.*:\s*$)"
)
#: Each cell that ended: its source, the line that it reached, and how it failed if it did.
_ended: list[tuple[str, int, str]] = []


def failed_attempt(names: Mapping[str, Any], answers: Collection[str]) -> str:
    """Return how the newest change of an answer failed; "" if it ran, or if that is not known.

    Parameters
    ----------
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    answers : collection of str
        The names that the answer's cell binds.
    """
    shell = _shell()
    if shell is None or shell.user_ns is not names:
        return ""
    if _note not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _note)
        if last := shell.last_execution_result:
            _note(last)
    for source, reached, error in reversed(_ended):
        if not error and _UNSEEN.search(source):
            return ""
        if line := line_defining(answers, source):
            # A later line at the margin is a later statement: this one ran.
            is_bound = reached > line and not source.splitlines()[reached - 1][:1].isspace()
            return "" if is_bound else error
    return ""


def _shell() -> Any:
    """Return the IPython of this kernel; None where there is none."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def _note(result: Any) -> None:
    """Note how a cell ended."""
    source = result.info.raw_cell
    if _CHECK.search(source):
        return
    error, reached = result.error_before_exec or result.error_in_exec, 0
    is_placeholder = isinstance(error, NotImplementedError) and text_of(error) in ("", PLACEHOLDER)
    if error is None or is_placeholder:
        _ended.append((source, 0, ""))
        return
    if isinstance(error, SyntaxError):
        line = error.lineno
    else:
        names, frames = _shell().user_ns, walk_tb(error.__traceback__)
        line = reached = next((at for frame, at in frames if frame.f_globals is names), 0)
    text = ": ".join(filter(None, (type(error).__name__, text_of(error))))
    _ended.append((source, reached, f"line {line}: {text}" if line else text))


def line_defining(names: Collection[str], source: str) -> int:
    """Return the last line that is to define one of ``names``, counted from 1; 0 for none."""
    pattern = _DEFINES.format("|".join(map(re.escape, names)))
    starts = [found.start() for found in re.finditer(pattern, source, re.MULTILINE)]
    return source.count("\n", 0, starts[-1]) + 1 if starts else 0
