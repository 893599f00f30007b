"""A result's curves: a line for the mean over seeds, a band from the lowest to the highest seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from attnlab.drawing.line_labels import end_apart, label_ends
from attnlab.drawing.matplotlib_style import describe, new_axes
from attnlab.drawing.svg import GROWS
from attnlab.drawing.tokens import palette
from attnlab.results import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

Log = Literal["", "x", "xy"]

#: Inches: a phone shows the figure at three quarters of this, and its text at 11 pixels or more.
_SIZE = (4.8, 3.1)
#: From so many lines on, a name stands at each line's end, unless several end at one place.
_MANY = 4
#: Most characters of a name of which two stand side by side in the legend.
_FITS_HALF = 16
#: Most characters of the names of points on a logarithmic axis.
_FITS_AXIS = 40
#: Lines are told apart by their dashes; the one that the figure is about has a colour.
_DASHES = ((0, (5, 2)), (0, (1, 1.5)), (0, (5, 2, 1, 2)), (0, (9, 3)), (0, (3, 1, 1, 1, 1, 1)))


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
) -> Figure:
    """Return a figure of curves, by name, with alternative text.

    Parameters
    ----------
    accent
        Name of the curve that the figure is about.
    chance, trained_to
        The share that guessing gets; the largest x in training.
    log
        Which axes are logarithmic. Unless "xy", the values are shares, from 0 to 1.
    evenly
        Draw the x, then the same in all curves, at equal distances.

    Raises
    ------
    ValueError
        If ``accent`` is none of the curves.
    """
    if accent and accent not in curves:
        raise ValueError(f"accent is {accent!r}; expected one of {', '.join(curves)}")
    figure, ax = new_axes(*_SIZE)
    lines = _draw_lines(ax, curves, accent, evenly)
    _draw_notes(ax, chance, trained_to)
    ax.set(xlabel=x_label, ylabel=y_label)
    _set_scales(ax, curves, log, evenly)
    if len(lines) >= _MANY and end_apart(ax, lines):
        label_ends(ax, lines)
    else:
        _draw_legend(ax, curves)
    figure.set_gid(GROWS)
    describe(figure, _text(curves, y_label))
    return figure


def _draw_legend(ax: Axes, names: Iterable[str]) -> None:
    columns = 2 if max(map(len, names)) <= _FITS_HALF else 1
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=columns, handlelength=2.5)


def _draw_lines(ax: Axes, curves: Mapping[str, Curve], accent: str, evenly: bool) -> list[Line2D]:
    colours, dashes, lines = palette(), iter(_DASHES), []
    for name, curve in curves.items():
        is_main = name == accent
        colour = colours["curve-b" if is_main else "ink"]
        style: Any = "-" if is_main else next(dashes)
        x = range(len(curve.x)) if evenly else curve.x
        ax.fill_between(x, curve.low, curve.high, color=colour, alpha=0.15, lw=0)
        # The main line is wide and lies below, so that a line along it can be seen on it.
        width, layer = (4.5, 2) if is_main else (1.8, 3)
        lines += ax.plot(
            x, curve.mean, label=name, color=colour, linestyle=style, linewidth=width, zorder=layer
        )
    return lines


def _draw_notes(ax: Axes, chance: float | None, trained_to: float | None) -> None:
    line = palette()["line"]
    if chance is not None:
        ax.axhline(chance, color=line, linewidth=1)
        # At the left edge, wherever the x begin: a note outside of the axes is not drawn.
        ax.annotate(
            "chance",
            (0, chance),
            xycoords=("axes fraction", "data"),
            xytext=(2, -11),
            textcoords="offset points",
            annotation_clip=False,
        )
    if trained_to is not None:
        ax.axvline(trained_to, color=line, linewidth=1)
        ax.annotate(
            "trained to here",
            (trained_to, 1.04),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
        )


def _set_scales(ax: Axes, curves: Mapping[str, Curve], log: Log, evenly: bool) -> None:
    from matplotlib.ticker import MaxNLocator

    points = sorted({x for curve in curves.values() for x in curve.x})
    if log == "xy":
        ax.set_yscale("log")
    else:
        ax.set_ylim(0, 1.04)
    if evenly:
        ax.set_xticks(range(len(points)), [f"{x:g}" for x in points])
    elif log:
        ax.set_xscale("log", base=2)
        names = [f"{x:,g}" for x in points]
        if len("  ".join(names)) > _FITS_AXIS:  # they would touch: every second one stands there
            names[1::2] = [""] * len(names[1::2])
        ax.set_xticks(points, names)
        ax.minorticks_off()
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _text(curves: Mapping[str, Curve], measure: str) -> str:
    """Return the figure in words: where each curve starts and ends."""
    ends = (
        f"{name}: {_number(curve.mean[0])} at {curve.x[0]:g}, "
        f"{_number(curve.mean[-1])} at {curve.x[-1]:g}"
        for name, curve in curves.items()
    )
    return f"Line chart of the {measure}. {'; '.join(ends)}."


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"
