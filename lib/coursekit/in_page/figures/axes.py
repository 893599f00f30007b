"""Keep what is drawn on axes with Matplotlib's names, for :mod:`draw` to draw."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from coursekit.colours import colours
from coursekit.in_page.figures.items import (
    INK,
    Array,
    Item,
    Patch,
    canonical,
    format_options,
    missing,
    numbers,
)
from coursekit.in_page.figures.measures import Measures
from coursekit.in_page.figures.scale import Scale

_CYCLE = tuple(colours()[name][0] for name in ("name", "number", "string", "muted"))


class _Spines:
    """The frame; ``ax.spines[:].set_visible(...)`` and ``ax.spines["top"]`` say if it is there."""

    def __init__(self) -> None:
        self.visible = dict.fromkeys(("left", "bottom"), True) | {"top": False, "right": False}

    def __getitem__(self, which: Any) -> Any:
        names = list(self.visible) if isinstance(which, slice) else np.atleast_1d(which).tolist()

        def set_visible(visible: bool) -> None:
            self.visible |= dict.fromkeys(names, visible)

        return SimpleNamespace(set_visible=set_visible, set=lambda **_: None)


class Axes(Measures):
    """A plot; all that it is told is kept until the figure is shown."""

    def __init__(self, figure: Any, box: tuple[float, float, float, float] | None = None) -> None:
        self.figure = figure
        self.box = box  # left, bottom, width, height, as shares of the figure
        self.items: list[Item] = []
        self.x, self.y = Scale(), Scale()
        self.labels = {"x": ("", INK), "y": ("", INK)}
        self.title = _Title()
        self.spines = _Spines()
        self.top_labels = False
        self.has_ticks = True
        self.off = False
        self.equal = False
        self.turned = False  # y pointing down, as images have it
        self.grid_lines = False
        self.key: dict[str, Any] | None = None
        self.xaxis, self.yaxis = _Axis(self, "x"), _Axis(self, "y")
        self._next = 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise missing(f"`ax.{name}`")

    # --- what is drawn ---------------------------------------------------------------------------

    def plot(self, *values: Any, **options: Any) -> list[Item]:
        """Draw a line or marks: ``plot(y)``, ``plot(x, y)`` or ``plot(x, y, "o--")``."""
        style = canonical(options)
        if values and isinstance(values[-1], str):
            style = format_options(values[-1]) | style
            values = values[:-1]
        if len(values) > 2:
            raise missing("plot of several pairs at once")
        y = np.asarray(values[-1], float)
        x = np.asarray(values[0], float) if len(values) == 2 else np.arange(len(y), dtype=float)
        lines = y.T if y.ndim == 2 else [y]
        return [self._line(x, line, style) for line in lines]

    def _line(self, x: Any, y: Any, style: dict[str, Any]) -> Item:
        if style.get("color") is None:
            style = style | {"color": _CYCLE[self._next % len(_CYCLE)]}
            self._next += 1
        return self._keep(Item("line", numbers(x), numbers(y), style))

    def scatter(self, x: Any, y: Any, s: float = 36.0, **options: Any) -> Item:
        """Draw marks."""
        size = {"markersize": float(np.mean(s)) ** 0.5, "linestyle": "none", "marker": "o"}
        return self._line(x, y, size | canonical(options))

    def bar(self, x: Any, height: Any, width: float = 0.8, **options: Any) -> None:
        """Draw a bar from 0 to each height."""
        names = list(x)
        at: Any = range(len(names)) if any(isinstance(n, str) for n in names) else names
        if at is not names:
            self.set_xticks(list(at), names)
        style = {"facecolor": options.pop("color", _CYCLE[0])} | canonical(options)
        for centre, high in zip(at, np.broadcast_to(height, len(names)), strict=True):
            edges = numbers([centre - width / 2, centre + width / 2])
            self._keep(Item("box", edges, numbers([0, high]), style))
            style = style | {"label": ""}

    def fill_between(self, x: Any, low: Any, high: Any = 0, **options: Any) -> None:
        """Draw a band between two lines."""
        x = numbers(x)
        low, high = (np.broadcast_to(np.asarray(each, float), x.shape) for each in (low, high))
        around = np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]])
        self._keep(Item("band", *around, canonical(options)))

    def axhline(self, y: float = 0, **options: Any) -> None:
        """Draw a line across the axes at ``y``."""
        self._keep(Item("rule", numbers([]), numbers([y]), canonical(options)))

    def axvline(self, x: float = 0, **options: Any) -> None:
        """Draw a line from bottom to top at ``x``."""
        self._keep(Item("rule", numbers([x]), numbers([]), canonical(options)))

    def text(self, x: float, y: float, text: Any, **options: Any) -> None:
        """Write a text in data coordinates."""
        self._keep(Item("text", numbers([x]), numbers([y]), canonical(options), str(text)))

    def annotate(self, text: Any, xy: Any, xytext: Any = None, **options: Any) -> None:
        """Write a text beside a point, or draw an arrow to it."""
        style = canonical(options)
        at = np.asarray(xy, float)
        start = at if xytext is None else np.asarray(xytext, float)
        arrow = style.pop("arrowprops", None)
        if style.get("textcoords") == "axes fraction":
            style["xycoords"] = "axes fraction"
            leader = {**(arrow or {}), "to": (float(start[0]), float(start[1]))}
            self._keep(Item("leader", numbers(at[0]), numbers(at[1]), leader))
        elif arrow is not None:
            self._keep(Item("arrow", numbers([start[0], at[0]]), numbers([start[1], at[1]]), arrow))
        if not str(text):
            return
        if style.get("textcoords") == "offset points" and xytext is not None:
            style, at = style | {"offset": (float(start[0]), float(start[1]))}, at
        elif xytext is not None:
            at = start
        self._keep(Item("text", numbers(at[0]), numbers(at[1]), style, str(text)))

    def add_patch(self, patch: Patch) -> None:
        """Draw a rectangle or a circle."""
        self._keep(patch.item)

    def imshow(self, image: Any, **options: Any) -> None:
        """Draw an array as an image: (rows, columns), or with 3 or 4 colour parts."""
        pixels = np.asarray(image)
        rows, columns = pixels.shape[:2]
        edges = numbers([-0.5, columns - 0.5]), numbers([-0.5, rows - 0.5])
        self._keep(Item("image", *edges, canonical(options), image=pixels))
        self.turned = self.equal = True

    def _keep(self, item: Item) -> Item:
        self.items.append(item)
        return item

    # --- how it looks ----------------------------------------------------------------------------

    def set(self, **options: Any) -> None:
        """Call ``set_NAME`` for each option."""
        for name, value in options.items():
            getattr(self, f"set_{name}")(value)

    def set_xlim(self, left: Any = None, right: Any = None) -> None:
        """Set where the axis begins and ends."""
        self._limit(self.x, left, right)

    def set_ylim(self, bottom: Any = None, top: Any = None) -> None:
        """Set where the axis begins and ends."""
        self._limit(self.y, bottom, top)

    def _limit(self, scale: Scale, low: Any, high: Any) -> None:
        low, high = low if isinstance(low, (tuple, list)) else (low, high)
        scale.low = scale.low if low is None else float(low)
        scale.high = scale.high if high is None else float(high)

    def set_xscale(self, kind: str, base: float = 10) -> None:
        """Set "linear" or "log"."""
        self.x.base = base if kind == "log" else None

    def set_yscale(self, kind: str, base: float = 10) -> None:
        """Set "linear" or "log"."""
        self.y.base = base if kind == "log" else None

    def set_xticks(self, ticks: Sequence[float], labels: Any = None, **style: Any) -> None:
        """Set the ticks, and their names."""
        self._ticks(self.x, ticks, labels, style)

    def set_yticks(self, ticks: Sequence[float], labels: Any = None, **style: Any) -> None:
        """Set the ticks, and their names."""
        self._ticks(self.y, ticks, labels, style)

    def _ticks(self, scale: Scale, ticks: Any, labels: Any, style: dict[str, Any]) -> None:
        scale.ticks = [float(tick) for tick in ticks]
        scale.names = None if labels is None else [str(label) for label in labels]
        scale.tick_style = canonical(style)

    def set_xlabel(self, text: str, color: str = INK, **_: Any) -> None:
        """Set the name of the axis."""
        self.labels["x"] = (text, color)

    def set_ylabel(self, text: str, color: str = INK, **_: Any) -> None:
        """Set the name of the axis."""
        self.labels["y"] = (text, color)

    def set_title(self, text: str, *, fontsize: float = 11, **_: Any) -> None:
        """Set the title."""
        self.title.text, self.title.size = str(text), fontsize

    def set_aspect(self, aspect: Any) -> None:
        """Set "equal", for units of the same length on both axes."""
        self.equal = aspect in ("equal", 1)

    def axis(self, how: str) -> None:
        """Take the frame and the ticks away with "off"; "equal" sets the aspect."""
        self.off, self.equal = self.off or how == "off", self.equal or how == "equal"

    def grid(self, visible: bool = True, **_: Any) -> None:
        """Draw lines at the ticks."""
        self.grid_lines = visible

    def legend(self, **options: Any) -> None:
        """Show the names of what is drawn."""
        self.key = options

    def tick_params(self, **options: Any) -> None:
        """Say where tick labels stand and whether there are tick marks."""
        self.has_ticks = self.has_ticks and options.get("length", 1) != 0
        self.top_labels = self.top_labels or bool(options.get("labeltop"))

    def locator_params(self, integer: bool = False, **_: Any) -> None:
        """Ask for whole numbers at the ticks."""
        self.x.integer = self.y.integer = integer

    def minorticks_off(self) -> None:
        """Do nothing: there are no minor ticks here."""

    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the limits of both axes."""
        tight = any(item.kind == "image" for item in self.items)
        both = []
        for scale, name in ((self.x, "x"), (self.y, "y")):
            parts = [getattr(i, name) for i in self.items if i.kind not in ("text", "rule")]
            values: Array = np.concatenate([*parts, numbers([])])
            values = values[np.isfinite(values) & (values > 0 if scale.base else True)]
            ends = (values.min(), values.max()) if values.size else (np.nan, np.nan)
            both.append(scale.fit(float(ends[0]), float(ends[1]), 0 if tight else 0.05))
        if self.turned and self.y.low is None and self.y.high is None:
            both[1] = both[1][::-1]
        return both[0], both[1]


class _Title:
    def __init__(self) -> None:
        self.text, self.size = "", 11.0

    def set_fontsize(self, size: float) -> None:
        self.size = size

    def set_text(self, text: str) -> None:
        self.text = text


def _unchanged(*_: Any, **__: Any) -> None:
    """Leave the figure as it is."""


class _Axis:
    """``ax.xaxis`` and ``ax.yaxis``."""

    def __init__(self, axes: Axes, name: str) -> None:
        self._axes, self._name = axes, name
        self.label = SimpleNamespace(set_size=_unchanged, set_fontsize=_unchanged)

    def set_label_position(self, place: str) -> None:
        if place == "top":
            self._axes.top_labels = True

    def set_major_locator(self, locator: Any) -> None:
        scale: Scale = getattr(self._axes, self._name)
        scale.integer = bool(getattr(locator, "integer", False))

    def set_visible(self, visible: bool) -> None:
        if not visible:
            getattr(self._axes, f"set_{self._name}ticks")([])
