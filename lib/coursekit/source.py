"""Take an exercise file apart: the learner's part, the checks, and what each of them needs.

The learner's part starts after ``exercise(...)`` and ends with the statement that contains the
last ``# END SOLUTION``. Everything after it is check code. The starter is the learner's part
without what is between ``# BEGIN SOLUTION`` and ``# END SOLUTION``, in place of which it has the
lines ``# STARTER: code`` of that region, or a stub.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from coursekit.errors import DefinitionError
from coursekit.model import Exercise
from coursekit.verdict import PLACEHOLDER

BEGIN, END, STARTER = "# BEGIN SOLUTION", "# END SOLUTION", "# STARTER: "
STUB = f'raise NotImplementedError("{PLACEHOLDER}")'
#: Names in an exercise file whose values must never reach a reader.
PRIVATE = frozenset({"MISTAKES", "ALSO_RIGHT"})

# nbgrader writes its markers with three #.
_REGION = re.compile(
    r"^(?P<indent>[ \t]*)#+ BEGIN SOLUTION\n(?P<inner>(?:.*\n)*?)[ \t]*#+ END SOLUTION$",
    re.MULTILINE,
)
_Import = ast.Import | ast.ImportFrom


@dataclass(frozen=True)
class Statement:
    """One top-level statement: its text, the names it binds and the module's names it uses."""

    node: ast.stmt
    line: int
    text: str
    binds: frozenset[str]
    uses: frozenset[str]

    @property
    def is_check(self) -> bool:
        """Whether the statement is a function decorated with ``@check(...)``."""
        return isinstance(self.node, ast.FunctionDef) and any(
            _calls(decorator, "check") for decorator in self.node.decorator_list
        )

    def only(self, names: Iterable[str]) -> str:
        """Return the text. Of an import, return only what binds one of ``names``."""
        if not isinstance(self.node, _Import):
            return self.text
        used = set(names)
        kept = [a for a in self.node.names if (a.asname or a.name.split(".")[0]) in used]
        if isinstance(self.node, ast.Import):
            return ast.unparse(ast.Import(names=kept))
        return ast.unparse(ast.ImportFrom(self.node.module, kept, self.node.level))


@dataclass(frozen=True)
class Sections:
    """The sections of an exercise file: head, the learner's part, and tail with the checks."""

    head: tuple[Statement, ...]
    learner: tuple[Statement, ...]
    tail: tuple[Statement, ...]
    learner_text: str


@lru_cache(maxsize=1)
def parsed(source: str) -> ast.Module:
    """Return a file's tree, which nobody changes: what reads a file reads it several times."""
    return ast.parse(source)


@lru_cache(maxsize=512)  # The same file is split several times.
def split(source: str) -> Sections:
    """Return the sections of a code exercise's file, or raise `DefinitionError`."""
    statements = list(_statements(source))
    start = next((i for i, s in enumerate(statements) if _declares(s.node)), None)
    stop = next((i for i, s in enumerate(statements) if s.is_check), None)
    if start is None or stop is None or stop < start:
        raise DefinitionError(
            "expected exercise(...), then the learner's part, then @check functions"
        )
    first_line = (statements[start].node.end_lineno or 0) + 1
    last_line = _last_line(source, statements[start + 1 : stop], first_line, statements[stop].line)
    learner = [s for s in statements[start + 1 : stop] if s.line <= last_line]
    text = "\n".join(source.splitlines()[first_line - 1 : last_line]).strip("\n") + "\n"
    return Sections(
        head=tuple(statements[:start]),
        learner=tuple(learner),
        tail=tuple(statements[start + 1 + len(learner) :]),
        learner_text=text,
    )


def _last_line(source: str, between: Sequence[Statement], first: int, limit: int) -> int:
    """Return the last line of the learner's part: of its last marker or of the statement there."""
    lines = [line.strip() for line in source.splitlines()]
    marked = [n for n in range(first, limit) if lines[n - 1] in (BEGIN, END)]
    if not marked or [lines[n - 1] for n in marked] != [BEGIN, END] * (len(marked) // 2):
        raise DefinitionError(
            f"the learner's part, between exercise(...) and the first @check, "
            f"needs {BEGIN!r} … {END!r}"
        )
    return max([marked[-1], *(s.node.end_lineno or 0 for s in between if s.line < marked[-1])])


def _statements(source: str) -> Iterator[Statement]:
    lines = source.splitlines()
    for node in parsed(source).body:
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(d.lineno for d in decorators)])
        text = "\n".join(lines[first - 1 : node.end_lineno])
        table = symtable.symtable(text, "exercise", "exec")
        binds = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
        yield Statement(node, first, text, frozenset(binds), frozenset(_globals(table)))


def _globals(table: symtable.SymbolTable, top: bool = True) -> Iterator[str]:
    """Yield the module-level names that code reads, also inside nested functions."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (top or symbol.is_global()):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _globals(child, top=False)


def _calls(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", None) == name


def _declares(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr | ast.Assign) and _calls(node.value, "exercise")


def learner_setup(sections: Sections) -> str:
    """Return the imports of the file that the learner's part needs."""
    used = {name for statement in sections.learner for name in statement.uses}
    if any(_kind(statement.node) in ("function", "class") for statement in sections.learner):
        used |= {"np", "torch"}  # An answer may use these even if the model solution does not.
    imports = [
        s.only(used)
        for s in sections.head
        if isinstance(s.node, _Import)
        and getattr(s.node, "module", None) not in ("coursekit", "__future__")
        and s.binds & used
    ]
    return "\n".join(imports)


def cut_solution(part: str) -> str:
    """Return the starter: each solution region replaced by its ``# STARTER:`` lines or a stub."""

    def stub(region: re.Match[str]) -> str:
        inner = (line.strip() for line in region["inner"].splitlines())
        starter = [line[len(STARTER) :] for line in inner if line.startswith(STARTER)]
        return "\n".join(region["indent"] + line for line in starter or [STUB])

    return _REGION.sub(stub, part)


def keep_solution(part: str) -> str:
    """Return the learner's part with its solution, without markers and starter lines."""
    kept = [
        line
        for line in part.splitlines()
        if line.strip() not in (BEGIN, END) and not line.strip().startswith(STARTER)
    ]
    return "\n".join(kept) + "\n"


def check_source(exercise: Exercise, *names: str) -> str:
    """Return the code of the named checks with only the helpers and imports that they need.

    It never contains the solution, ``MISTAKES``, ``ALSO_RIGHT`` or another check.
    """
    sections = split(exercise.source)
    statements = [*sections.head, *sections.tail]
    checks = [s for s in statements if s.is_check and s.binds & set(names)]
    if unknown := set(names) - {name for s in checks for name in s.binds}:
        raise KeyError(f"{exercise.id} has no check {sorted(unknown)[0]!r}")
    helpers = [s for s in statements if not s.is_check and not s.binds & PRIVATE]
    kept = _with_helpers(checks, helpers)
    of_helpers = {name for s in helpers for name in s.binds}
    of_learner = {name for s in sections.learner for name in s.binds} - of_helpers
    for statement in kept:
        if used := sorted(statement.uses & of_learner):
            raise DefinitionError(
                f"{exercise.path}: check code uses {used[0]!r} of the learner's part; "
                "a check may reach it through its parameters only"
            )
    return _join([s for s in statements if s in kept])


def _with_helpers(checks: Sequence[Statement], helpers: Sequence[Statement]) -> list[Statement]:
    """Return the checks and all the helpers that they use, directly or not."""
    kept, queue = list(checks), list(checks)
    while queue:
        used = queue.pop().uses
        new = [h for h in helpers if h.binds & used and h not in kept]
        kept += new
        queue += new
    return kept


def _join(statements: Sequence[Statement]) -> str:
    """Return the statements as a module: imports first, blank lines around functions."""
    used = {name for s in statements for name in s.uses}
    blocks = sorted(
        ((_kind(s.node), s.only(used)) for s in statements), key=lambda b: b[0] != "import"
    )
    text, before = "", ""
    for kind, block in blocks:
        gap = "\n\n\n" if "function" in (before, kind) else "\n" if before == kind else "\n\n"
        text += (gap if text else "") + block
        before = kind
    return text + "\n"


def _kind(node: ast.stmt) -> str:
    if isinstance(node, _Import):
        return "import"
    return "function" if isinstance(node, ast.FunctionDef | ast.ClassDef) else "simple"


def top_level_names(source: str) -> frozenset[str]:
    """Return the names that Python source defines or imports at module level."""
    return frozenset(name for statement in _statements(source) for name in statement.binds)


def string_constants(source: str) -> frozenset[str]:
    """Return all string constants in Python source."""
    nodes = ast.walk(ast.parse(source))
    return frozenset(
        n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)
    )
