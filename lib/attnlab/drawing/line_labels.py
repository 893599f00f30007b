"""Names at the ends of lines, each with a piece of its line, so that no legend is looked up."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from attnlab.drawing.svg import GROWS
from attnlab.drawing.tokens import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

#: Inches: a phone shows a chart of this width nearly as large, and its text at 13 pixels or more.
WIDTH = 3.6
#: Most characters of a line of a name; their width and the height of a line, in inches.
_WIDEST, _CHARACTER, _LINE = 12, 0.09, 0.2
#: Inches right of the plot where the piece of a line begins and ends, and where its name begins.
_PIECE, _NAME = (0.1, 0.38), 0.43


def label_ends(*axes: Axes) -> None:
    """Write each line's name right of its end, with a piece of the line, and join the two.

    Names that would overlap are moved apart and keep the order in which the lines end.

    Parameters
    ----------
    axes
        All axes of a figure, one above the other, their limits and scales already set. The figure
        gets the width of a chart, and becomes higher where the names need it.
    """
    figure = cast("Figure", axes[0].figure)  # `get_figure(root=True)` is new in Matplotlib 3.10
    # Matplotlib's own names of lines, which are for nobody to read, begin with an underscore.
    shown = [[line for line in ax.lines if str(line.get_label())[0] != "_"] for ax in axes]
    longest = max(len(part) for lines in shown for line in lines for part in _wrapped(line))
    figure.set_gid(GROWS)
    figure.set_figwidth(WIDTH)
    figure.subplots_adjust(right=1 - (_NAME + _CHARACTER * longest) / WIDTH)
    for ax, lines in zip(axes, shown, strict=True):
        needed = _LINE * sum(len(_wrapped(line)) for line in lines) / ax.get_position().height
        figure.set_figheight(max(figure.get_figheight(), needed))
    for ax, lines in zip(axes, shown, strict=True):
        _write(ax, lines)


def _wrapped(line: Line2D) -> list[str]:
    return textwrap.wrap(str(line.get_label()), _WIDEST, break_long_words=False)


def _write(ax: Axes, lines: Sequence[Line2D]) -> None:
    from matplotlib.lines import Line2D

    figure = cast("Figure", ax.figure)
    wide = ax.get_position().width * figure.get_figwidth()
    tall = ax.get_position().height * figure.get_figheight()
    paths = {line: _path(ax, line) for line in lines}
    # Of lines that end together, the one that was higher before is named above.
    order = sorted(lines, key=lambda line: paths[line][::-1, 1].round(2).tolist())
    wanted = [paths[line][-1, 1] * tall for line in order]
    centres = spread(wanted, [_LINE * len(_wrapped(line)) for line in order], tall)
    first, last, name = (1 + inches / wide for inches in (*_PIECE, _NAME))
    leader = {"arrowstyle": "-", "color": palette()["muted"], "lw": 0.8, "shrinkA": 0, "shrinkB": 0}
    for line, centre in zip(order, centres, strict=True):
        y = centre / tall
        ax.annotate(
            "",
            paths[line][-1],
            xytext=(first, y),
            xycoords="axes fraction",
            annotation_clip=False,
            arrowprops=leader,
        )
        piece = Line2D([first, last], [y, y])
        piece.update_from(line)
        piece.set(transform=ax.transAxes, clip_on=False, marker="", label="_piece")
        ax.add_artist(piece)
        ax.text(name, y, "\n".join(_wrapped(line)), transform=ax.transAxes, va="center")


def _path(ax: Axes, line: Line2D) -> NDArray[Any]:
    """Return the points that are drawn, shape (num_points, 2), as shares of the plot's sides."""
    ax.autoscale_view()
    points = np.column_stack([line.get_xdata(), line.get_ydata()])
    points = points[np.isfinite(points).all(axis=1)]
    shown = line.get_transform().transform(points)
    shares: NDArray[Any] = ax.transAxes.inverted().transform(shown)
    return shares.clip(0, 1)


def spread(wanted: Sequence[float], sizes: Sequence[float], end: float) -> list[float]:
    """Return centres near those wanted, which increase, that leave each its size up to ``end``.

    Examples
    --------
    >>> spread([0.5, 0.5, 3.0], [1.0, 1.0, 1.0], end=4.0)
    [0.5, 1.5, 3.0]
    >>> spread([4.0, 4.0], [1.0, 1.0], end=4.0)
    [2.5, 3.5]
    """
    centres, free = [], 0.0
    for centre, size in zip(wanted, sizes, strict=True):
        centres.append(max(centre, free + size / 2))
        free = centres[-1] + size / 2
    free = end
    for i in reversed(range(len(centres))):
        centres[i] = min(centres[i], free - sizes[i] / 2)
        free = centres[i] - sizes[i] / 2
    return centres
