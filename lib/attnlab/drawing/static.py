"""Draw the static figure of an explorable: pictures side by side, and a table of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from attnlab.drawing.text import escape


def static_figure(
    pictures: Sequence[str], table: str, titles: Sequence[str] = (), *, note: str = ""
) -> str:
    """Return pictures and a table as the children of an explorable's element.

    A title stands above its picture, and the note, which says how to read all of it, at the end.
    """
    above = [f'<p class="attn-title">{escape(title)}</p>' for title in titles]
    side_by_side = "".join(
        f'<div class="attn-figure">{title}{picture}</div>'
        for picture, title in zip_longest(pictures, above[: len(pictures)], fillvalue="")
    )
    row = f'<div class="attn-static">{side_by_side}</div>' if pictures else ""
    end = f'<p class="attn-note">{escape(note)}</p>' if note else ""
    return f"{row}{table}{end}"


def static_table(columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return a table; a cell that begins with ``<td`` is taken as markup, any other as text."""
    head = "".join(f'<th scope="col">{escape(c)}</th>' if c else "<td></td>" for c in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(map(_cell, cells))}</tr>'
        for name, cells in rows
    )
    return (
        '<div class="attn-scroll"><table class="attn-numbers">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(content: str) -> str:
    return content if content.startswith("<td") else f"<td>{escape(content)}</td>"
