"""What a cell shows of a value: its HTML where it has some, and its text otherwise."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any, TypedDict

from coursekit.marked import message_html

LIMIT = 20_000  # characters of text

_BY_TYPE: dict[type, Callable[[Any], str]] = {}


class Shown(TypedDict, total=False):
    """One part of a cell's output: ``html``, or ``text``."""

    html: str
    text: str


def show_type_as(kind: type, to_html: Callable[[Any], str]) -> None:
    """Show values of a type by a function that makes HTML of them."""
    _BY_TYPE[kind] = to_html


def shown(value: Any) -> Shown:
    """Return what to show of a value."""
    for kind in type(value).__mro__:
        if kind in _BY_TYPE:
            return Shown(html=_BY_TYPE[kind](value))
    if markup := _markup(value):
        return Shown(html=markup)
    return Shown(text=repr(value)[:LIMIT])


def _markup(value: Any) -> str | None:
    """Return the HTML that a value has of itself, or None."""
    if isinstance(value, type):
        return None
    if callable(bundle := getattr(value, "_repr_mimebundle_", None)):
        made = bundle()
        data = made[0] if isinstance(made, tuple) else made
        if data and "text/html" in data:
            return str(data["text/html"])
    if callable(method := getattr(value, "_repr_html_", None)):
        made = method()
        return None if made is None else str(made)
    return None


class HTML:
    """Markup to show as it is."""

    def __init__(self, data: str = "", **_: Any) -> None:
        self.data = data

    def _repr_html_(self) -> str:
        return self.data


class Markdown(HTML):
    """Paragraphs and quotations with *stress*, **weight** and `code`: what cells' texts use."""

    def _repr_html_(self) -> str:
        return "".join(map(_block, re.split(r"\n\s*\n", self.data.strip())))


def _block(text: str) -> str:
    lines = text.splitlines()
    is_quoted = bool(lines) and all(line.startswith(">") for line in lines)
    words = " ".join(line.removeprefix(">").strip() if is_quoted else line for line in lines)
    paragraph = f"<p>{message_html(words)}</p>"
    return f"<blockquote>{paragraph}</blockquote>" if is_quoted else paragraph


class Code(HTML):
    """A listing."""

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.data, quote=False)}</pre>"
