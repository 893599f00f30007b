"""Draw a heat map on matplotlib axes: cells with numbers, or an image if there are too many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.drawing import scales
from attnlab.drawing.heat_map import HeatMap, checked_heat_map
from attnlab.drawing.matplotlib_style import describe
from attnlab.drawing.text import number, shape_text
from attnlab.drawing.tokens import palette, theme_colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: A heat map with more cells on a side is drawn as an image.
LARGEST_DRAWN = 64
LARGEST_NUMBERED = 12


def draw_heat_map(
    ax: Axes,
    weights: ArrayLike | NDArray[Any],
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    mask: ArrayLike | None = None,
    *,
    kind: scales.Kind = "weights",
    limit: float | None = None,
    decimals: int = 2,
    numbers: bool | None = None,
    shape: bool = True,
) -> None:
    """Draw a heat map: rows are queries, columns are keys, masked cells are hatched.

    Parameters
    ----------
    weights, queries, keys, mask, kind, limit, decimals
        As for :func:`attnlab.drawing.weights_table`.
    numbers
        Whether each cell shows its number; by default up to 12 by 12 cells.
    shape
        Whether the shape stands below.

    Raises
    ------
    ValueError
        If a shape or a number of labels does not fit, or a weight is outside 0 to 1.
    """
    data = checked_heat_map(weights, queries, keys, mask=mask, kind=kind, limit=limit)
    side = max(data.values.shape)
    has_numbers = side <= LARGEST_NUMBERED if numbers is None else numbers
    if side > LARGEST_DRAWN:
        _draw_image(ax, data)
    else:
        _draw_cells(ax, data, decimals if has_numbers else None)
    _draw_labels(ax, data, tokens=side <= 2 * LARGEST_NUMBERED)
    if shape:
        shape_label(ax, num_queries=len(data.queries), num_keys=len(data.keys))
    _describe_if_needed(ax, data)


def _describe_if_needed(ax: Axes, data: HeatMap) -> None:
    figure = ax.get_figure()
    if figure is not None and not figure.get_label():
        describe(ax, data.describe())


def _draw_cells(ax: Axes, data: HeatMap, decimals: int | None) -> None:
    from matplotlib.patches import Rectangle

    colours = palette()
    for (row, column), value in np.ndenumerate(data.values):
        step = scales.step(float(value), data.kind, data.limit)
        look: dict[str, Any] = {"facecolor": scales.drawn_cell(*step)}
        if not data.mask[row, column]:
            look = {"facecolor": colours["paper"], "hatch": "////"}
        corner = (column - 0.5, row - 0.5)
        ax.add_patch(Rectangle(corner, 1, 1, edgecolor=colours["line"], **look))
        if decimals is not None and data.mask[row, column]:
            ax.text(
                column,
                row,
                number(float(value), decimals),
                ha="center",
                va="center_baseline",
                color=scales.drawn_text(*step),
                fontsize=10,
            )


def _draw_image(ax: Axes, data: HeatMap) -> None:
    if data.kind != "weights":
        size = max(data.values.shape)
        raise ValueError(f"scores with {size} cells on a side; expected at most {LARGEST_DRAWN}")
    ax.imshow(ink_image(np.where(data.mask, data.values, 0)), interpolation="nearest")


def ink_image(shares: NDArray[Any]) -> NDArray[np.float64]:
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


def shape_label(ax: Axes, **sizes: int) -> None:
    """Write a shape below the axes, as ``(num_queries, num_keys) = (4, 6)``."""
    ax.annotate(
        shape_text(**sizes),
        xy=(0, 0),
        xycoords="axes fraction",
        xytext=(0, -8),
        textcoords="offset points",
        va="top",
        fontsize=9,
        color=palette()["muted"],
        annotation_clip=False,
    )
