"""Show a value as a cell does: as HTML where it has some, as text otherwise."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable
from pathlib import Path
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


class Image:
    """A picture from its bytes or a file."""

    def __init__(self, data: Any = None, filename: str | None = None, **options: Any) -> None:
        self._data = Path(filename).read_bytes() if filename else bytes(data or b"")
        self._format = options.get("format") or "png"
        self._words = options.get("alt") or ""

    def _repr_html_(self) -> str:
        data = base64.b64encode(self._data).decode()
        words = html.escape(self._words)
        return f'<img alt="{words}" src="data:image/{self._format};base64,{data}">'
