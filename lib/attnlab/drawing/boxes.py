"""Draw boxes with text on a canvas whose unit is one cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnlab.drawing import scales
from attnlab.drawing.svg import KEEPS_SIZE
from attnlab.drawing.tokens import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def canvas(
    width: float, x: tuple[float, float], y: tuple[float, float], *, keeps_size: bool = False
) -> Axes:
    """Return empty axes without a frame, y pointing down; ``width`` in inches.

    A figure that keeps its size scrolls in a narrow page, so that its text stays legible.
    """
    from matplotlib.figure import Figure

    height = width * (y[1] - y[0]) / (x[1] - x[0])
    figure = Figure(figsize=(width, height))
    figure.set_gid(KEEPS_SIZE if keeps_size else None)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=x, ylim=(y[1], y[0]), aspect="equal")
    ax.axis("off")
    return ax


def figure_of(ax: Axes) -> Figure:
    """Return the figure that holds the axes."""
    figure: Any = ax.get_figure()
    return figure


def label(
    ax: Axes, x: float, y: float, text: str, role: str, ha: str = "center", size: float = 10.5
) -> None:
    """Write a text in the colour of its role, centred vertically."""
    ax.text(x, y, text, ha=ha, va="center", color=palette()[role], fontsize=size)


def box(
    ax: Axes,
    corner: tuple[float, float],
    text: str,
    role: str = "ink",
    step: scales.Step = scales.PAPER,
    *,
    width: float = 1.0,
    double: bool = False,
) -> None:
    """Draw a box of height 1 with a text in it, its upper left corner at ``corner``.

    Parameters
    ----------
    role
        ``"query"``, ``"key"`` or ``"value"`` colours frame and text; ``"ink"`` is a plain cell.
    step
        The fill, a step of a colour scale.
    double
        Draw a second outline, the mark of an output.
    """
    from matplotlib.patches import Rectangle

    colours, (x, y) = palette(), corner
    edge = colours["line"] if role == "ink" else colours[role]
    fill = scales.drawn_cell(*step)
    ax.add_patch(Rectangle(corner, width, 1, facecolor=fill, edgecolor=edge, linewidth=1.4))
    if double:
        inner = Rectangle((x + 0.08, y + 0.08), width - 0.16, 0.84, fill=False, edgecolor=edge)
        ax.add_patch(inner)
    ink = scales.drawn_text(*step) if role == "ink" else colours[role]
    ax.text(x + width / 2, y + 0.5, text, ha="center", va="center", color=ink, fontsize=10)
