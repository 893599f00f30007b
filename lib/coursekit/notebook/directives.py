"""MyST directives as blocks of plain Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coursekit.notebook.references import References

_NAMED = re.compile(r"^\{(?P<name>[\w:.+-]+)\}\s*(?P<argument>.*)$")
_OPTION = re.compile(r"^:(?P<key>[\w-]+):\s*(?P<value>.*)$")
_BLOCK = re.compile(r"[-+*] |[|>#]|\$\$|```|~~~|<|\d+[.)] |!\[|$")
_UNSEEN = ("bibliography", "contents", "index", "only", "tableofcontents", "toctree")
_CODE = ("code", "code-block", "sourcecode")
_ASIDES = ("margin", "sidebar", "epigraph", "topic")
_ADMONITIONS = (
    *("admonition", "attention", "caution", "danger", "error", "hint", "important", "note"),
    *("seealso", "tip", "warning"),
)
_TITLES = {"seealso": "See also"}


@dataclass(frozen=True)
class Directive:
    """A directive as written: name, argument, options and body."""

    name: str
    argument: str
    options: dict[str, str]
    body: str

    @property
    def folded(self) -> bool:
        """Whether its body is shown on a click only."""
        classes = self.options.get("class", "").split()
        return self.name in ("dropdown", "toggle", "details") or bool(
            {"dropdown", "toggle"} & set(classes)
        )


def read_directive(info: str, body: Sequence[str]) -> Directive | None:
    """Return the directive that a fence opens, or None where it is ordinary code."""
    named = _NAMED.match(info.strip())
    if named is None:
        return None
    options: dict[str, str] = {}
    rest = list(body)
    while rest and (option := _OPTION.match(rest[0].strip())):
        options[option["key"]] = option["value"]
        rest.pop(0)
    return Directive(named["name"], named["argument"].strip(), options, "\n".join(rest).strip("\n"))


def directive_lines(
    directive: Directive, nested: Callable[[str], str], references: References
) -> list[str]:
    """Return a directive as lines of Markdown; ``nested`` makes its body plain."""
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
    if directive.folded:
        return _details(directive, nested)
    if name in _ADMONITIONS or name in _ASIDES:
        return _quote(directive, nested)
    title = f"**{nested(directive.argument)}**" if directive.argument else ""
    return [title, "", nested(body)] if title else [nested(body)]


def _title(directive: Directive) -> str:
    named = _TITLES.get(directive.name, directive.name.capitalize())
    takes_title = directive.name in ("admonition", "dropdown", "details", *_ASIDES)
    if takes_title:
        return directive.argument or ("" if directive.name in _ASIDES else "More")
    return named


def _quote(directive: Directive, nested: Callable[[str], str]) -> list[str]:
    title, body = _title(directive), directive.body
    if directive.argument and directive.name not in ("admonition", *_ASIDES):
        body = f"{directive.argument}\n{body}"  # {note} takes text, not a title, on its first line.
    text = nested(body)
    if title:
        apart = "\n\n" if _BLOCK.match(text) else " "
        text = f"**{nested(title).rstrip('.:')}.**{apart}{text}"
    return [f"> {line}".rstrip() for line in text.splitlines()]


def _details(directive: Directive, nested: Callable[[str], str]) -> list[str]:
    # Markdown inside this element's line is not read as such.
    title = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", nested(_title(directive)))
    title = re.sub(r"`([^`]+)`", r"<code>\1</code>", title)
    summary = f"<details><summary>{title}</summary>"
    return [summary, "", nested(directive.body), "", "</details>"]


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
    for line in directive.body.splitlines():
        text = line.strip()
        if text.startswith("* - "):
            rows.append([text[4:]])
        elif text.startswith("- ") and rows:
            rows[-1].append(text[2:])
        elif rows and text:
            rows[-1][-1] += f" {text}"
    lines = ["| " + " | ".join(nested(cell) for cell in row) + " |" for row in rows]
    if rows:
        lines.insert(1, "|" + " --- |" * len(rows[0]))
    caption = [f"**{nested(directive.argument)}**", ""] if directive.argument else []
    return [*caption, *lines]
