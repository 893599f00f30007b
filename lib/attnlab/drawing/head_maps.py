"""Heads beside each other: a heat map of weights for each, on one sheet."""

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

Weights = NDArray[np.float64]
#: Empty cells between two maps: of all heads, and of a few.
GAP, WIDE_GAP = 2, 5


def all_heads(weights: Weights) -> Figure:
    """Return a figure of all heads' weights for one sentence, from 0 (paper) to 1 (ink).

    Parameters
    ----------
    weights : array, shape (num_layers, num_heads, num_tokens, num_tokens)

    Raises
    ------
    ValueError
        If there are not four axes.
    """
    if weights.ndim != 4:
        raise ValueError(f"weights have shape {weights.shape}; expected (layers, heads, n, n)")
    layers, heads, tokens, _ = weights.shape
    figure, ax = new_axes(6.6, 6.6 * layers / heads)
    _draw_sheet(ax, weights, GAP)
    ax.set_xticks(_middles(heads, tokens, GAP), [str(n + 1) for n in range(heads)])
    ax.set_yticks(_middles(layers, tokens, GAP), [str(n + 1) for n in range(layers)])
    ax.set_xlabel("head", color=palette()["ink"])
    ax.set_ylabel("layer", color=palette()["ink"])
    shares = ", ".join(f"{share:.2f}" for share in weights[..., 0].mean(axis=(1, 2)))
    describe(
        figure,
        f"Small heat maps of {layers} layers of {heads} heads, {tokens} by {tokens} tokens each. "
        f"Many have a dark first column: mean weight on the first token by layer {shares}.",
    )
    return figure


def head_row(maps: Mapping[str, Weights], text: str) -> Figure:
    """Return a figure of the weights of some heads, large, with a name above each.

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
    width = len(maps) * (tokens + WIDE_GAP) - WIDE_GAP
    if width <= LARGEST_DRAWN:
        raise ValueError(
            f"{len(maps)} maps of {tokens} tokens; expected more than {LARGEST_DRAWN} cells in a "
            "row: show small ones by weights_table"
        )
    figure, ax = new_axes(6.6, 6.6 * tokens / width + 0.6)
    _draw_sheet(ax, np.array([list(maps.values())]), WIDE_GAP)
    _outline(ax, len(maps), tokens)
    ink = palette()["ink"]
    ax.set_xticks(_middles(len(maps), tokens, WIDE_GAP), list(maps), color=ink, size=13)
    ax.set_yticks([])
    ax.yaxis.label.set_fontsize(13)
    ax.set_xlabel("")
    describe(figure, f"{len(maps)} heat maps of {tokens} by {tokens} tokens. {text}")
    return figure


def _draw_sheet(ax: Axes, weights: Weights, gap: int) -> None:
    """Draw maps, shape (rows, columns, num_tokens, num_tokens), ``gap`` empty cells apart."""
    rows, columns, tokens, _ = weights.shape
    step = tokens + gap
    sheet = np.full((rows * step - gap, columns * step - gap), np.nan)
    for row, column in np.ndindex(rows, columns):
        at = np.s_[row * step : row * step + tokens, column * step : column * step + tokens]
        sheet[at] = weights[row, column]
    filled = ~np.isnan(sheet)
    draw_heat_map(ax, np.where(filled, sheet, 0), mask=filled, shape=False)


def _middles(maps: int, tokens: int, gap: int) -> list[float]:
    return [place * (tokens + gap) + (tokens - 1) / 2 for place in range(maps)]


def _outline(ax: Axes, maps: int, tokens: int) -> None:
    """Frame each map: most of its cells are as light as the page."""
    from matplotlib.patches import Rectangle

    for place in range(maps):
        corner = (place * (tokens + WIDE_GAP) - 0.5, -0.5)
        line = palette()["line"]
        ax.add_patch(Rectangle(corner, tokens, tokens, fill=False, edgecolor=line, linewidth=1))
