"""MyST as plain Markdown, for readers that know nothing of roles and directives.

Jupyter and Colab show CommonMark with formulas. What MyST adds (cross references, citations,
admonitions, figures, numbered equations) becomes words, block quotes and pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from coursekit.notebook.directives import Directive, directive_lines, read_directive
from coursekit.notebook.inline import plain_inline
from coursekit.notebook.references import References

__all__ = ["References", "plain_markdown"]

# Three backticks with another one on their line are code inside a line.
FENCE = re.compile(r"^\s*(?P<mark>`{3,}(?=[^`]*$)|~{3,}|:{3,})\s*(?P<info>.*)$")
# A target, a comment, or attributes of the next block: nothing of it is shown.
_UNSEEN = re.compile(r"^(\([^()\s]+\)=|%.*|\{[.#][^}`]*\})\s*$")
_MATH_LABEL = re.compile(r"^(?P<end>.*\$\$)[ \t]*\((?P<label>[^()]+)\)\s*$")
_DEFINITION = re.compile(r"^(?P<term>\S[^\n]*)\n:\s+", re.MULTILINE)
_NOTE = re.compile(r"^\[\^(?P<name>[\w-]+)\]:", re.MULTILINE)


def plain_markdown(text: str, references: References | None = None) -> str:
    """Return MyST text as Markdown that reads well without MyST."""
    references = references or References()
    lines = [line for block in _blocks(text.splitlines()) for line in _plain(block, references)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Yield fenced blocks, display formulas, single unseen lines, and what lies between."""
    text: list[str] = []
    at = 0
    while at < len(lines):
        end = _end(lines, at)
        if end == at and lines[at].strip() and not _UNSEEN.match(lines[at]):
            text.append(lines[at])
        else:
            yield from ([text] if text else [])
            text = []
            yield lines[at : end + 1]
        at = end + 1
    if text:
        yield text


def _end(lines: list[str], at: int) -> int:
    """Return the last line of the block that starts at ``at``: itself, unless it is fenced."""
    if fence := FENCE.match(lines[at]):
        return fence_end(lines, at, fence["mark"])
    opening = lines[at].strip()
    if opening.startswith("$$") and opening.count("$$") == 1:
        return next((i for i in range(at + 1, len(lines)) if "$$" in lines[i]), at)
    return at


def fence_end(lines: list[str], at: int, mark: str) -> int:
    """Return the line that closes the fence opened at ``at`` by ``mark``, or the last line."""
    for i in range(at + 1, len(lines)):
        if _closes(lines[i], mark):
            return i
    return len(lines) - 1


def _closes(line: str, mark: str) -> bool:
    return len(line.strip()) >= len(mark) and set(line.strip()) == {mark[0]}


def _plain(block: list[str], references: References) -> Iterator[str]:
    first = block[0]
    if fence := FENCE.match(first):
        closed = len(block) > 1 and _closes(block[-1], fence["mark"])
        directive = read_directive(fence["info"], block[1:-1] if closed else block[1:])
        if directive is None:  # Ordinary code.
            yield from block
        else:
            yield from ["", *_directive(directive, references), ""]
    elif first.strip().startswith("$$"):
        yield from ["", *_formula(block, references), ""]
    elif not _UNSEEN.match(first):
        text = _DEFINITION.sub(r"**\g<term>**: ", "\n".join(block))
        text = _NOTE.sub(r"<sup>\g<name></sup>", text)
        yield plain_inline(text, references)


def _directive(directive: Directive, references: References) -> list[str]:
    def nested(text: str) -> str:
        return plain_markdown(text, references)

    return directive_lines(directive, nested, references)


def _formula(block: list[str], references: References) -> list[str]:
    labelled = _MATH_LABEL.match(block[-1])
    if labelled is None:
        return block
    number = references.equations.get(labelled["label"])
    end = labelled["end"].rstrip()
    return [*block[:-1], end[:-2] + f"\\tag{{{number}}}$$" if number else end]
