"""Find the cells of a notebook that an answer is made of, by what they bind and read.

They are the answer's own cell, and those of the learner's cells that define what it reads: a helper
may stand in a cell of its own. Notebook and class choose them here, so that both judge one code.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import re
import symtable
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from coursekit.judge.shell import python_of

#: Longest cell that is parsed, and how much of a notebook is (characters): parsing takes a
#: microsecond for each, and some hundred times its length in memory.
MOST_SOURCE = 200_000
MOST_PARSED = 1_000_000
#: Cells up to this length are remembered (characters).
_SHORT = 20_000
_LONG_FOREIGN = re.compile(r"[^\x00-\x7f]{1000}")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True)
class Candidate:
    """A cell that may belong to an answer; ``is_marked`` if the notebook says that it does."""

    source: str
    is_marked: bool = False


def digest(source: str) -> str:
    """Return what tells whether a cell of the chapter is as it was published."""
    return hashlib.sha256(source.strip().encode("utf-8", "replace")).hexdigest()[:10]


def own_cells(
    cells: Sequence[Candidate], names: Collection[str], given: Collection[str] = ()
) -> list[str]:
    """Return the sources that make an answer, in order; none where no cell is known to be its own.

    Parameters
    ----------
    cells : sequence of Candidate
        The learner's cells in the order in which they run, without those of other exercises.
    names : collection of str
        What the answer defines. Of the cells that define a name the last one counts.
    given : collection of str
        What the exercise imports and defines before the answer.
    """
    names = frozenset(names)
    own = {index for index, cell in enumerate(cells) if cell.is_marked}
    last = {name: i for i, cell in enumerate(cells) for name in attempted(cell.source, names)}
    own |= set(last.values())
    left = MOST_PARSED
    pending = list(own)
    while pending:
        there = names.union(given, _BUILTINS, *(_bound(cells[i].source) or () for i in own))
        missing = frozenset(n for i in pending for n in _read(cells[i].source) if n not in there)
        pending = []
        for index, cell in enumerate(cells) if missing else ():
            left -= len(cell.source)
            if index not in own and left > 0 and defined(cell.source, missing):
                pending.append(index)
        own |= set(pending)
    return [cells[index].source for index in sorted(own)]


def attempted(source: str, names: Collection[str]) -> frozenset[str]:
    """Return which of ``names`` a cell binds at its top level, or is meant to, broken as it is."""
    if not may_bind(source, names):
        return frozenset()
    if (bound := _bound(source)) is None:
        return frozenset(name for name in names if _is_attempt(source, name))
    return bound & frozenset(names)


def defined(source: str, names: Collection[str]) -> frozenset[str]:
    """Return which of ``names`` a cell binds at its top level; none if it is not Python."""
    is_read = may_bind(source, names)
    return (_bound(source) or frozenset()) & frozenset(names) if is_read else frozenset()


def may_bind(source: str, names: Collection[str]) -> bool:
    """Return whether a cell is worth parsing, by its text alone."""
    if source.isascii():
        return len(source) <= MOST_SOURCE and any(name in source for name in names)
    return _is_readable(source)


def _is_readable(source: str) -> bool:
    # Python takes some letters beyond ASCII for others: ``𝐱`` is the name ``x``. To find out, it
    # sorts each name's accents, in a time that grows with the square of their number.
    return len(source) <= MOST_SOURCE and not _LONG_FOREIGN.search(source)


def _is_attempt(source: str, name: str) -> bool:
    """Return whether a line at the margin begins a definition, be it with a slip in ``def``."""
    name = re.escape(name)
    definition = rf"((async\s+)?def|class)\s+{name}\b"
    assignment = rf"{name}\s*(:[^=\n]*)?=(?!=)"
    slip = rf"(?!(?:if|elif|while|for|with|return|print)\b)(\w+[ \t]+)?{name}[ \t]*\(.*\).*:\s*$"
    return bool(re.search(rf"^({definition}|{assignment}|{slip})", source, re.MULTILINE))


def _bound(source: str) -> frozenset[str] | None:
    """Return the names that a cell binds in its own scope; None if it is not Python."""
    names = _names(source)
    return names and names[0]


def _read(source: str) -> frozenset[str]:
    names = _names(source)
    return names[1] if names else frozenset()


def _names(source: str) -> tuple[frozenset[str], frozenset[str]] | None:
    if not _is_readable(source):
        return None
    # A class has most of its cells in common.
    return (_parsed if len(source) < _SHORT else _parsed.__wrapped__)(source)


@lru_cache(maxsize=512)
def _parsed(source: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the names that a cell binds, and the global ones that it reads, in functions too."""
    for code in dict.fromkeys([source, python_of(source)]):
        try:
            tree = ast.parse(code)
            table = symtable.symtable(code, "<cell>", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        bound = (name for node in _top_level(tree) for name in _binds(node))
        return frozenset(bound), frozenset(_globals(table, top=True))
    return None


def _top_level(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run in the cell's own scope."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _SCOPES):
            pending.extend(ast.iter_child_nodes(node))


def _binds(node: ast.AST) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, ast.alias):
        return [node.asname or node.name.split(".")[0]]
    return []


def _globals(table: symtable.SymbolTable, top: bool = False) -> Iterator[str]:
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (top or symbol.is_global()):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _globals(child)
