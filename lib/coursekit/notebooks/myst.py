"""Read MyST with markdown-it and the plugins that Jupyter Book's own parser uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from coursekit.errors import MissingExtraError

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_NAMED = re.compile(r"^\{(?P<name>[\w:.+-]+)\}\s*(?P<argument>.*)$")
_OPTION = re.compile(r"^:(?P<key>[\w-]+):\s*(?P<value>.*)$")


@dataclass(frozen=True)
class Directive:
    """A directive as written: name, argument, options and body."""

    name: str
    argument: str
    options: dict[str, str]
    body: str


def parse(text: str, *, is_page: bool = False) -> list[Token]:
    """Return the tokens of a MyST text; those of blocks have their lines in ``map``.

    A page may start with front matter. Elsewhere the same lines are a rule and a heading.
    """
    return parser(is_page).parse(text)


def parse_nested(text: str) -> Iterator[Token]:
    """Yield the tokens of a MyST text and of the bodies of its directives."""
    for token in parse(text):
        yield token
        if (directive := read_directive(token)) and "code" not in directive.name:
            yield from parse_nested(directive.body)


def read_directive(token: Token) -> Directive | None:
    """Return a token's directive, or None for any other block, such as ordinary code."""
    if token.type not in ("fence", "colon_fence"):
        return None
    named = _NAMED.match(token.info.strip())
    if named is None:
        return None
    options: dict[str, str] = {}
    lines = token.content.split("\n")
    while lines and (option := _OPTION.match(lines[0].strip())):
        options[option["key"]] = option["value"]
        lines.pop(0)
    return Directive(
        named["name"], named["argument"].strip(), options, "\n".join(lines).strip("\n")
    )


@lru_cache(maxsize=2)
def parser(is_page: bool) -> MarkdownIt:
    """Return the parser, or raise `MissingExtraError` where its libraries are not installed."""
    try:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.amsmath import amsmath_plugin
        from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
        from mdit_py_plugins.colon_fence import colon_fence_plugin
        from mdit_py_plugins.deflist import deflist_plugin
        from mdit_py_plugins.dollarmath import dollarmath_plugin
        from mdit_py_plugins.footnote import footnote_plugin
        from mdit_py_plugins.front_matter import front_matter_plugin
        from mdit_py_plugins.myst_blocks import myst_block_plugin
        from mdit_py_plugins.myst_role import myst_role_plugin
    except ImportError as error:
        library = "markdown-it-py" if error.name == "markdown_it" else "mdit-py-plugins"
        raise MissingExtraError(library, "grading") from None
    parser = MarkdownIt("commonmark").enable("table")
    if is_page:
        parser.use(front_matter_plugin)
    for plugin in (myst_block_plugin, myst_role_plugin, footnote_plugin, colon_fence_plugin):
        parser.use(plugin)
    parser.use(dollarmath_plugin, double_inline=True)
    for plugin in (amsmath_plugin, deflist_plugin, attrs_block_plugin):
        parser.use(plugin)
    parser.use(attrs_plugin, spans=True, span_after="footnote_ref")
    parser.disable(["footnote_inline", "footnote_tail"])
    # Without these rules, tokens keep escaped characters and attributes as they were written.
    parser.core.ruler.disable(["attr", "text_join"])
    return parser
