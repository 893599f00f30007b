"""Label a map of many cells: a token for each row and column, and a framed row."""

from __future__ import annotations

from collections.abc import Sequence

from attnlab.drawing.text import escape
from attnlab.drawing.tokens import var


def token_axes(tokens: Sequence[str], cell: int, edge: int) -> str:
    """Return the tokens as SVG: keys above the columns, queries beside the rows.

    Parameters
    ----------
    tokens
        The label of each row, and of each column.
    cell, edge
        The side of a cell and the room for labels, in pixels.
    """
    return "".join(
        _tick("key", edge + (i + 0.5) * cell - 0.5, edge - 5, token)
        + _tick("query", edge - 9, edge + (i + 0.5) * cell + 3.5, token)
        for i, token in enumerate(tokens)
    )


def axis_names(count: int, cell: int, edge: int) -> str:
    """Return the words "key" and "query" as SVG, beyond the tokens of ``count`` rows."""
    middle = edge + count * cell / 2
    return (
        f'<text x="{middle:g}" y="9" style="{_style("key")}">key</text>'
        f'<text transform="translate(8 {middle:g}) rotate(-90)" style="{_style("query")}">'
        f"query</text>"
    )


def chosen_row(row: int, columns: int, cell: int, edge: int) -> str:
    """Return the frame of one row of so many columns as SVG."""
    return (
        f'<rect x="{edge - 1.5}" y="{edge + row * cell - 1.5}" width="{columns * cell + 2}" '
        f'height="{cell + 2}" style="fill:none;stroke:{var("query")};stroke-width:2"/>'
    )


def _style(role: str) -> str:
    return f"fill:{var(role)};font-size:10px;text-anchor:middle"


def _tick(role: str, x: float, y: float, token: str) -> str:
    return (
        f'<text class="tick {role}" x="{x:g}" y="{y:g}" style="{_style(role)}">'
        f"{escape(token)}</text>"
    )
