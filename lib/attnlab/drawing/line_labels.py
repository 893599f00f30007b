"""Label lines at their ends."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

#: Most characters of a line of a name; their width and the height of a line, in inches.
_WIDEST, _CHARACTER, _LINE = 13, 0.088, 0.18
#: Inches between the plot and the names: what joins a line to its name shows the line's dashes.
_GAP = 0.26
#: A line ends early if it does left of this share of the plot.
_EARLY = 0.9


def _last(line: Line2D) -> NDArray[np.float64]:
    points = np.asarray(line.get_xydata())
    return np.asarray(points[np.isfinite(points).all(axis=1)][-1])


def _end(ax: Axes, line: Line2D, axis: Literal[0, 1]) -> float:
    """Return where a line ends, as a share of the plot's width (axis 0) or height (1)."""
    limits = ax.get_ylim() if axis else ax.get_xlim()
    ends = np.array([*limits, _last(line)[axis]])
    is_log = (ax.get_yscale() if axis else ax.get_xscale()) == "log"
    low, high, end = np.log(np.maximum(ends, np.finfo(float).tiny)) if is_log else ends
    return float((end - low) / (high - low))


def label_ends(ax: Axes, lines: Sequence[Line2D]) -> None:
    """Write each line's name right of its end, without overlaps, and join the two.

    Parameters
    ----------
    ax
        Axes that fill their figure, their limits and scales already set. They become narrower, so
        that the names have room in the figure, and higher where the names need it.
    lines
        Lines on these axes, each with a label.
    """
    figure = cast("Figure", ax.figure)  # `get_figure(root=True)` is new in Matplotlib 3.10
    names = ["\n".join(textwrap.wrap(str(line.get_label()), _WIDEST)) for line in lines]
    width, height = figure.get_size_inches()
    room = _GAP + _CHARACTER * max(len(part) for name in names for part in name.split("\n"))
    figure.subplots_adjust(right=1 - room / width)
    needed = [_LINE * (1 + name.count("\n")) for name in names]  # inches
    figure.set_size_inches(width, max(height, sum(needed) / 0.77))
    inches = ax.get_position().height * figure.get_size_inches()[1]
    wanted = [_end(ax, line, 1) * inches for line in lines]
    centres = spread(wanted, needed, max(inches, sum(needed)))
    for line, name, y in zip(lines, names, centres, strict=True):
        gap, colour = _GAP / (ax.get_position().width * width), line.get_color()
        end = tuple(_last(line))
        # A line's dashes go on to its name. Where it ends early, a thin line crosses the others.
        dashes, wide = ("-", 0.5) if _end(ax, line, 0) < _EARLY else (line.get_linestyle(), 1.1)
        leader = {"arrowstyle": "-", "color": colour, "linewidth": wide, "linestyle": dashes}
        ax.annotate(
            name,
            end,
            xytext=(1 + gap, y / inches),
            textcoords="axes fraction",
            va="center",
            color=colour,
            annotation_clip=False,
            arrowprops=leader | {"relpos": (0, 0.5), "shrinkA": 3, "shrinkB": 0},
        )


def spread(wanted: Sequence[float], sizes: Sequence[float], end: float) -> list[float]:
    """Return centres near those wanted, in their order, that leave each its size up to ``end``.

    Examples
    --------
    >>> spread([0.5, 0.5, 3.0], [1.0, 1.0, 1.0], end=4.0)
    [0.5, 1.5, 3.0]
    >>> spread([4.0, 4.0], [1.0, 1.0], end=4.0)
    [2.5, 3.5]
    """
    centres = list(wanted)
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    free = 0.0
    for i in order:
        centres[i] = max(centres[i], free + sizes[i] / 2)
        free = centres[i] + sizes[i] / 2
    free = end
    for i in reversed(order):
        centres[i] = min(centres[i], free - sizes[i] / 2)
        free = centres[i] - sizes[i] / 2
    return centres
