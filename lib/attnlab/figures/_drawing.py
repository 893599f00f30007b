"""What the figures share: a canvas in cells, boxes with text, and how numbers are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attnlab.style import palette, scales
from attnlab.style.heat_table import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: One step of a colour scale, as `attnlab.style.scales.step` returns it; this one is paper.
Level = tuple[str, int]
PAPER: Level = ("ink", 0)


def canvas(width: float, x: tuple[float, float], y: tuple[float, float]) -> Axes:
    """Return empty axes without frame, y pointing down; ``width`` in inches."""
    from matplotlib.figure import Figure

    height = width * (y[1] - y[0]) / (x[1] - x[0])
    ax = Figure(figsize=(width, height)).add_axes((0, 0, 1, 1))
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
    level: Level = PAPER,
    *,
    width: float = 1.0,
    double: bool = False,
) -> None:
    """Draw a box of height 1 with a text in it, its upper left corner at ``corner``.

    Parameters
    ----------
    role
        ``"query"``, ``"key"`` or ``"value"`` colours frame and text; ``"ink"`` is a plain cell.
    level
        The fill, a step of a colour scale.
    double
        A second outline: the mark of an output.
    """
    from matplotlib.patches import Rectangle

    colours, (x, y) = palette(), corner
    edge = colours["line"] if role == "ink" else colours[role]
    fill = scales.cell_colour(*level)
    ax.add_patch(Rectangle(corner, width, 1, facecolor=fill, edgecolor=edge, linewidth=1.4))
    if double:
        inner = Rectangle((x + 0.08, y + 0.08), width - 0.16, 0.84, fill=False, edgecolor=edge)
        ax.add_patch(inner)
    ink = ink_on(level) if role == "ink" else colours[role]
    ax.text(x + width / 2, y + 0.5, text, ha="center", va="center", color=ink, fontsize=10)


def ink_on(level: Level) -> str:
    """Return the colour of a number on a cell filled with ``level``."""
    name = scales.text_token(*level)
    return palette().get(name, name)


def decimals_of(value: float) -> int:
    """Return 0 for a whole number, else 2."""
    return 0 if float(value).is_integer() else 2


def vector_text(values: Iterable[float], decimals: int | None = None) -> str:
    """Return a vector as the text writes it.

    Examples
    --------
    >>> vector_text([-1.0, 0.5])
    '(−1, 0.50)'
    """
    shown = (number(v, decimals_of(v) if decimals is None else decimals) for v in values)
    return f"({', '.join(shown)})"


def subscript(count: int) -> str:
    """Return a whole number as subscript digits.

    Examples
    --------
    >>> subscript(13)
    '₁₃'
    """
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(count))
