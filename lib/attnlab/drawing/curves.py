"""Draw a result's curves: the mean over seeds, and a band from lowest to highest seed."""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from attnlab.drawing.line_labels import label_ends
from attnlab.drawing.matplotlib_style import describe, new_axes, new_grid
from attnlab.drawing.svg import GROWS
from attnlab.drawing.tokens import palette
from attnlab.results import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

Log = Literal["", "x", "xy"]

#: Inches: a phone shows a figure at about nine tenths of this, and its text at 13 pixels.
_SIZE = (3.9, 2.8)
#: Inches of a small plot, of which two stand side by side.
_SMALL = (1.95, 1.45)
#: Most characters of the names of points on a logarithmic axis, and of a line of a title.
_FITS_AXIS, _FITS_TITLE = 32, 22
#: Half the share of the height that a note above a line takes.
_IN_THE_WAY = 0.05
#: What one hue has. Lines that need more have a small plot each.
_DASHES = ("-", "--", ":")


class _Look(NamedTuple):
    """How a line is told apart. Widths are points; a wide page shows a point as two pixels."""

    hue: str
    dashes: str
    width: float
    layer: float


def plot_curves(
    curves: Mapping[str, Curve],
    *,
    accent: str = "",
    chance: float | None = None,
    x_label: str = "phrases between subject and participle",
    y_label: str = "share that is right",
    trained_to: float | None = None,
    log: Log = "",
    evenly: bool = False,
    top: float = 1.0,
) -> Figure:
    """Return a figure of curves, by name, with alternative text.

    A line's name stands at its end. There are two hues: one for the accent and the curves whose
    names begin like it, up to a colon or comma, one for the others. Where a hue has more lines than
    dashes, each line has a small plot, in which the others are pale.

    Parameters
    ----------
    accent
        Name of the curve that the figure is about.
    chance, trained_to
        The share that guessing gets; the largest x in training.
    log
        Which axes are logarithmic. Unless "xy", the values go from 0 to ``top``.
    evenly
        Draw the x, then the same in all curves, at equal distances.

    Raises
    ------
    ValueError
        If ``accent`` is none of the curves.
    """
    if accent and accent not in curves:
        raise ValueError(f"accent is {accent!r}; expected one of {', '.join(curves)}")
    hues = _hues(curves, accent)
    is_split = max(Counter(hues.values()).values()) > len(_DASHES)
    looks = dict(zip(curves, _looks(hues, accent, is_split), strict=True))
    figure, plots = _new_plots(list(curves), is_split)
    for ax, shown in plots:
        pale = {name: _Look("line", "-", 1.0, 1) for name in curves}
        lines = _draw_lines(ax, curves, pale | {name: looks[name] for name in shown}, evenly)
        _set_scales(ax, curves, log, evenly, top, is_split)
        if ax is plots[0][0]:
            _draw_notes(ax, chance, trained_to, lines)
        if is_split:
            ax.set_title(textwrap.fill(shown[0], _FITS_TITLE), color=palette()[looks[shown[0]].hue])
        else:
            label_ends(ax, lines)
    # Of small plots two have names of axes: the last at the left, and one half way down.
    last = (len(plots) - 1) // 2 * 2
    plots[last][0].set_xlabel(x_label)
    plots[last // 4 * 2][0].set_ylabel(textwrap.fill(y_label, _FITS_AXIS))
    describe(figure, _text(curves, y_label))
    return figure


def line_axes() -> tuple[Figure, Axes]:
    """Return a figure for lines, which a wide page shows larger, and its axes."""
    figure, ax = new_axes(*_SIZE)
    figure.set_gid(GROWS)
    return figure, ax


def _hues(names: Iterable[str], accent: str) -> dict[str, str]:
    main = _group(accent)
    return {n: "curve-b" if accent and _group(n) == main else "curve-a" for n in names}


def _group(name: str) -> str:
    return re.split("[:,]", name)[0]


def _looks(hues: Mapping[str, str], accent: str, is_split: bool) -> Iterable[_Look]:
    """Return each line's look; the accent is a full line, above full ones and below dashes."""
    left = {hue: [d for d in _DASHES if d != "-" or hue == "curve-a"] for hue in hues.values()}
    for name, hue in hues.items():
        is_main = name == accent
        dashes = "-" if is_main or is_split else left[hue].pop(0)
        yield _Look(
            hue, dashes, 1.6 if is_main else 1.25, 3 if is_main else 2 + 2 * (dashes != "-")
        )


def _new_plots(names: list[str], is_split: bool) -> tuple[Figure, list[tuple[Axes, list[str]]]]:
    """Return a figure, and its plots with the names of the curves that each is about."""
    if not is_split:
        figure, ax = line_axes()
        return figure, [(ax, names)]
    rows = -(-len(names) // 2)
    figure, grid = new_grid(rows, 2, (2 * _SMALL[0], rows * _SMALL[1]))
    figure.subplots_adjust(hspace=0.6, wspace=0.15)
    figure.set_gid(GROWS)
    for ax in grid[len(names) :]:
        ax.axis("off")
    return figure, [(ax, [name]) for ax, name in zip(grid, names, strict=False)]


def _draw_lines(
    ax: Axes, curves: Mapping[str, Curve], looks: Mapping[str, _Look], evenly: bool
) -> list[Line2D]:
    lines = []
    for name, curve in curves.items():
        hue, dashes, width, layer = looks[name]
        x, colour = range(len(curve.x)) if evenly else curve.x, palette()[hue]
        if hue != "line":
            ax.fill_between(x, curve.low, curve.high, color=colour, alpha=0.15, lw=0)
        lines += ax.plot(
            x, curve.mean, label=name, color=colour, linestyle=dashes, linewidth=width, zorder=layer
        )
    return lines


def _draw_notes(
    ax: Axes, chance: float | None, trained_to: float | None, lines: Iterable[Line2D]
) -> None:
    colours = palette()
    if chance is not None:
        ax.axhline(chance, color=colours["muted"], linewidth=0.8)
        # Above its line, at the right; or at the left where only there no curve is in the way.
        ends = np.array([np.asarray(line.get_xydata())[[0, -1], 1] for line in lines])
        left, right = np.any(abs(ends - chance - _IN_THE_WAY) < _IN_THE_WAY, axis=0)
        at, side = (0, "left") if right and not left else (1, "right")
        ax.annotate(
            "chance",
            (at, chance),
            xycoords=("axes fraction", "data"),
            xytext=(3 - 6 * at, 3),
            textcoords="offset points",
            ha=side,
            color=colours["muted"],
            annotation_clip=False,
        )
    if trained_to is not None:
        ax.axvline(trained_to, color=colours["muted"], linewidth=0.8)
        ax.annotate(
            "trained to here",
            (trained_to, ax.get_ylim()[1]),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
            color=colours["muted"],
        )


def _set_scales(
    ax: Axes, curves: Mapping[str, Curve], log: Log, evenly: bool, top: float, is_small: bool
) -> None:
    from matplotlib.ticker import MaxNLocator

    points = sorted({x for curve in curves.values() for x in curve.x})
    if log == "xy":
        ax.set_yscale("log")
        low, high = np.log10(ax.get_ylim())
        if decades := [10.0**n for n in range(math.ceil(low), math.floor(high) + 1)]:
            ax.set_yticks(decades, [_short(value) for value in decades])
            ax.minorticks_off()
    else:
        ax.set_ylim(0, 1.04 * top)
    if not (evenly or log):
        ax.xaxis.set_major_locator(MaxNLocator(3 if is_small else 6, integer=True))
        return
    names = [f"{x:,g}" for x in points]
    # Where they would touch, only every second or third one stands there.
    step = -(-len("  ".join(names)) // (_FITS_AXIS // 2 if is_small else _FITS_AXIS))
    names = [name if i % step == 0 else "" for i, name in enumerate(names)]
    if evenly:
        ax.set_xticks(range(len(points)), names)
    else:
        ax.set_xscale("log", base=2)
        ax.set_xticks(points, names)
        ax.minorticks_off()


def _text(curves: Mapping[str, Curve], measure: str) -> str:
    """Return the figure in words: where each curve starts and ends."""
    ends = (
        f"{name}: {_number(curve.mean[0])} at {curve.x[0]:g}, "
        f"{_number(curve.mean[-1])} at {curve.x[-1]:g}"
        for name, curve in curves.items()
    )
    return f"Line chart of the {measure}. {'; '.join(ends)}."


def _short(value: float) -> str:
    return (
        f"{value / 1e6:g}M"
        if value >= 1e6
        else f"{value / 1e3:g}k"
        if value >= 1e4
        else f"{value:,g}"
    )


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"
