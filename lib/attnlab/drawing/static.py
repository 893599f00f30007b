"""The static figure of an explorable: pictures side by side, and their numbers as a table."""

from __future__ import annotations

from collections.abc import Sequence

from attnlab.drawing.text import escape


def static_figure(pictures: Sequence[str], table: str) -> str:
    """Return pictures and a table as the children of an explorable's element."""
    side_by_side = "".join(f'<div class="attn-figure">{picture}</div>' for picture in pictures)
    row = f'<div class="attn-static">{side_by_side}</div>' if pictures else ""
    return f"{row}{table}"


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
