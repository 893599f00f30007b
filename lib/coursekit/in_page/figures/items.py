"""Draw lines, bands, boxes, texts, arrows and images, in data coordinates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coursekit.colours import colours

INK = colours()["ink"][0]
_ALIASES = {
    "c": "color",
    "lw": "linewidth",
    "ls": "linestyle",
    "ms": "markersize",
    "mec": "markeredgecolor",
    "mew": "markeredgewidth",
    "mfc": "markerfacecolor",
    "fc": "facecolor",
    "ec": "edgecolor",
    "horizontalalignment": "ha",
    "verticalalignment": "va",
    "size": "fontsize",
    "fontweight": "weight",
}
_LETTERS = {"k": "black", "w": "white", "r": "red", "g": "green", "b": "blue"}
_NAMES = ("black", "white", "red", "green", "blue", "orange", "gray", "grey")
_DASHES = {"--": (5.0, 2.5), ":": (1.2, 2.0), "-.": (5.0, 2.0, 1.2, 2.0)}
_FORMAT = re.compile(r"(?P<c>[kwrgb])?(?P<m>[os^v.xD*+])?(?P<l>--|-\.|-|:)?(?P<m2>[os^v.xD*+])?")

Array = NDArray[np.float64]


class MissingError(AttributeError):
    """A figure asks for more than is drawn here; the message is for the reader."""


def missing(what: str) -> MissingError:
    """Return the error for a part of Matplotlib that is not here."""
    return MissingError(f"figures here are drawn without Matplotlib and have no {what}")


def canonical(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options by their full names."""
    return {_ALIASES.get(name, name): value for name, value in options.items()}


def colour_of(value: Any, default: str = INK) -> str:
    """Return a colour as SVG writes it: "#rrggbb", a name or "none"."""
    if value is None:
        return default
    if isinstance(value, str):
        if re.fullmatch(r"C\d", value):
            return default
        name = _LETTERS.get(value, value)
        return name if name.startswith("#") or name in (*_NAMES, "none") else default
    red, green, blue = (round(255 * float(part)) for part in tuple(value)[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


def dashes_of(style: Any) -> str:
    """Return Matplotlib's line style as SVG's ``stroke-dasharray``; "" is a full line."""
    if isinstance(style, str):
        lengths = _DASHES.get({"dashed": "--", "dotted": ":", "dashdot": "-."}.get(style, style))
    else:
        lengths = style[1] if style else None
    return " ".join(f"{2 * length:g}" for length in lengths or ())


def format_options(text: str) -> dict[str, Any]:
    """Return the options in a format such as ``"k--"``, ``"s"`` or ``":"``."""
    match = _FORMAT.fullmatch(text)
    if match is None:
        raise missing(f"line format {text!r}")
    found: dict[str, Any] = {"color": match["c"]} if match["c"] else {}
    marker = match["m"] or match["m2"]
    if marker:
        found |= {"marker": marker, "linestyle": match["l"] or "none"}
    elif match["l"]:
        found["linestyle"] = match["l"]
    return found


@dataclass
class Item:
    """One thing on axes.

    ``kind`` is line, band, box, circle, text, arrow, image, rule (a line through the axes) or
    leader (a line from a point to a place in shares of the axes); ``x`` and ``y`` are what the
    limits of the axes must hold.
    """

    kind: str
    x: Array
    y: Array
    style: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    image: NDArray[Any] | None = None

    @property
    def label(self) -> str:
        """The name in a legend."""
        label = self.style.get("label") or ""
        return "" if str(label).startswith("_") else str(label)

    def get_label(self) -> str:
        """Return the name in a legend, as Matplotlib's lines do."""
        return self.label

    def get_color(self) -> str:
        """Return the colour as SVG writes it."""
        return colour_of(self.style.get("color"))

    def get_linestyle(self) -> Any:
        """Return the dashes, in Matplotlib's words."""
        return self.style.get("linestyle", "-")

    def get_xydata(self) -> Array:
        """Return the points, (n, 2)."""
        return np.stack([self.x, self.y], axis=1)

    @property
    def layer(self) -> float:
        """What lies above what."""
        by_kind = {"band": 1, "image": 0, "box": 1, "circle": 1, "text": 3, "arrow": 3}
        return float(self.style.get("zorder", by_kind.get(self.kind, 2)))


def numbers(values: Any) -> Array:
    """Return coordinates as floats."""
    return np.atleast_1d(np.asarray(values, float)).ravel()


class Patch:
    """A rectangle or a circle that :meth:`Axes.add_patch` takes."""

    def __init__(self, item: Item) -> None:
        self.item = item


def rectangle(
    xy: tuple[float, float], width: float, height: float, *, fill: bool = True, **options: Any
) -> Patch:
    """Return a box with its corner at ``xy``."""
    x, y = map(float, xy)
    style = _filled(fill, options)
    return Patch(Item("box", numbers([x, x + width]), numbers([y, y + height]), style))


def circle(xy: tuple[float, float], radius: float = 1.0, **options: Any) -> Patch:
    """Return a circle around ``xy``."""
    x, y = map(float, xy)
    style = _filled(options.pop("fill", True), options)
    return Patch(
        Item("circle", numbers([x - radius, x + radius]), numbers([y - radius, y + radius]), style)
    )


def _filled(fill: bool, options: Mapping[str, Any]) -> dict[str, Any]:
    style = canonical(options)
    if "color" in style:
        style = {"facecolor": style["color"], "edgecolor": style["color"], **style}
    if not fill:
        style["facecolor"] = "none"
    return style
