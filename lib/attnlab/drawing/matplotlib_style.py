"""The course's matplotlib style, and the alternative text of a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnlab.drawing.picture import Picture
from attnlab.drawing.svg import html_of
from attnlab.drawing.tokens import palette, style_element

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Lines of one rank, told apart by two hues and two styles.
LOOKS = (("ink", "-"), ("curve-b", "-"), ("ink", "--"), ("curve-b", "--"))


def settings() -> dict[str, Any]:
    """Return the matplotlib settings of the course."""
    return {
        "svg.fonttype": "none",
        "svg.hashsalt": "attention-course",  # the same figure gives the same file
        "font.family": "DejaVu Sans",  # for its metrics; the page shows its own font
        "font.size": 11,
        "figure.figsize": (6.0, 3.2),
        "axes.titlesize": 11,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.linewidth": 0.8,
        "hatch.linewidth": 1.0,
        "lines.linewidth": 2.0,
        "lines.markersize": 7.0,
        **_colours(),
    }


def _colours() -> dict[str, Any]:
    from cycler import cycler

    colours = palette()
    hues, styles = zip(*LOOKS, strict=True)
    settings: dict[str, Any] = {
        "axes.prop_cycle": cycler(color=[colours[hue] for hue in hues]) + cycler(linestyle=styles),
        "hatch.color": colours["hatch"],
    }
    for name, parameters in {
        "ink": "axes.labelcolor axes.titlecolor text.color xtick.labelcolor ytick.labelcolor",
        "line": "axes.edgecolor grid.color xtick.color ytick.color",
        "paper": "patch.edgecolor",
    }.items():
        settings |= dict.fromkeys(parameters.split(), colours[name])
    return settings | dict.fromkeys(
        ("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none"
    )


def use() -> Picture:
    """Set the course's matplotlib style; in a notebook, also show figures as themed inline SVG.

    Put the call on the last line of the first cell: what it returns gives a notebook the colours.
    """
    import matplotlib

    parameters: Any = matplotlib.rcParams
    parameters.update(settings())
    style = Picture(style_element(), "Figures use the course's style.")
    try:
        from IPython import get_ipython
    except ImportError:
        return style
    shell = get_ipython()
    if shell is not None:
        from matplotlib.figure import Figure
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("svg")
        shell.display_formatter.formatters["text/html"].for_type(Figure, html_of)
    return style


def new_axes(width: float = 6.0, height: float = 3.2, **options: Any) -> tuple[Figure, Axes]:
    """Return a figure of this size in inches, and its axes.

    pyplot is not involved: it would show the figure a second time at the end of a cell.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), **options)
    return figure, figure.subplots()


def describe(target: Axes | Figure, text: str) -> None:
    """Set the alternative text of a figure: what a reader who cannot see it should know."""
    figure: Any = getattr(target, "figure", None) or target
    figure.set_label(text)
