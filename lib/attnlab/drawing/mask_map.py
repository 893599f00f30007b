"""A boolean mask as a static SVG: a map of many cells without numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnlab.drawing.text import escape
from attnlab.drawing.tokens import var

_CELL = 14


def mask_map_svg(mask: NDArray[np.bool_], label: str) -> str:
    """Return ``<svg>`` of a square mask: what is visible is filled, the rest is hatched.

    Parameters
    ----------
    mask
        Shape ``(num_tokens, num_tokens)``, True = may attend.
    label
        The alternative text.
    """
    side = len(mask) * _CELL
    cells = "".join(
        f"M{column * _CELL} {row * _CELL}h{_CELL - 1}v{_CELL - 1}h{1 - _CELL}z"
        for row, column in np.argwhere(mask)
    )
    return (
        f'<svg class="attn-masked" viewBox="-1 -1 {side + 1} {side + 1}" width="{side}" '
        f'height="{side}" role="img" aria-label="{escape(label)}">'
        f'<rect width="{side}" height="{side}" style="fill:none;stroke:{var("line")}"/>'
        f'<path d="{cells}" style="fill:{var("muted")}"/></svg>'
    )
