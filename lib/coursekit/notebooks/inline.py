"""Turn MyST inside a line into Markdown: roles, links, footnote marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote

from coursekit.notebooks.references import References

if TYPE_CHECKING:
    from markdown_it.token import Token

_EXPLICIT = re.compile(r"^(?P<text>.*\S)\s*<(?P<target>[^<>]+)>$", re.DOTALL)
_EXTERNAL = re.compile(r"(https?|mailto|data):")


def inline_markdown(tokens: Sequence[Token], references: References) -> str:
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
    if token.type == "image":
        source = references.picture(unquote(str(token.attrs["src"])))
        return f"![{token.content}]({source}{_title(token)})"
    if token.type == "code_inline":
        space = " " if "`" in (token.content[:1], token.content[-1:]) else ""
        return f"{token.markup}{space}{token.content}{space}{token.markup}"
    if token.type in ("math_inline", "math_inline_double"):
        return f"{token.markup}{token.content}{token.markup}"
    if token.type == "footnote_ref":
        return f"<sup>{token.meta['label']}</sup>"
    if token.type in _BREAKS:
        return _BREAKS[token.type]
    # Text, or the marks of emphasis; what was escaped has its source there as well.
    return token.markup or token.content


def _link(link: Token, text: str, references: References) -> str:
    target = str(link.attrs["href"])
    if link.markup == "autolink":
        return f"<{text}>"
    if _EXTERNAL.match(target):
        return f"[{text}]({target}{_title(link)})"
    return references.link(unquote(target).removeprefix("project:"), text)


def _title(token: Token) -> str:
    return f' "{token.attrs["title"]}"' if "title" in token.attrs else ""


def _role(name: str, content: str, references: References) -> str:
    explicit = _EXPLICIT.match(content)
    text, target = (explicit["text"], explicit["target"]) if explicit else ("", content)
    if name.startswith("cite"):
        return references.cite(content.split(","), textual=name in ("cite:t", "cite:ts"))
    if name in ("ref", "numref", "doc", "any"):
        return references.link(target if name == "doc" else f"#{target}", text.replace(" %s", ""))
    if name == "eq":
        return f"({references.equations.get(content, content)})"
    if name in _SIMPLE:
        return _SIMPLE[name](text or content)
    if ":" in name or name in ("func", "class", "meth", "mod", "attr", "data", "obj", "exc"):
        last = content.rpartition(".")[2] if content.startswith("~") else content
        return f"`{text or last}`"
    return text or content


_BREAKS = {"softbreak": "\n", "hardbreak": "\\\n", "span_open": "", "span_close": ""}
_SIMPLE: dict[str, Callable[[str], str]] = {
    "code": lambda content: f"`{content}`",
    "kbd": lambda content: f"<kbd>{content}</kbd>",
    "math": lambda content: f"${content}$",
    "sub": lambda content: f"<sub>{content}</sub>",
    "sup": lambda content: f"<sup>{content}</sup>",
}
