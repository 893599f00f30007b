"""Take the marks in messages and hints apart: `code`, *stress* and **weight**.

``pieces`` in ``browser/dom.ts`` reads them by the same pattern; tests hold the two equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

_INSIDE = r"[^\s*](?:[^*]*[^\s*])?"
#: Asterisks between words or spaces, as in a * b and x**2, are asterisks; code has no other marks.
_MARKED = re.compile(
    rf"`(?P<code>[^`]+)`|(?<![\w*])(?:\*\*(?P<strong>{_INSIDE})\*\*|\*(?P<em>{_INSIDE})\*)(?![\w*])"
)


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a text, each with the HTML element that marks it, or "" for none.

    Examples
    --------
    >>> list(pieces("Use `x**2`, *not* x * 2."))
    [('', 'Use '), ('code', 'x**2'), ('', ', '), ('em', 'not'), ('', ' x * 2.')]
    """
    end = 0
    for match in _MARKED.finditer(text):
        if between := text[end : match.start()]:
            yield "", between
        yield str(match.lastgroup), match[str(match.lastgroup)]
        end = match.end()
    if rest := text[end:]:
        yield "", rest


def message_html(text: str, *, with_strong: bool = True) -> str:
    """Return a message as HTML; it may quote a learner, and what is not marked is escaped.

    On pages that somebody else reads, a learner's words are not to be ``strong``.
    """
    return "".join(
        _element(tag, piece) if with_strong or tag != "strong" else escape(f"**{piece}**")
        for tag, piece in pieces(text)
    )


def _element(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>" if tag else escape(text)
