"""Which names a notebook's cell binds, read from its source."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Collection

from coursekit.apart import CELL

#: What binds names without naming them in the source.
_DYNAMIC = frozenset({"eval", "exec", "globals", "locals", "setattr", "vars"})
#: What check cells hand ``globals()`` to, and what only reads it.
_READERS = frozenset({"check_answer", "check_form", "check_forms", "report"})
_HARMLESS_CALLS = frozenset({"getoutput", "system"})
# fmt: off
_HARMLESS_MAGICS = frozenset({
    "alias", "autoreload", "bash", "cd", "conda", "config", "env", "file", "history",
    "html", "javascript", "js", "latex", "load_ext", "ls", "lsmagic", "markdown",
    "matplotlib", "pdoc", "perl", "pfile", "pinfo", "pinfo2", "pip", "precision",
    "psource", "pwd", "ruby", "script", "sh", "svg", "sx", "system", "timeit", "uv",
    "who", "whos", "writefile",
})
# fmt: on


def is_attempt(source: str, names: Collection[str]) -> bool:
    """Return whether a cell that does not compile is meant to define one of ``names``.

    It is if a line at its margin begins a definition or an assignment, be it with a slip in the
    word ``def``.
    """
    for name in map(re.escape, names):
        if re.search(rf"^((async\s+)?def|class)\s+{name}\b", source, re.MULTILINE):
            return True
        if re.search(rf"^{name}\s*(:[^=\n]*)?=(?!=)", source, re.MULTILINE):
            return True
        heads = re.finditer(rf"^(?:(\w+)[ \t]+)?{name}[ \t]*\(.*\).*:\s*$", source, re.MULTILINE)
        if any(not keyword.iskeyword(head[1] or "") for head in heads):
            return True
    return False


def bound_by(tree: ast.Module, names: Collection[str]) -> dict[str, int]:
    """Return which of ``names`` a cell binds, each with the index of the last statement to do so.

    An inner function's own variables count, too: it is better to take a cell for one that binds.
    """
    return {
        name: index
        for index, statement in enumerate(tree.body)
        for node in ast.walk(statement)
        for name in _bound(node)
        if name in names
    }


def _bound(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        return [node.name]
    if isinstance(node, ast.MatchMapping) and node.rest:
        return [node.rest]
    return []


def is_check(tree: ast.Module) -> bool:
    """Return whether a cell has checks in its function, which leaves no name behind."""
    return any(isinstance(node, ast.FunctionDef) and node.name == CELL for node in tree.body)


def binds_unseen(tree: ast.AST) -> bool:
    """Return whether a cell may bind names that its source does not tell, as ``%run`` does."""
    if isinstance(tree, ast.ImportFrom) and any(alias.name == "*" for alias in tree.names):
        return True
    if isinstance(tree, ast.Name) and tree.id in _DYNAMIC | {"get_ipython"}:
        return True
    return any(map(binds_unseen, _parts(tree)))


def _parts(node: ast.AST) -> list[ast.AST]:
    """Return the nodes in one that are to be looked at: a harmless call is its arguments."""
    if not isinstance(node, ast.Call):
        return list(ast.iter_child_nodes(node))
    if getattr(node.func, "attr", getattr(node.func, "id", "")) in _READERS:
        return [part for part in node.args if ast.unparse(part) != "globals()"]
    if _is_harmless(node):
        return [*node.args, *(word.value for word in node.keywords)]
    return list(ast.iter_child_nodes(node))


def _is_harmless(call: ast.Call) -> bool:
    """Return whether a call is a shell command, or a magic that binds nothing."""
    function = call.func
    if not isinstance(function, ast.Attribute) or ast.unparse(function.value) != "get_ipython()":
        return False
    if function.attr in _HARMLESS_CALLS:
        return True
    magic = call.args[0] if call.args else None
    is_magic = function.attr in ("run_line_magic", "run_cell_magic")
    return is_magic and isinstance(magic, ast.Constant) and magic.value in _HARMLESS_MAGICS
