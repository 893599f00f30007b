"""Heat maps of weights on matplotlib axes: cells, or an image where there are too many.

Of one head, or of several beside each other on one sheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.drawing import scales
from attnlab.drawing.heat_map import HeatMap, checked_heat_map
from attnlab.drawing.matplotlib_style import describe, new_axes
from attnlab.drawing.tokens import palette, theme_colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Weights = NDArray[np.float64]
#: A heat map with more cells on a side is drawn as an image.
LARGEST_DRAWN = 64
_LARGEST_LABELLED = 24
#: Empty cells between two maps: of all heads, and of a few.
GAP, WIDE_GAP = 2, 5


def draw_heat_map(
    ax: Axes,
    weights: ArrayLike,
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    mask: ArrayLike | None = None,
    *,
    shape: bool = True,
) -> None:
    """Draw a heat map: rows are queries, columns are keys, masked cells are hatched.

    Parameters
    ----------
    weights, queries, keys, mask
        As for :func:`attnlab.drawing.weights_table`.
    shape
        Whether the shape stands below.

    Raises
    ------
    ValueError
        If a shape or a number of labels does not fit, or a weight is outside 0 to 1.
    """
    data = checked_heat_map(weights, queries, keys, mask)
    side = max(data.values.shape)
    if side > LARGEST_DRAWN:
        ax.imshow(_ink_image(np.where(data.mask, data.values, 0)), interpolation="none")
    else:
        _draw_cells(ax, data)
    _draw_labels(ax, data, tokens=side <= _LARGEST_LABELLED)
    if shape:
        _write_shape(ax, data.shape)
    figure = ax.get_figure()
    if figure is not None and not figure.get_label():
        describe(ax, data.describe())


def _draw_cells(ax: Axes, data: HeatMap) -> None:
    from matplotlib.patches import Rectangle

    colours = palette()
    for (row, column), value in np.ndenumerate(data.values):
        look: dict[str, Any] = {"facecolor": scales.drawn_cell(scales.step(float(value))[1])}
        if not data.mask[row, column]:
            look = {"facecolor": colours["paper"], "hatch": "////"}
        corner = (column - 0.5, row - 0.5)
        ax.add_patch(Rectangle(corner, 1, 1, edgecolor=colours["line"], **look))


def _ink_image(shares: NDArray[Any]) -> NDArray[np.float64]:
    """Return an image whose opacity is ``shares``, from 0 to 1: shape (height, width, 4).

    In the dark theme, figures.css inverts the image, so that ink is light there.
    """
    ink = theme_colours("light")["ink"]
    image = np.empty((*shares.shape, 4))
    image[..., :3] = [int(ink[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    image[..., 3] = np.clip(shares, 0, 1)
    return image


def _draw_labels(ax: Axes, data: HeatMap, *, tokens: bool) -> None:
    colours = palette()
    rows, columns = data.values.shape
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal")
    ax.spines[:].set_visible(False)
    ax.xaxis.set_label_position("top")
    ax.set_xlabel("key", color=colours["key"])
    ax.set_ylabel("query", color=colours["query"])
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    if tokens:
        is_long = max(map(len, data.keys)) > 4
        turn: dict[str, Any] = (
            {"rotation": 45, "ha": "left", "rotation_mode": "anchor"} if is_long else {}
        )
        ax.set_xticks(range(columns), data.keys, color=colours["key"], **turn)
        ax.set_yticks(range(rows), data.queries, color=colours["query"])


def _write_shape(ax: Axes, shape: str) -> None:
    """Write a shape below the axes, as ``(num_queries, num_keys) = (4, 6)``."""
    ax.annotate(
        shape,
        xy=(0, 0),
        xycoords="axes fraction",
        xytext=(0, -8),
        textcoords="offset points",
        va="top",
        fontsize=9,
        color=palette()["muted"],
        annotation_clip=False,
    )


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
