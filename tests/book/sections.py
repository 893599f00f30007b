"""A chapter's sections as they are written: their words, exercises, and what their cells use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from coursekit.notebooks.myst import Directive, parse, parse_nested, read_directive

BOOK = Path(__file__).resolve().parents[2] / "book"


@dataclass(frozen=True)
class Section:
    """One or more sections of a page, with those below them.

    Parameters
    ----------
    text : str
        MyST.
    names : dict
        What the page's cells import, by the name that it has there.
    """

    text: str
    names: dict[str, str]

    @cached_property
    def directives(self) -> tuple[Directive, ...]:
        """All directives, those inside of others included."""
        return tuple(filter(None, map(read_directive, parse_nested(self.text))))

    @cached_property
    def words(self) -> str:
        """The text without its code cells, every run of blanks as one space."""
        return " ".join(re.sub(r"(?ms)^```\{code-cell\}.*?^```$", " ", self.text).split())

    @property
    def exercises(self) -> set[str]:
        """The exercises that stand here."""
        return {each.argument for each in self.directives if each.name == "exercise"}

    @property
    def asks(self) -> bool:
        """Whether a fold here has a question as its title."""
        return any(d.name == "dropdown" and d.argument.endswith("?") for d in self.directives)

    @property
    def cells(self) -> Iterator[ast.Module]:
        """The code of the cells."""
        for directive in self.directives:
            if directive.name == "code-cell":
                yield ast.parse(directive.body)

    @cached_property
    def used(self) -> set[str]:
        """Full names of what the cells use, and of library code that is shown."""
        names = {name for cell in self.cells for name in used_names(cell, self.names)}
        for each in self.directives:
            if each.name == "literalinclude" and "pyobject" in each.options:
                module = each.argument.removeprefix("../lib/").removesuffix(".py").replace("/", ".")
                names.add(f"{module}.{each.options['pyobject']}")
        return names

    @cached_property
    def experiments(self) -> set[str]:
        """The experiments whose figure or stored result a cell asks for, or that it imports."""
        package = "attnlab.experiments"
        asked = {
            str(call.args[0].value)
            for cell in self.cells
            for call in ast.walk(cell)
            if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)
            if full_name(call.func, self.names) in (f"{package}.figure", f"{package}.load")
        }
        return asked | {n.split(".")[2] for n in self.used if n.startswith(f"{package}.")}


@cache
def sections(page: str, *headings: str) -> Section:
    """Return sections of a page by their headings, or raise LookupError.

    The title stands for what comes before the first section.
    """
    text = (BOOK / f"{page}.md").read_text(encoding="utf-8")
    tokens, lines = parse(text, is_page=True), text.splitlines()
    found = [
        (int(token.tag[1]), tokens[i + 1].content, token.map[0])
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.map and token.level == 0
    ]
    parts = []
    for heading in headings:
        at = [i for i, (_, name, _) in enumerate(found) if name == heading]
        if len(at) != 1:
            have = [name for _, name, _ in found]
            raise LookupError(f"{page} has {len(at)} sections “{heading}”: {have}")
        level, _, start = found[at[0]]
        after = found[at[0] + 1 :]
        ends = (line for deep, _, line in after if deep <= level or level == 1)
        parts.append("\n".join(lines[start : next(ends, len(lines))]))
    names: dict[str, str] = {}
    for cell in Section(text, {}).cells:
        names |= imported(cell)
    return Section("\n\n".join(parts), names)


def imported(tree: ast.AST) -> dict[str, str]:
    """Return the full names of what code imports, by the name that it has there."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or name] = name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def full_name(node: ast.AST, names: dict[str, str]) -> str | None:
    """Return the full name of ``a.b.c``, or None where ``a`` is not imported."""
    if isinstance(node, ast.Attribute):
        owner = full_name(node.value, names)
        return owner and f"{owner}.{node.attr}"
    return names.get(node.id) if isinstance(node, ast.Name) else None


def used_names(tree: ast.AST, names: dict[str, str]) -> set[str]:
    """Return the full names of everything imported that code uses."""
    return set(filter(None, (full_name(node, names) for node in ast.walk(tree))))
