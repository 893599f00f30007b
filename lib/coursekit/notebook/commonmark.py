"""MyST as CommonMark with formulas, which is what Jupyter and Colab show.

References, citations and terms become links and words, a dropdown and what waits HTML that unfolds,
included source a block of code. All other lines stay as they were written. Any other construct of
MyST is an error, so that no notebook shows its syntax.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import unquote

from coursekit.errors import CoursekitError
from coursekit.notebook.myst import Directive, parse, read_directive
from coursekit.notebook.references import References
from coursekit.predictions import awaited, read_when_answered

if TYPE_CHECKING:
    from markdown_it.token import Token

_HIDDEN = ("myst_target", "myst_line_comment", "myst_block_break")
_VERBATIM = ("fence", "code_block", "math_block", "amsmath", "html_block")
_BLOCKS = (
    "paragraph heading bullet_list ordered_list list_item blockquote table thead tbody tr th td"
)
_KEPT = {"inline", "hr", *(f"{b}_{end}" for b in _BLOCKS.split() for end in ("open", "close"))}
_KEPT_INLINE = {"text", "text_special", "html_inline"}
_KEPT_INLINE |= {"em_open", "em_close", "strong_open", "strong_close"}
_BREAKS = {"softbreak": "\n", "hardbreak": "\\\n"}
_EXPLICIT = re.compile(r"^(?P<text>.*\S)\s*<[^<>]+>$", re.DOTALL)
_EXTERNAL = re.compile(r"(https?|mailto|data):")


def to_commonmark(text: str, references: References | None = None) -> str:
    """Return MyST text as Markdown that reads well without MyST.

    Raises
    ------
    CoursekitError
        The text has a role, a directive or other syntax of MyST that is not handled here.
    """
    document = _Document(text, references or References())
    for token in parse(text):
        document.rewrite(token)
    return document.text()


def folded(summary: str, markdown: str) -> str:
    """Return Markdown below a summary, which is HTML: a click unfolds it."""
    return f"<details><summary>{summary}</summary>\n\n{markdown}\n\n</details>"


def _refuse(what: str, source: str) -> NoReturn:
    raise CoursekitError(
        f"a notebook cannot show {what}: {source.strip()[:80]!r}; expected CommonMark with "
        "formulas, the roles cite, cite:t, term and py:…, and the directives dropdown, container "
        "and literalinclude"
    )


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
        start, stop = token.map or (0, 0)
        if directive := read_directive(token):
            self._replace(token, ["", *self._block(directive), ""])
        elif token.type in _HIDDEN:
            self._replace(token, [])
        elif token.type in _VERBATIM:
            self._verbatim.update(range(start, stop))
        elif token.type not in _KEPT:
            _refuse(token.type.removesuffix("_open"), token.content or "".join(self._output[start]))

    def text(self) -> str:
        """Return the text, blank lines in a row reduced to one outside of code and formulas."""
        lines = [""]
        for number, block in enumerate(self._output):
            for line in block:
                is_repeated = line.rstrip() == lines[-1].rstrip() and not line.strip("> ")
                if number in self._verbatim or not is_repeated:
                    lines.append(line)
        return "\n".join(lines).strip("\n")

    def _block(self, directive: Directive) -> list[str]:
        """Return a directive as blocks of CommonMark."""
        if directive.name == "literalinclude":
            name, language = (directive.options.get(key, "") for key in ("pyobject", "language"))
            lines = self._references.source(directive.argument, name)
            return [f"```{language}", *lines, "```"]
        text = to_commonmark(directive.body, self._references)
        if directive.name == "container":  # its argument is classes
            ids = awaited(directive.argument.split())
            titles = map(self._references.exercise_title, ids)
            summary = escape(read_when_answered(titles), quote=False)
            return folded(summary, text).split("\n") if ids else [text]
        if directive.name == "dropdown":
            # Inside of HTML Markdown is not rendered.
            summary = to_commonmark(directive.argument or "More", self._references)
            summary = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", summary)
            summary = re.sub(r"`([^`]+)`", r"<code>\1</code>", summary)
            return folded(summary, text).split("\n")
        _refuse(f"the directive {directive.name}", directive.argument or directive.body)

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
        text = _inline(token.children or [], self._references)
        if self._parent in ("th_open", "td_open"):
            self._rewrite_cell(start, token.content.replace("|", r"\|"), text.replace("|", r"\|"))
            return
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


def _inline(tokens: Sequence[Token], references: References) -> str:
    """Return the tokens of a paragraph as Markdown; code, formulas and emphasis stay."""
    pieces: list[str] = []
    open_links: list[int] = []
    tagged = _with_strong_in_them(tokens)
    for at, token in enumerate(tokens):
        if token.type == "link_open":
            open_links.append(len(pieces))
            link = token
        elif token.type == "link_close":
            start = open_links.pop()
            pieces[start:] = [_link(link, "".join(pieces[start:]), references)]
        elif at in tagged:
            pieces.append("<em>" if token.type == "em_open" else "</em>")
        else:
            pieces.append(_piece(token, references))
    return "".join(pieces)


def _with_strong_in_them(tokens: Sequence[Token]) -> set[int]:
    """Return where emphasis begins and ends that has strong text in it.

    JupyterLab's reader of Markdown, marked, shows stars where such marks meet, as in ``*a**b**.*``.
    """
    found: set[int] = set()
    began: list[int] = []
    for at, token in enumerate(tokens):
        if token.type == "em_open":
            began.append(at)
        elif token.type == "em_close":
            start = began.pop()
            if any(inner.type == "strong_open" for inner in tokens[start:at]):
                found |= {start, at}
    return found


def _piece(token: Token, references: References) -> str:
    if token.type == "myst_role":
        return _role(token.meta["name"], " ".join(token.content.split()), references)
    if token.type == "code_inline":
        space = " " if "`" in (token.content[:1], token.content[-1:]) else ""
        return f"{token.markup}{space}{token.content}{space}{token.markup}"
    if token.type in ("math_inline", "math_inline_double"):
        return f"{token.markup}{token.content}{token.markup}"
    if token.type in _BREAKS:
        return _BREAKS[token.type]
    if token.type == "image" and _EXTERNAL.match(source := str(token.attrs["src"])):
        return f"![{token.content}]({source}{_title(token)})"
    if token.type not in _KEPT_INLINE:
        _refuse(token.type.removesuffix("_open"), token.content or str(token.attrs))
    # Text, or the marks of emphasis; what was escaped has its source there as well.
    return token.markup or token.content


def _link(link: Token, text: str, references: References) -> str:
    target = str(link.attrs["href"])
    if link.markup == "autolink":
        return f"<{text}>"
    if _EXTERNAL.match(target):
        return f"[{text}]({target}{_title(link)})"
    return references.link(unquote(target), text)


def _title(token: Token) -> str:
    return f' "{token.attrs["title"]}"' if "title" in token.attrs else ""


def _role(name: str, content: str, references: References) -> str:
    if name in ("cite", "cite:t"):
        return references.cite(content.split(","), textual=name == "cite:t")
    explicit = _EXPLICIT.match(content)
    text = explicit["text"] if explicit else ""
    if name == "term":
        return text or content
    if not name.startswith("py:"):
        _refuse(f"the role {name}", content)
    return f"`{text or (content.rpartition('.')[2] if content.startswith('~') else content)}`"
