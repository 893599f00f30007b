"""Draw a boolean mask as a static SVG of many cells without numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnlab.drawing.scales import cell_css
from attnlab.drawing.text import escape, shape_text
from attnlab.drawing.token_axes import axis_names, chosen_row, token_axes
from attnlab.drawing.tokens import var

_CELL, _EDGE, _LINE = 18, 26, 20
#: Between two lines of the hatching.
_HATCH = 6


def mask_map_svg(
    mask: NDArray[np.bool_], reached: NDArray[np.bool_], selected: int, label: str
) -> str:
    """Return ``<svg>`` of a square mask: what is visible is filled, the rest is hatched.

    Parameters
    ----------
    mask
        Shape ``(num_tokens, num_tokens)``, True = may attend.
    reached
        The same shape, True = reaches the query over all layers; of the selected row, what is
        reached but not visible is marked.
    selected
        The query whose row is framed.
    label
        The alternative text.
    """
    count = len(mask)
    side = _EDGE + count * _CELL
    far = np.zeros_like(mask)
    far[selected] = reached[selected] & ~mask[selected]
    tokens = list(map(str, range(count)))
    shape = shape_text(num_queries=count, num_keys=count)
    return (
        f'<svg viewBox="0 0 {side + 2} {side + _LINE}" width="{side + 2}" height="{side + _LINE}" '
        f'role="img" aria-label="{escape(label)}">{_hatching(side)}{_cells(mask, far)}'
        f"{token_axes(tokens, _CELL, _EDGE)}{axis_names(count, _CELL, _EDGE)}"
        f"{chosen_row(selected, count, _CELL, _EDGE)}"
        f'<text x="{_EDGE}" y="{side + 15}" style="fill:{var("muted")};font-size:11px">'
        f"{shape}</text></svg>"
    )


def _hatching(side: int) -> str:
    """Return lines across the whole map, on which the visible cells are then drawn."""
    size = side - _EDGE
    lines = "".join(
        f"M{_EDGE + max(at - size, 0)} {_EDGE + min(at, size)}"
        f"L{_EDGE + min(at, size)} {_EDGE + max(at - size, 0)}"
        for at in range(_HATCH, 2 * size, _HATCH)
    )
    return f'<path d="{lines}" style="stroke:{var("hatch")};stroke-width:0.75;fill:none"/>'


def _cells(mask: NDArray[np.bool_], far: NDArray[np.bool_]) -> str:
    looks = {
        "seen": f"fill:{cell_css('ink', 60)}",
        "far": f"fill:{cell_css('ink', 25)};stroke:{var('ink')}",
        "unseen": f"fill:none;stroke:{var('line')};stroke-width:0.5",
    }
    cells = []
    for (row, column), is_seen in np.ndenumerate(mask):
        kind = "far" if far[row, column] else "seen" if is_seen else "unseen"
        cells.append(
            f'<rect class="{kind}" x="{_EDGE + column * _CELL}" y="{_EDGE + row * _CELL}" '
            f'width="{_CELL - 1}" height="{_CELL - 1}" style="{looks[kind]}"/>'
        )
    return "".join(cells)
