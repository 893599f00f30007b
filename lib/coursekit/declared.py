"""What an exercise file declares, without its answers and the work of its checks.

A list needs titles and points. To read these from the whole file would import every library that
some exercise uses, and take seconds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from coursekit.source import parsed

_DECLARING = frozenset({"exercise", "quiz"})
#: Where the answers begin that a file is tested with, often half of it, and what may not follow.
_ANSWERS = re.compile(r"(?m)^ALSO_RIGHT\b")
_DECLARATION = re.compile(r"(?m)^(?:@check|exercise|quiz|MISTAKES)\b")


def declarations(source: str) -> ast.Module:
    """Return the docstring, what calls ``exercise`` or ``quiz``, the checks, and what these need.

    Functions are not called, as a rule: what only their bodies need is left out.
    """
    tree = parsed(_without_answers(source))
    kept = {node for node in tree.body if node is tree.body[0] or _declares(node)}
    kept |= {n for n in tree.body if isinstance(n, ast.FunctionDef) and _is_check(n)}
    binds = {node: frozenset(_binds(node)) for node in tree.body if node not in kept}
    pending = list(kept)
    while pending:
        names = set(_needs(pending.pop()))
        new = [n for n in binds if n not in kept and names & binds[n]]
        kept.update(new)
        pending += new
    return ast.Module([node for node in tree.body if node in kept], type_ignores=[])


def _without_answers(source: str) -> str:
    """Return a file up to its answers, if nothing is declared behind them."""
    answers = _ANSWERS.search(source)
    if answers is None or _DECLARATION.search(source, answers.start()):
        return source
    return source[: answers.start()]


def _declares(node: ast.stmt) -> bool:
    called = getattr(getattr(node, "value", None), "func", None)
    is_mistakes = isinstance(node, ast.Assign) and "MISTAKES" in set(_binds(node))
    return is_mistakes or (isinstance(called, ast.Name) and called.id in _DECLARING)


def _is_check(node: ast.FunctionDef) -> bool:
    called = (d.func for d in node.decorator_list if isinstance(d, ast.Call))
    return any(isinstance(function, ast.Name) and function.id == "check" for function in called)


def _needs(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement reads when it is executed."""
    parts: list[ast.AST] = [node]
    if isinstance(node, ast.FunctionDef):
        parts = [node.args, *node.decorator_list]
    yield from (n.id for part in parts for n in ast.walk(part) if isinstance(n, ast.Name))


def _binds(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of the top level binds or may change."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call):
        yield from (n.id for n in ast.walk(node) if isinstance(n, ast.Name))
