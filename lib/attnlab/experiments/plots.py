"""Drawing results: a line for the mean over seeds, a band from the lowest to the highest seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from attnlab.experiments.results import Curve
from attnlab.style import describe, palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Lines are told apart by their dashes; the one that the figure is about has the accent.
_DASHES = ((0, (5, 2)), (0, (1, 1.5)), (0, (5, 2, 1, 2)), (0, (9, 3)), (0, (3, 1, 1, 1, 1, 1)))


def curves(
    shown: Mapping[str, Curve],
    *,
    accent: str = "",
    chance: float | None = None,
    x_label: str = "phrases between subject and participle",
    y_label: str = "share that is right",
    trained_to: float | None = None,
    log: Literal["", "x", "xy"] = "",
    evenly: bool = False,
) -> Figure:
    """Return a figure of curves with its description as alternative text.

    Parameters
    ----------
    shown
        Name to curve, the main one first.
    accent
        Name of the curve that the figure is about.
    chance
        Where guessing would be.
    x_label, y_label
        What the axes say.
    trained_to
        Where the lengths of training end, on the x axis.
    log
        Which axes are logarithmic. Unless "xy", the values are shares, from 0 to 1.
    evenly
        True: the x stand at equal distances, whatever they are. All curves have the same.

    Raises
    ------
    ValueError
        If ``accent`` is none of the curves.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    if accent and accent not in shown:
        raise ValueError(f"accent is {accent!r}; expected one of {', '.join(shown)}")
    # Not by pyplot, which would show the figure a second time at the end of a cell.
    figure = Figure()
    ax = figure.subplots()
    colours = palette()
    dashes = iter(_DASHES)
    for name, curve in shown.items():
        main = name == accent
        look: dict[str, Any] = {
            "color": colours["accent" if main else "ink"],
            "linestyle": "-" if main else next(dashes),
        }
        x = range(len(curve.x)) if evenly else curve.x
        ax.fill_between(x, curve.low, curve.high, color=look["color"], alpha=0.15, lw=0)
        # The main line is wide and below, so that one that runs along it can be seen on it.
        width, layer = (4.5, 2) if main else (1.8, 3)
        ax.plot(x, curve.mean, label=name, linewidth=width, zorder=layer, **look)
    if chance is not None:
        ax.axhline(chance, color=colours["line"], linewidth=1)
        _note(ax, "chance", (0, chance), (2, -11))
    if trained_to is not None:
        ax.axvline(trained_to, color=colours["line"], linewidth=1)
        _note(ax, "trained to here", (trained_to, 1.04), (0, 4), ha="center")
    ax.set(xlabel=x_label, ylabel=y_label)
    if "y" in log:
        ax.set_yscale("log")
    else:
        ax.set_ylim(0, 1.04)
    if evenly:
        ax.set_xticks(x, [f"{value:g}" for value in curve.x])
    elif "x" in log:
        ax.set_xscale("log", base=2)
        points = sorted({x for curve in shown.values() for x in curve.x})
        ax.set_xticks(points, [f"{x:,g}" for x in points])
        ax.minorticks_off()
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, fontsize=10, handlelength=3)
    describe(figure, _text(shown, y_label))
    return figure


def _note(
    ax: Axes, text: str, at: tuple[float, float], off: tuple[float, float], ha: str = "left"
) -> None:
    ax.annotate(text, at, xytext=off, textcoords="offset points", fontsize=9, ha=ha)


def _text(shown: Mapping[str, Curve], measure: str) -> str:
    """Return the figure in words: where each curve starts and ends."""
    ends = (
        f"{name}: {_number(curve.mean[0])} at {curve.x[0]:g}, "
        f"{_number(curve.mean[-1])} at {curve.x[-1]:g}"
        for name, curve in shown.items()
    )
    return f"Line chart of the {measure}. {'; '.join(ends)}."


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"
