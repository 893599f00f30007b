"""Turn MyST directives into blocks of CommonMark."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from coursekit.judge.predictions import awaited, read_when_answered
from coursekit.notebooks.myst import Directive, parse
from coursekit.notebooks.references import References

_BLOCK = re.compile(r"[-+*] |[|>#]|\$\$|```|~~~|<|\d+[.)] |!\[|$")
_UNSEEN = ("bibliography", "contents", "index", "only", "tableofcontents", "toctree")
_CODE = ("code", "code-block", "sourcecode")
_ASIDES = ("margin", "sidebar", "epigraph", "topic")
_ADMONITIONS = (
    *("admonition", "attention", "caution", "danger", "error", "hint", "important", "note"),
    *("seealso", "tip", "warning"),
)
_TITLES = {"seealso": "See also"}
#: Level of the items of a list table that are its rows; those inside are cells.
_ROW = 1


def directive_lines(
    directive: Directive, nested: Callable[[str], str], references: References
) -> list[str]:
    """Return a directive as blocks of CommonMark; ``nested`` converts the text inside it."""
    name, body = directive.name, directive.body
    if name in _UNSEEN:
        return []
    if name in _CODE:
        return [f"```{directive.argument}", body, "```"]
    if name == "literalinclude":
        return _source(directive, references)
    if name == "math":
        return _formula(directive, references)
    if name in ("figure", "image"):
        return _figure(directive, nested, references)
    if name == "list-table":
        return _list_table(directive, nested)
    if name == "raw":
        return [body] if directive.argument == "html" else []
    if name.startswith("auto"):
        return [f"`{directive.argument}`: see `help({directive.argument})`."]
    if name == "container":
        return _container(directive, nested, references)
    if _is_folded(directive):
        return _details(directive, nested)
    if name in _ADMONITIONS or name in _ASIDES:
        return _quote(directive, nested)
    title = f"**{nested(directive.argument)}**" if directive.argument else ""
    return [title, "", nested(body)] if title else [nested(body)]


def _is_folded(directive: Directive) -> bool:
    """Return whether the page shows the body only after a click."""
    classes = {directive.name, *directive.options.get("class", "").split()}
    return bool(classes & {"dropdown", "toggle", "details"})


def _title(directive: Directive) -> str:
    named = _TITLES.get(directive.name, directive.name.capitalize())
    takes_title = directive.name in ("admonition", "dropdown", "details", *_ASIDES)
    if takes_title:
        return directive.argument or ("" if directive.name in _ASIDES else "More")
    return named


def _quote(directive: Directive, nested: Callable[[str], str]) -> list[str]:
    title, body = _title(directive), directive.body
    if directive.argument and directive.name not in ("admonition", *_ASIDES):
        body = f"{directive.argument}\n{body}"  # The first line of a {note} is text, not a title.
    text = nested(body)
    if title:
        gap = "\n\n" if _BLOCK.match(text) else " "
        text = f"**{nested(title).rstrip('.:')}.**{gap}{text}"
    return [f"> {line}".rstrip() for line in text.splitlines()]


def _details(directive: Directive, nested: Callable[[str], str]) -> list[str]:
    # Inside this HTML element Markdown is not rendered.
    title = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", nested(_title(directive)))
    title = re.sub(r"`([^`]+)`", r"<code>\1</code>", title)
    summary = f"<details><summary>{title}</summary>"
    return [summary, "", nested(directive.body), "", "</details>"]


def _container(
    directive: Directive, nested: Callable[[str], str], references: References
) -> list[str]:
    """Return the text in a container: its argument is classes. What waits is folded."""
    text = nested(directive.body)
    ids = awaited(directive.argument.split())
    if not ids:
        return [text]
    titles = (references.exercise_title(id) for id in ids)
    summary = escape(read_when_answered(titles), quote=False)
    return [f"<details><summary>{summary}</summary>", "", text, "", "</details>"]


def _source(directive: Directive, references: References) -> list[str]:
    name, language = directive.options.get("pyobject", ""), directive.options.get("language", "")
    lines = references.source(directive.argument, name)
    if not lines:
        return [f"See `{name or directive.argument}` in `{directive.argument}`."]
    caption = directive.options.get("caption", "")
    return [*([f"**{caption}**", ""] if caption else []), f"```{language}", *lines, "```"]


def _formula(directive: Directive, references: References) -> list[str]:
    number = references.equations.get(directive.options.get("label", ""))
    tag = f"\\tag{{{number}}}" if number else ""
    return ["$$", f"{directive.argument}\n{directive.body}".strip(), f"{tag}$$"]


def _figure(
    directive: Directive, nested: Callable[[str], str], references: References
) -> list[str]:
    alt = directive.options.get("alt", "")
    picture = f"![{alt}]({references.picture(directive.argument)})"
    caption = nested(directive.body)
    return [picture, "", f"*{caption}*"] if caption else [picture]


def _list_table(directive: Directive, nested: Callable[[str], str]) -> list[str]:
    """Return a list of lists as a table; its first row is the head."""
    rows: list[list[str]] = []
    for token in parse(directive.body):
        if token.type == "list_item_open" and token.level == _ROW:
            rows.append([])
        elif token.type == "list_item_open":
            rows[-1].append("")
        elif token.type == "inline":
            rows[-1][-1] += (" " if rows[-1][-1] else "") + " ".join(nested(token.content).split())
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    if rows:
        lines.insert(1, "|" + " --- |" * len(rows[0]))
    caption = [f"**{nested(directive.argument)}**", ""] if directive.argument else []
    return [*caption, *lines]
