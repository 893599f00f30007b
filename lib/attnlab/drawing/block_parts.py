"""Parts of block diagrams: wires and blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attnlab.drawing.tokens import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]


def wire(ax: Axes, points: Sequence[Point], role: str = "muted") -> None:
    """Draw a line through points, with an arrow at its end."""
    colour = palette()[role]
    ax.plot(*zip(*points, strict=True), color=colour, linewidth=1.2, linestyle="-")
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.2, "mutation_scale": 9}
    ax.annotate("", points[-1], points[-2], arrowprops={**style, "shrinkA": 0, "shrinkB": 0})


def block(ax: Axes, corner: Point, size: Point, text: str, role: str = "ink") -> None:
    """Draw a block with a text in its middle; ``corner`` is the upper left one."""
    from matplotlib.patches import Rectangle

    (x, y), (width, height) = corner, size
    colours = palette()
    edge = colours["line" if role == "ink" else role]
    ax.add_patch(Rectangle(corner, width, height, facecolor="none", edgecolor=edge, linewidth=1.2))
    ink = colours[role]
    ax.text(x + width / 2, y + height / 2, text, ha="center", va="center", color=ink, fontsize=9)
