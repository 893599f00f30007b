"""Names at the ends of lines, where there are more lines than dashes tell apart."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from attnlab.drawing.tokens import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

#: Most characters of a line of a name; their width and the height of a line, in inches.
_WIDEST, _CHARACTER, _LINE = 14, 0.092, 0.2
#: Inches between the plot and the names.
_GAP = 0.2


#: Share of the plot's height by which lines end apart, so that a name means one of them.
_APART = 0.03


def end_apart(ax: Axes, lines: Sequence[Line2D]) -> bool:
    """Return whether no two lines end so near each other that a name could mean either."""
    heights = sorted(_end_height(ax, line) for line in lines)
    return all(high - low >= _APART for low, high in itertools.pairwise(heights))


def _end_height(ax: Axes, line: Line2D) -> float:
    """Return where a line ends, as a share of the plot's height."""
    ends = np.array([*ax.get_ylim(), cast("NDArray[Any]", line.get_xydata())[-1, 1]])
    low, high, end = np.log(ends) if ax.get_yscale() == "log" else ends
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
    names = [textwrap.wrap(str(line.get_label()), _WIDEST) for line in lines]
    width, height = figure.get_size_inches()
    room = _GAP + _CHARACTER * max(len(part) for name in names for part in name)
    figure.subplots_adjust(right=1 - room / width)
    needed = [_LINE * len(name) for name in names]  # inches
    figure.set_size_inches(width, max(height, sum(needed) / 0.77))
    inches = ax.get_position().height * figure.get_size_inches()[1]
    ends = [tuple(np.asarray(line.get_xydata())[-1]) for line in lines]
    wanted = [_end_height(ax, line) * inches for line in lines]
    centres = spread(wanted, needed, max(inches, sum(needed)))
    leader = {"arrowstyle": "-", "color": palette()["muted"], "lw": 0.8, "relpos": (0, 0.5)}
    for line, name, end, y in zip(lines, names, ends, centres, strict=True):
        ax.annotate(
            "\n".join(name),
            end,
            xytext=(1 + _GAP / (ax.get_position().width * width), y / inches),
            textcoords="axes fraction",
            va="center",
            color=line.get_color(),
            annotation_clip=False,
            arrowprops=leader,
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
