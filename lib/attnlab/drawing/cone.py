"""Draw which tokens inform the last one, layer by layer, as a static SVG."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnlab.drawing.text import escape
from attnlab.drawing.tokens import var

_COLUMN, _ROW, _SIDE = 18, 22, 13


def cone_svg(cone: NDArray[np.bool_], num_columns: int, label: str) -> str:
    """Return ``<svg>`` with a square for each position that informs the last token.

    Parameters
    ----------
    cone
        Shape ``(num_layers + 1, num_tokens)``; row 0 has the tokens and is drawn at the bottom.
    num_columns
        How many tokens there is room for; a shorter sentence stands at the right.
    label
        The alternative text.
    """
    height, width = (len(cone) - 1) * _ROW + 2 * _SIDE, num_columns * _COLUMN
    indent = width - cone.shape[1] * _COLUMN
    cells = "".join(
        f"M{indent + column * _COLUMN} {(len(cone) - 1 - row) * _ROW}h{_SIDE}v{_SIDE}h-{_SIDE}z"
        for row, column in np.argwhere(cone)
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(label)}"><path d="{cells}" style="fill:{var("muted")}"/></svg>'
    )
