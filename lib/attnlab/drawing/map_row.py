"""Draw large maps of the weights of a few heads side by side, each with a name above it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnlab.drawing.heat_axes import LARGEST_DRAWN, draw_heat_map
from attnlab.drawing.matplotlib_style import describe, new_axes
from attnlab.drawing.tokens import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Empty cells between two maps.
GAP = 5


def head_row(maps: Mapping[str, NDArray[np.float64]], text: str) -> Figure:
    """Return a figure of the weights of some heads, from 0 (paper) to 1 (ink).

    Parameters
    ----------
    maps : mapping of array, each of shape (num_tokens, num_tokens)
        By the name that stands above.
    text : str
        Alternative text: what a reader should see.

    Raises
    ------
    ValueError
        If ``maps`` is empty, if its maps differ in shape or are not square, or if they are small
        enough for `weights_table`.
    """
    shapes = sorted({np.shape(weights) for weights in maps.values()})
    tokens = shapes[0][0] if shapes else 0
    if shapes != [(tokens, tokens)]:
        raise ValueError(f"maps have shapes {shapes}; expected one shape (n, n) for all")
    step = tokens + GAP
    if len(maps) * step - GAP <= LARGEST_DRAWN:
        raise ValueError(
            f"{len(maps)} maps of {tokens} tokens; expected more than {LARGEST_DRAWN} cells in a "
            "row: show small ones by weights_table"
        )
    sheet = np.zeros((tokens, len(maps) * step - GAP))
    filled = np.zeros(sheet.shape, dtype=bool)
    for place, weights in enumerate(maps.values()):
        at = np.s_[:, place * step : place * step + tokens]
        sheet[at], filled[at] = weights, True
    figure, ax = new_axes(6.6, 6.6 * tokens / sheet.shape[1] + 0.6)
    draw_heat_map(ax, sheet, mask=filled, shape=False)
    _outline(ax, len(maps), tokens)
    middle = (tokens - 1) / 2
    ax.set_xticks(np.arange(len(maps)) * step + middle, list(maps), color=palette()["ink"], size=13)
    ax.set_yticks([])
    ax.yaxis.label.set_fontsize(13)
    ax.set_xlabel("")
    describe(figure, f"{len(maps)} heat maps of {tokens} by {tokens} tokens. {text}")
    return figure


def _outline(ax: Axes, maps: int, tokens: int) -> None:
    """Frame each map: most of its cells are as light as the page."""
    from matplotlib.patches import Rectangle

    for place in range(maps):
        corner = (place * (tokens + GAP) - 0.5, -0.5)
        line = palette()["line"]
        ax.add_patch(Rectangle(corner, tokens, tokens, fill=False, edgecolor=line, linewidth=1))
