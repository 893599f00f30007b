"""MyST inside a line: roles, links, footnote marks."""

from __future__ import annotations

import re
from collections.abc import Callable

from coursekit.notebook.references import References

_INLINE = re.compile(
    r"""
    \{(?P<role>[A-Za-z][\w:.+-]*)\}(?P<ticks>`+)(?P<content>.+?)(?P=ticks)
  | (?P<code>(?<!`)(?P<mark>`+)(?!`).+?(?<!`)(?P=mark)(?!`))
  | (?P<math>\$[^$]+\$)
  | !\[(?P<alt>[^\]]*)\]\((?P<source>[^)\s]+)(\s+"[^"]*")?\)
  | \[(?P<span>[^\[\]]+)\]\{[.\#][^}]*\}
  | \[(?P<text>(?:[^\[\]`]|`[^`]*`)*)\]\(<?(?P<target>[^)\s>]+)>?\)
  | \[\^(?P<note>[\w-]+)\]
    """,
    re.VERBOSE | re.DOTALL,
)
_EXPLICIT = re.compile(r"^(?P<text>.*\S)\s*<(?P<target>[^<>]+)>$", re.DOTALL)


def plain_inline(text: str, references: References) -> str:
    """Return a paragraph with its roles and links as words; code and formulas stay."""

    def shown(found: re.Match[str]) -> str:
        if found["role"]:
            content = " ".join(found["content"].split())
            return _role(found["role"], content, references)
        if found["source"]:
            return f"![{found['alt']}]({references.picture(found['source'])})"
        if found["span"]:
            return found["span"]
        if found["target"]:
            return _link(found["text"], found["target"], references)
        return f"<sup>{found['note']}</sup>" if found["note"] else found[0]

    return _INLINE.sub(shown, text)


def _link(text: str, target: str, references: References) -> str:
    if re.match(r"(https?|mailto|data):", target):
        return f"[{text}]({target})"
    return references.link(target.removeprefix("project:"), text)


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


_SIMPLE: dict[str, Callable[[str], str]] = {
    "code": lambda content: f"`{content}`",
    "kbd": lambda content: f"<kbd>{content}</kbd>",
    "math": lambda content: f"${content}$",
    "sub": lambda content: f"<sub>{content}</sub>",
    "sup": lambda content: f"<sup>{content}</sup>",
}
