"""Turn MyST into CommonMark with formulas, which Jupyter and Colab show.

What MyST adds (cross references, citations, admonitions, figures, numbered equations) becomes
words, block quotes and pictures. All other lines stay as they were written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from coursekit.notebooks.directives import directive_lines
from coursekit.notebooks.inline import inline_markdown
from coursekit.notebooks.myst import parse, read_directive
from coursekit.notebooks.references import References

if TYPE_CHECKING:
    from markdown_it.token import Token

_HIDDEN = ("myst_target", "myst_line_comment", "myst_block_break", "attrs_block")
_VERBATIM = ("fence", "code_block", "math_block", "amsmath", "html_block")


def to_commonmark(text: str, references: References | None = None) -> str:
    """Return MyST text as Markdown that reads well without MyST."""
    document = _Document(text, references or References())
    for token in parse(text):
        document.rewrite(token)
    return document.text()


class _Document:
    """The lines of a text, rewritten in place token by token."""

    def __init__(self, text: str, references: References) -> None:
        self._references = references
        # For each line of the source, what is written for it: itself, a whole block, or nothing.
        self._output = [[line] for line in re.split(r"\r\n?|\n", text)]
        self._verbatim: set[int] = set()
        self._parent = ""  # the type of the token that opened the block of an inline token
        self._cell = (0, 0)  # line and column at which the next table cell starts

    def rewrite(self, token: Token) -> None:
        """Rewrite the lines of a token where CommonMark lacks its syntax."""
        if token.type == "inline":
            self._rewrite_inline(token)
        self._parent = token.type
        if token.map is None:
            return
        start, stop = token.map
        if directive := read_directive(token):
            lines = directive_lines(directive, self._nested, self._references)
            self._replace(token, ["", *lines, ""])
        elif token.type in _HIDDEN:
            self._replace(token, [])
        elif token.type == "math_block_label":
            self._replace(token, ["", self._numbered(token), ""])
        elif token.type == "dd_open":
            self._output[start][0] = re.sub(r"^(\s*)[:~]\s+", r"\1", self._output[start][0])
        elif token.type == "footnote_reference_open":
            mark, shown = f"[^{token.meta['label']}]:", f"<sup>{token.meta['label']}</sup>"
            self._output[start][0] = self._output[start][0].replace(mark, shown, 1)
        elif token.type in _VERBATIM:
            self._verbatim.update(range(start, stop))

    def text(self) -> str:
        """Return the text, blank lines in a row reduced to one outside of code and formulas."""
        lines = [""]
        for number, block in enumerate(self._output):
            for line in block:
                is_repeated = line.rstrip() == lines[-1].rstrip() and not line.strip("> ")
                if number in self._verbatim or not is_repeated:
                    lines.append(line)
        return "\n".join(lines).strip("\n")

    def _nested(self, text: str) -> str:
        return to_commonmark(text, self._references)

    def _numbered(self, formula: Token) -> str:
        number = self._references.equations.get(formula.info)
        tag = f"\\tag{{{number}}}" if number else ""
        return f"$${formula.content}{tag}$$"

    def _replace(self, token: Token, blocks: Sequence[str]) -> None:
        """Write ``blocks`` in place of a token's lines, inside the same list item or quote."""
        start, stop = token.map or (0, 0)
        source = self._output[start][0]
        opening = source[: source.index(token.markup)] if token.markup in source else ""
        if opening:
            marked = bool(opening.strip(" >"))  # it starts a list item, with its first line
            indent = re.sub(r"[^>\s]", " ", opening)
            lines = "\n".join(blocks).split("\n")[marked or start == 0 :] or [""]
            blocks = [(indent + line).rstrip() for line in lines]
            blocks[0] = opening + lines[0] if marked else blocks[0]
        self._output[start:stop] = [list(blocks), *([] for _ in range(start + 1, stop))]

    def _rewrite_inline(self, token: Token) -> None:
        """Write a paragraph, a heading or a table cell again, its roles and links as words."""
        start, _ = token.map or (0, 0)
        text = inline_markdown(token.children or [], self._references)
        if self._parent in ("th_open", "td_open"):
            self._rewrite_cell(start, token.content.replace("|", r"\|"), text.replace("|", r"\|"))
            return
        if self._parent == "dt_open":
            text = f"**{text}**:"
        if text == token.content:
            return
        new = text.split("\n")
        for at, old in enumerate(token.content.split("\n")):
            # Tokens lack the indentation of a paragraph's later lines.
            before, _, after = self._output[start + at][0].rpartition(old.lstrip())
            # There are fewer lines than before where a role was spread over two.
            self._output[start + at] = [f"{before}{new[at]}{after}"] if at < len(new) else []

    def _rewrite_cell(self, number: int, old: str, new: str) -> None:
        line = self._output[number][0]
        row, column = self._cell
        at = line.index(old, column if row == number else 0)
        self._output[number] = [line[:at] + new + line[at + len(old) :]]
        self._cell = (number, at + len(new))
