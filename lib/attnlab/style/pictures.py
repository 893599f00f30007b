"""The language of pictures in matplotlib: the style, heat maps, vectors and shape labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.style import scales
from attnlab.style.grid import Grid, grid, shape_text
from attnlab.style.heat_table import number
from attnlab.style.inline import html_of, style_element
from attnlab.style.tokens import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Role = Literal["query", "key", "value", "output"]

#: Role: (colour token, matplotlib marker). The output is made of values: same colour and mark.
MARKS: dict[Role, tuple[str, str]] = {
    "query": ("query", "o"),
    "key": ("key", "s"),
    "value": ("value", "^"),
    "output": ("value", "^"),
}
#: Heat maps with more cells on a side are drawn as an image, without numbers.
LARGEST_DRAWN = 64
LARGEST_NUMBERED = 12


class Style:
    """What :func:`use` returns: shown as the last line of a cell, it gives a notebook the CSS."""

    def _repr_html_(self) -> str:
        return style_element()

    def __repr__(self) -> str:
        return "Figures use the course's style."


def settings() -> dict[str, Any]:
    """Return the matplotlib settings of the course, colours from ``tokens.css``."""
    from cycler import cycler

    colours = palette()
    hues = [colours[name] for name in ("query", "key", "value", "muted")]
    quiet = {f"{axis}tick.color": colours["line"] for axis in "xy"}
    return {
        "svg.fonttype": "none",
        "svg.hashsalt": "attention-course",  # the same figure gives the same file
        "font.family": "DejaVu Sans",  # metrics only: the page's own font is shown
        "font.size": 11,
        "figure.figsize": (6.0, 3.2),
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
        "axes.titlesize": 11,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": colours["line"],
        "axes.labelcolor": colours["ink"],
        "axes.titlecolor": colours["ink"],
        "text.color": colours["ink"],
        "axes.prop_cycle": cycler(color=hues) + cycler(linestyle=["-", "--", "-.", ":"]),
        "grid.color": colours["line"],
        "grid.linewidth": 0.8,
        "hatch.color": colours["hatch"],
        "hatch.linewidth": 1.0,
        "lines.linewidth": 2.0,
        "lines.markersize": 7.0,
        "legend.facecolor": colours["paper"],
        "legend.edgecolor": colours["paper"],
        "patch.edgecolor": colours["paper"],
        **quiet,
        **{f"{axis}tick.labelcolor": colours["ink"] for axis in "xy"},
    }


def use() -> Style:
    """Set the course's matplotlib style; in a notebook, also show figures as themed inline SVG.

    Returns
    -------
    Style
        Put the call on the last line of the first cell, so that a notebook gets the colours.
    """
    import matplotlib

    parameters: Any = matplotlib.rcParams
    parameters.update(settings())
    try:
        from IPython import get_ipython
    except ImportError:
        return Style()
    shell = get_ipython()
    if shell is not None:
        from matplotlib.figure import Figure
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("svg")
        shell.display_formatter.formatters["text/html"].for_type(Figure, html_of)
    return Style()


def describe(target: Axes | Figure, text: str) -> None:
    """Set the alternative text of a figure: what a reader who cannot see it should know."""
    figure: Any = getattr(target, "figure", None) or target
    figure.set_label(text)


def heatmap(
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
    ax
        The axes to draw on; its size is up to you.
    weights, queries, keys, mask, kind, limit, decimals
        As for :func:`attnlab.style.weights_table`.
    numbers
        Whether each cell shows its number; by default up to 12 by 12 cells.
    shape
        Whether the shape stands below.

    Raises
    ------
    ValueError
        If a shape or a number of labels does not fit, or a weight is outside 0 to 1.
    """
    data = grid(weights, queries, keys, mask=mask, kind=kind, limit=limit)
    small = max(data.values.shape) <= LARGEST_NUMBERED
    if max(data.values.shape) > LARGEST_DRAWN:
        _image(ax, data)
    else:
        _cells(ax, data, decimals if (small if numbers is None else numbers) else None)
    _axes_of(ax, data, labelled=max(data.values.shape) <= 2 * LARGEST_NUMBERED)
    if shape:
        shape_label(ax, num_queries=len(data.queries), num_keys=len(data.keys))
    figure = ax.get_figure()
    if figure is not None and not figure.get_label():
        describe(ax, data.describe())


def _cells(ax: Axes, data: Grid, decimals: int | None) -> None:
    from matplotlib.patches import Rectangle

    colours = palette()
    for (row, column), value in np.ndenumerate(data.values):
        at, size = (column - 0.5, row - 0.5), (1, 1)
        if not data.mask[row, column]:
            ax.add_patch(
                Rectangle(
                    at, *size, facecolor=colours["paper"], edgecolor=colours["line"], hatch="////"
                )
            )
            continue
        level = scales.step(float(value), data.kind, data.limit)
        fill = scales.cell_colour(*level)
        ax.add_patch(Rectangle(at, *size, facecolor=fill, edgecolor=colours["line"]))
        if decimals is not None:
            name = scales.text_token(*level)
            ax.text(
                column,
                row,
                number(float(value), decimals),
                ha="center",
                va="center_baseline",
                color=colours.get(name, name),
                fontsize=10,
            )


def _image(ax: Axes, data: Grid) -> None:
    """Draw a large map as ink of varying opacity, which figures.css turns light on dark."""
    if data.kind != "weights":
        size = max(data.values.shape)
        raise ValueError(f"scores with {size} cells on a side; draw at most {LARGEST_DRAWN}")
    ink = palette()["ink"]
    rgba = np.empty((*data.values.shape, 4))
    rgba[..., :3] = [int(ink[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    rgba[..., 3] = np.where(data.mask, np.clip(data.values, 0, 1), 0)
    ax.imshow(rgba, interpolation="nearest")


def _axes_of(ax: Axes, data: Grid, *, labelled: bool) -> None:
    colours = palette()
    rows, columns = data.values.shape
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal")
    ax.spines[:].set_visible(False)
    ax.xaxis.set_label_position("top")
    ax.set_xlabel("key", color=colours["key"])
    ax.set_ylabel("query", color=colours["query"])
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    if labelled:
        long = max(map(len, data.keys)) > 4
        turn: dict[str, Any] = (
            {"rotation": 45, "ha": "left", "rotation_mode": "anchor"} if long else {}
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


def vector(ax: Axes, end: Sequence[float], role: Role, label: str = "") -> None:
    """Draw a vector from the origin with the mark of its role at its end.

    Parameters
    ----------
    ax
        Axes with equal aspect.
    end
        The vector, shape ``(2,)``.
    role
        ``"query"`` (circle), ``"key"`` (square), ``"value"`` (triangle) or ``"output"``
        (triangle with a double outline).
    label
        Written beside the end.

    Raises
    ------
    ValueError
        If the vector does not have two components or the role is unknown.
    """
    if np.shape(end) != (2,):
        raise ValueError(f"a vector in the plane has shape (2,); got {np.shape(end)}")
    if role not in MARKS:
        raise ValueError(f"role is {role!r}; expected one of {', '.join(MARKS)}")
    name, marker = MARKS[role]
    colour, paper = palette()[name], palette()["paper"]
    ax.plot([0, end[0]], [0, end[1]], color=colour, linestyle="-", linewidth=1.5)
    if role == "output":
        ax.plot(*end, marker, markersize=15, color=paper, markeredgecolor=colour, mew=1.5)
    ax.plot(*end, marker, markersize=9, color=colour, markeredgecolor=paper, mew=1)
    if label:
        ax.annotate(
            label, (end[0], end[1]), xytext=(9, 4), textcoords="offset points", color=colour
        )
