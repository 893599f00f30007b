"""Show a figure with Matplotlib's names as SVG, and stand in for ``pyplot``."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from coursekit.in_page.figures import items
from coursekit.in_page.figures.axes import Axes
from coursekit.in_page.figures.draw import Box, Canvas, stroke, text, wide
from coursekit.in_page.figures.items import INK, Item, colour_of, missing
from coursekit.in_page.figures.marks import mark

#: Size of a figure that says none, in inches.
SIZE = (6.0, 3.2)
_ROW = 16.0  # points, of a legend


class Figure:
    """Plots side by side; in a cell's output it shows itself as SVG."""

    def __init__(self, figsize: tuple[float, float] | None = None, **_: Any) -> None:
        self.width, self.height = (72 * inches for inches in figsize or SIZE)
        self.axes: list[Axes] = []
        self._grid = (1, 1)
        self._label = ""
        self._gid: str | None = None
        self._title = ""
        self._right: float | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise missing(f"`figure.{name}`")

    def subplots(self, nrows: int = 1, ncols: int = 1, **options: Any) -> Any:
        """Return plots in rows and columns: one, or an array of them."""
        self._grid = (nrows, ncols)
        made = [Axes(self) for _ in range(nrows * ncols)]
        self.axes += made
        if options.get("sharey"):
            for axes in made[1:]:
                axes.y = made[0].y
        plots = np.array(made, dtype=object).reshape(nrows, ncols)
        if not options.get("squeeze", True):
            return plots
        return made[0] if len(made) == 1 else plots.squeeze()

    def add_axes(self, box: tuple[float, float, float, float]) -> Axes:
        """Return a plot at left, bottom, width, height, in shares of the figure."""
        self.axes.append(Axes(self, box))
        return self.axes[-1]

    def add_subplot(self, *_: Any) -> Axes:
        """Return the only plot of a figure."""
        plots: Axes = self.subplots()
        return plots

    def suptitle(self, title: str, **_: Any) -> None:
        """Set the title of the whole figure."""
        self._title = title

    def set_label(self, label: str) -> None:
        """Set the alternative text."""
        self._label = label

    def get_label(self) -> str:
        """Return the alternative text."""
        return self._label

    def set_gid(self, gid: str | None) -> None:
        """Set the figure's own id, for what shows it."""
        self._gid = gid

    def get_gid(self) -> str | None:
        """Return the figure's own id."""
        return self._gid

    def get_size_inches(self) -> tuple[float, float]:
        """Return width and height."""
        return self.width / 72, self.height / 72

    def set_size_inches(self, width: float, height: float) -> None:
        """Set width and height."""
        self.width, self.height = 72 * width, 72 * height

    def tight_layout(self, **_: Any) -> None:
        """Do nothing: plots keep clear of each other anyway."""

    def subplots_adjust(self, right: float | None = None, **_: Any) -> None:
        """Set where the plots end, as a share of the width; the other sides are fitted anyway."""
        self._right = right

    def savefig(self, file: Any, *, format: str = "svg", **_: Any) -> None:
        """Write the figure as SVG."""
        if format != "svg" or not hasattr(file, "write"):
            raise missing("file formats but SVG")
        file.write(self.svg().encode())

    def svg(self) -> str:
        """Return the figure as an ``<svg>`` element."""
        drawn, below = "", 0.0
        for number, axes in enumerate(self.axes):
            canvas = Canvas(axes, self.box_of(axes))
            drawn += canvas.draw(f"clip{number}")
            if axes.key is not None:
                names, more = _legend(canvas, axes.key)
                drawn, below = drawn + names, max(below, more)
        if self._title:
            drawn += text(self.width / 2, 12, self._title, INK, 12, "middle")
        height = self.height + below
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:.0f}pt" '
            f'height="{height:.0f}pt" viewBox="0 0 {self.width:.0f} {height:.0f}" '
            f'role="img" aria-label={quoteattr(self._label or "Figure")}>{drawn}</svg>'
        )

    def _repr_html_(self) -> str:
        return f'<div class="ck-figure">{self.svg()}</div>'

    def __repr__(self) -> str:
        return f"<Figure of {len(self.axes)} plots>"

    def box_of(self, axes: Axes) -> Box:
        """Return where a plot stands, in points, with room for its ticks and titles."""
        if axes.box is not None:
            left, bottom, width, height = axes.box
            top = 1 - bottom - height
            return (
                left * self.width,
                top * self.height,
                width * self.width,
                height * self.height,
            )
        rows, columns = self._grid
        row, column = divmod(self.axes.index(axes) % (rows * columns), columns)
        width, height = (self._right or 1) * self.width / columns, self.height / rows
        before, above, below = _margins(axes)
        return (
            column * width + before,
            row * height + above,
            max(width - before - 8, 10.0),
            max(height - above - below, 10.0),
        )


def _margins(axes: Axes) -> tuple[float, float, float]:
    """Return the room left of a plot, above and below it, in points."""
    if axes.off:
        return 2, 2, 2
    before = 12 + wide(axes.y.marks(axes.limits()[1])) + (18 if axes.labels["y"][0] else 0)
    above = 8 + (14 if axes.title.text else _note_above(axes))
    below = 22 + (16 if axes.labels["x"][0] else 0)
    if axes.top_labels:
        turned = bool(axes.x.tick_style.get("rotation"))
        above += 18 + (28 if turned else 0) + (16 if axes.labels["x"][0] else 0)
        below = 22
    return before, above, below


def _note_above(axes: Axes) -> float:
    """Return how far notes that are moved up from the plot's upper edge reach above it."""
    top = axes.limits()[1][1]
    lifts = [
        item.style["offset"][1]
        for item in axes.items
        if item.kind == "text" and "offset" in item.style and item.y[0] >= top
    ]
    return max((lift + 8.0 for lift in lifts if lift > 0), default=0.0)


def _legend(canvas: Canvas, key: dict[str, Any]) -> tuple[str, float]:
    """Return the legend, and how much lower than the figure it reaches, in points."""
    named = [item for item in canvas.axes.items if item.label]
    left, top, width, height = canvas.box
    anchor = key.get("bbox_to_anchor")
    columns = int(key.get("ncols", key.get("ncol", 1)))
    is_below = anchor is not None and anchor[1] < 0
    room = width / max(columns, 1) if is_below else min(width, 150.0)
    rows = -(-len(named) // max(columns, 1))
    x0 = left + 8 if is_below else left + width - room
    y0 = top + height + 44 if is_below else top + 10
    drawn = ""
    for number, item in enumerate(named):
        column, row = divmod(number, rows)
        x, y = x0 + column * room, y0 + row * _ROW
        drawn += _sample(item, x, y) + text(x + 34, y + 4, item.label, INK, 10)
    lowest = y0 + rows * _ROW
    return drawn, max(0.0, lowest - canvas.axes.figure.height) if is_below else 0.0


def _sample(item: Item, x: float, y: float) -> str:
    """Return what an item looks like, for a legend."""
    style, colour = item.style, colour_of(item.style.get("color", item.style.get("facecolor")))
    if item.kind in ("band", "box"):
        return f'<rect x="{x:.1f}" y="{y - 5:.1f}" width="26" height="9" fill="{colour}"/>'
    drawn = ""
    if style.get("linestyle", "-") not in ("none", "None", ""):
        drawn = f'<path d="M{x:.1f} {y:.1f}h26" fill="none" {stroke(style, colour, 2)}/>'
    if style.get("marker"):
        drawn += mark(style["marker"], x + 13, y, style, colour)
    return drawn


class _Pyplot(SimpleNamespace):
    """What cells use of ``matplotlib.pyplot``: it keeps the figures that are not shown yet."""

    def __init__(self) -> None:
        super().__init__(waiting=[], Rectangle=items.rectangle, Circle=items.circle)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if self.waiting and hasattr(Axes, name):
            return getattr(self.gca(), name)
        raise missing(f"`plt.{name}`")

    def figure(self, figsize: tuple[float, float] | None = None, **options: Any) -> Figure:
        """Return a new figure."""
        self.waiting.append(Figure(figsize, **options))
        made: Figure = self.waiting[-1]
        return made

    def subplots(self, nrows: int = 1, ncols: int = 1, **options: Any) -> tuple[Figure, Any]:
        """Return a new figure and its plots."""
        made = self.figure(options.pop("figsize", None))
        return made, made.subplots(nrows, ncols, **options)

    def gcf(self) -> Figure:
        """Return the present figure."""
        return self.waiting[-1] if self.waiting else self.figure()

    def gca(self) -> Axes:
        """Return the present plot."""
        made = self.gcf()
        return made.axes[-1] if made.axes else made.subplots()

    def plot(self, *values: Any, **options: Any) -> Any:
        """Draw a line on the present plot."""
        return self.gca().plot(*values, **options)

    def title(self, words: str, **options: Any) -> None:
        """Set the present plot's title."""
        self.gca().set_title(words, **options)

    def xlabel(self, words: str, **_: Any) -> None:
        """Name the present plot's x axis."""
        self.gca().set_xlabel(words)

    def ylabel(self, words: str, **_: Any) -> None:
        """Name the present plot's y axis."""
        self.gca().set_ylabel(words)

    def close(self, *_: Any) -> None:
        """Forget the figures that are not shown yet."""
        self.waiting.clear()

    def set_gid(self, gid: str | None) -> None:
        """Set the figure's own id, for what shows it."""
        self._gid = gid

    def get_gid(self) -> str | None:
        """Return the figure's own id."""
        return self._gid

    def tight_layout(self, **_: Any) -> None:
        """Do nothing."""


pyplot = _Pyplot()
