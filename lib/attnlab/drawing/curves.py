"""A result's curves: a line for the mean over seeds, a band from the lowest to the highest seed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from attnlab.drawing.line_labels import WIDTH, label_ends
from attnlab.drawing.matplotlib_style import LOOKS, describe
from attnlab.drawing.tokens import palette
from attnlab.results import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Log = Literal["", "x", "xy"]

#: Inches: the height of a figure, and of a panel where there are several.
_TALL, _PANEL = 3.1, 1.9
#: Characters that have room below a plot, and most of a line of an axis' label.
_FITS_AXIS, _FITS_LABEL = 17, 30
#: What the figure is about is wide and lies below, so that a line along it can be seen on it.
_MAIN = {"color": "curve-b", "linestyle": "-", "linewidth": 4.5, "zorder": 2}
#: The other lines beside it, the less important ones grey.
_OTHERS = (("ink", "-"), ("ink", "--"), ("hatch", "-"), ("hatch", "--"), ("hatch", ":"))


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
    top: float | None = None,
) -> Figure:
    """Return a figure of curves, by name, with alternative text.

    If all names have a colon, those that agree up to it share a panel.

    Parameters
    ----------
    accent
        Name of the curve that the figure is about; the more important of the others come first.
    chance, trained_to
        The share that guessing gets; the largest x in training.
    log
        Which axes are logarithmic.
    evenly
        Draw the x, then the same in all curves, at equal distances.
    top
        Where the values' axis ends, if it is not logarithmic: it begins at 0, and has room for
        all of each curve, and for shares up to 1, if nothing is said.

    Raises
    ------
    ValueError
        If ``accent`` is none of the curves.
    """
    from matplotlib.figure import Figure

    if accent and accent not in curves:
        raise ValueError(f"accent is {accent!r}; expected one of {', '.join(curves)}")
    panels = _panels(curves)
    figure = Figure(figsize=(WIDTH, max(_TALL, _PANEL * len(panels))))
    axes = figure.subplots(len(panels), sharex=True, sharey=True, squeeze=False)[:, 0]
    names = dict.fromkeys(name for panel in panels.values() for name in panel)
    looks = _looks(names, accent if accent in names else accent.partition(": ")[2])
    for ax, (title, panel) in zip(axes, panels.items(), strict=True):
        _draw_lines(ax, panel, looks, evenly)
        _draw_notes(ax, chance, trained_to)
        ax.set_title(title)
        _set_scales(ax, curves, log, evenly, top)
    axes[-1].set_xlabel(textwrap.fill(x_label, _FITS_LABEL))
    y_lines = textwrap.fill(y_label, _FITS_LABEL)
    figure.supylabel(y_lines, x=0, ha="right", ma="center", size="medium")
    label_ends(*axes)
    describe(figure, _text(curves, y_label))
    return figure


def _panels(curves: Mapping[str, Curve]) -> Mapping[str, Mapping[str, Curve]]:
    if not all(": " in name for name in curves):
        return {"": curves}
    panels: dict[str, dict[str, Curve]] = {}
    for name, curve in curves.items():
        title, _, line = name.partition(": ")
        panels.setdefault(title, {})[line] = curve
    return panels


def _looks(names: Iterable[str], main: str) -> dict[str, dict[str, Any]]:
    """Return how the line of each name is drawn."""
    colours, rest = palette(), iter(_OTHERS if main else LOOKS)
    looks: dict[str, dict[str, Any]] = {}
    for name in names:
        if name == main:
            looks[name] = _MAIN | {"color": colours["curve-b"]}
        else:
            colour, style = next(rest)
            looks[name] = {"color": colours[colour], "linestyle": style, "linewidth": 1.8}
    return looks


def _draw_lines(
    ax: Axes, curves: Mapping[str, Curve], looks: Mapping[str, dict[str, Any]], evenly: bool
) -> None:
    for name, curve in curves.items():
        x = range(len(curve.x)) if evenly else curve.x
        look = {"zorder": 3} | looks[name]
        ax.fill_between(x, curve.low, curve.high, color=look["color"], alpha=0.15, lw=0)
        ax.plot(x, curve.mean, label=name, **look)


def _draw_notes(ax: Axes, chance: float | None, trained_to: float | None) -> None:
    colours = palette()
    if chance is not None:
        ax.axhline(chance, color=colours["hatch"], linewidth=1, label="chance")
    if trained_to is not None:
        ax.axvline(trained_to, color=colours["line"], linewidth=1)
        at_top = ax.get_xaxis_transform()
        ax.text(trained_to, 1.02, "trained to here", ha="center", transform=at_top)


def _set_scales(
    ax: Axes, curves: Mapping[str, Curve], log: Log, evenly: bool, top: float | None
) -> None:
    from matplotlib.ticker import MaxNLocator

    if log == "xy":
        ax.set_yscale("log")
    else:
        ax.set_ylim(0, top or 1.04 * max(1, *(max(curve.high) for curve in curves.values())))
    if not (evenly or log):
        ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        return
    points = np.array(sorted({x for curve in curves.values() for x in curve.x}))
    places = np.arange(len(points)) if evenly else np.log2(points)
    if log:
        ax.set_xscale("log", base=2)
    names, free = [], -np.inf
    for point, share in zip(points, (places - places[0]) / np.ptp(places), strict=True):
        name = f"{point:,g}"
        # A name that would touch the one before is left out.
        names.append(name if share * _FITS_AXIS - len(name) / 2 >= free else "")
        free = share * _FITS_AXIS + len(name) / 2 + 1 if names[-1] else free
    ax.set_xticks(places if evenly else points, names)
    ax.minorticks_off()


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
