"""Read the mistakes of a code exercise: each is an edit of the model solution, with its text.

Behind an id stand edits, and below it, indented, what a learner is told who made the mistake. A
text that is left out is the one that ``exercises/mistakes.txt`` has for this id, for all exercises.
Several edits are made together; ``or`` begins other ones that make the same mistake, within a line
another text for the last edit::

    no-mean: `x.var(` → `(x**2).mean(`, `(x - mean)` → `x`
        The mean was not subtracted.
    other-constant: `1e-5` → `1e-3` or `1e-4`
    or ` + 1e-5` → ``
        Another small number was added to the variance.

A line may be broken behind an arrow, a comma or a bracket; every occurrence of a text in the
solution is replaced. Without an arrow it is code, which takes the place of what it defines. More
lines stand in a fence, with the indentation that they have in the solution, whole ones to be
replaced above an arrow::

    fixed-sizes: (also no-scale) `def score(q, k): return q @ k.T`
        The scores are not divided by the root of the width.
    one-row:
        ```
            for row in rows:
                total += row
        →
            total = rows[0]
        ```
        Only the first row counts.

``(also …)`` names other mistakes that this answer shows. A mistake without edits is one that a
check finds by itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import dedent

from coursekit.errors import DefinitionError
from coursekit.model import Wrong

_ID = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_ENTRY = re.compile(rf"(?m)^(?={_ID}:)")
_FENCE = re.compile(r"(?m)(?:(?<=:)| *)\n {4}```\n((?:.*\n)*?) {4}```$")
_BROKEN = re.compile(r"(?<=[→,)])\n\s*")
_ALSO = re.compile(rf"\(also ({_ID}(?:, {_ID})*)\) *")
_EDIT = re.compile(r"`([^`]*)` +→ +`([^`]*)`((?: +or +`[^`]*`)*)(?:, +|\Z)")


@dataclass(frozen=True)
class _Way:
    """Edits that make a mistake together, or code in the place of what it defines."""

    also: tuple[str, ...]
    edits: tuple[tuple[str, str], ...] = ()
    code: str = ""

    def made_in(self, solution: str) -> str:
        """Return the solution with the mistake, or raise `DefinitionError`."""
        made = _in_place(solution, self.code) if self.code else solution
        for old, new in self.edits:
            if not old or old not in made:
                there = old.strip() and dedent(old).splitlines()[0].strip() in made
                hint = "; look at its indentation" if "\n" in old and there else ""
                raise DefinitionError(f"the solution has no {old!r} to replace{hint}")
            made = made.replace(old, new)
        if made == solution:
            raise DefinitionError("the edit changes nothing")
        return made


def mistakes_in(
    text: str, solution: str = "", *, shared: Mapping[str, str] | None = None, line: int = 1
) -> tuple[dict[str, str], dict[str, Wrong]]:
    """Return the texts of mistakes by id, and the wrong answers that their edits make, by name.

    Without a ``solution``, the answers are left out. A mistake without a text has the one that is
    ``shared``. The text begins in ``line`` of its file, and a
    `DefinitionError` names the line that it is about.
    """
    told: dict[str, str] = {}
    shared = shared or {}
    wrong: dict[str, Wrong] = {}
    before, *entries = _ENTRY.split(text)
    at = line + before.count("\n")
    if before.strip():
        raise DefinitionError(f"line {line}: {before.strip()!r}; expected 'id: `old` → `new`'")
    for entry in entries:
        id, _, rest = entry.partition(":")
        try:
            if id in told:
                raise DefinitionError("there already; expected another id")
            told[id], ways = _parts(rest)
            for number, way in enumerate(ways if solution else [], 1):
                name = f"{id} {number}" if number > 1 else id
                code = way.made_in(solution)
                ast.parse(code)
                wrong[name] = Wrong(misconception=id, also=way.also, code=code)
        except (DefinitionError, SyntaxError) as error:
            raise DefinitionError(f"line {at}: the mistake {id}: {error}") from None
        at += entry.count("\n")
    texts = {id: words or shared.get(id, "") for id, words in told.items()}
    return {id: words for id, words in texts.items() if words}, wrong


def _parts(entry: str) -> tuple[str, list[_Way]]:
    """Return what a mistake is told, and each way to make it."""
    fences: list[str] = []

    def kept(fence: re.Match[str]) -> str:
        fences.append(fence[1])
        return " ```"

    first, *lines = _BROKEN.sub(" ", _FENCE.sub(kept, entry)).splitlines()
    ways = [first.strip()]
    told = []
    for words in lines:
        if words == "or" or words.startswith("or "):
            ways.append(words[2:].strip())
        elif words.startswith("    ") or not words.strip():
            told.append(words.strip())
        else:
            raise DefinitionError(
                f"{words!r}; expected 'or `old` → `new`', or a text indented by four spaces"
            )
    blocks = iter(fences)
    return " ".join(filter(None, told)), [made for way in ways for made in _made(way, blocks)]


def _made(words: str, fences: Iterator[str]) -> Iterator[_Way]:
    match = _ALSO.match(words)
    also = tuple(match[1].split(", ")) if match else ()
    words = words[match.end() :] if match else words
    if words == "```":
        yield _fenced(also, next(fences))
    elif re.fullmatch("`[^`]+`", words):
        yield _Way(also, code=words[1:-1] + "\n")
    elif words or match:
        yield from _edited(also, words)


def _fenced(also: tuple[str, ...], block: str) -> _Way:
    lines = [line.removeprefix("    ") for line in block.splitlines()]
    if "→" in lines:
        at = lines.index("→")
        return _Way(also, (("\n".join(lines[:at]), "\n".join(lines[at + 1 :])),))
    return _Way(also, code=dedent("\n".join(lines)) + "\n")


def _edited(also: tuple[str, ...], words: str) -> Iterator[_Way]:
    edits: list[tuple[str, str]] = []
    others: list[str] = []
    while words or not edits:
        match = _EDIT.match(words)
        if match is None or others:
            raise DefinitionError(f"{words!r}; expected `old` → `new`")
        edits.append((match[1], match[2]))
        others = re.findall("`([^`]*)`", match[3])
        words = words[match.end() :]
    *before, (old, new) = edits
    for each in (new, *others):
        yield _Way(also, (*before, (old, each)))


def _in_place(solution: str, code: str) -> str:
    """Return the solution in which ``code`` takes the place of what it defines."""
    bound = {name for node in ast.parse(code).body for name in _binds(node)}
    lines = solution.splitlines()
    for node in reversed(ast.parse(solution).body):
        if bound & set(_binds(node)):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            del lines[first - 1 : node.end_lineno]
    return "\n".join([*lines, code])


def _binds(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))
