"""Parts of block diagrams: wires, sums, and the marks of the three attentions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from attnlab.drawing.tokens import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]
Kind = Literal["encoder", "causal", "cross"]

#: The pattern of each attention's mask, rows are queries: the mark repeats what the colour says.
PATTERNS: dict[Kind, tuple[str, ...]] = {
    "encoder": ("111", "111", "111"),
    "causal": ("100", "110", "111"),
    "cross": ("1111", "1111"),
}


def wire(ax: Axes, points: Sequence[Point], role: str = "muted", *, arrow: bool = True) -> None:
    """Draw a line through points, with an arrow at its end."""
    colour = palette()[role]
    ax.plot(*zip(*points, strict=True), color=colour, linewidth=1.2, linestyle="-")
    if arrow:
        style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.2, "mutation_scale": 9}
        ax.annotate("", points[-1], points[-2], arrowprops={**style, "shrinkA": 0, "shrinkB": 0})


def block(
    ax: Axes, corner: Point, size: Point, text: str, role: str = "ink", *, heavy: bool = False
) -> None:
    """Draw a block with a text in its middle; ``corner`` is the upper left one."""
    from matplotlib.patches import Rectangle

    (x, y), (width, height) = corner, size
    colours = palette()
    edge = colours["line" if role == "ink" else role]
    line = 2.0 if heavy else 1.2
    ax.add_patch(Rectangle(corner, width, height, facecolor="none", edgecolor=edge, linewidth=line))
    ink = colours[role]
    ax.text(x + width / 2, y + height / 2, text, ha="center", va="center", color=ink, fontsize=9)


def plus(ax: Axes, at: Point) -> None:
    """Draw the sum at which a sublayer's output enters the residual stream."""
    from matplotlib.patches import Circle

    colours = palette()
    ax.add_patch(Circle(at, 0.2, facecolor=colours["paper"], edgecolor=colours["ink"], zorder=3))
    ax.text(*at, "+", ha="center", va="center", color=colours["ink"], fontsize=10, zorder=4)


def mark(ax: Axes, at: Point, kind: Kind, cell: float = 0.15) -> None:
    """Draw the pattern of an attention's mask, its upper left corner at ``at``."""
    from matplotlib.patches import Rectangle

    colours = palette()
    for row, line in enumerate(PATTERNS[kind]):
        for column, seen in enumerate(line):
            corner = (at[0] + column * cell, at[1] + row * cell)
            fill = colours[kind] if seen == "1" else "none"
            size = 0.8 * cell
            ax.add_patch(
                Rectangle(
                    corner, size, size, facecolor=fill, edgecolor=colours[kind], linewidth=0.5
                )
            )
