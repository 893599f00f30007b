"""Draw axes as SVG: first their frame with its ticks, then what stands on them."""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from coursekit.colours import colours
from coursekit.in_page.figures import marks
from coursekit.in_page.figures.axes import Axes
from coursekit.in_page.figures.items import INK, Item, colour_of, dashes_of

_LINE = colours()["line"][0]
_SMALL = 10.0
Box = tuple[float, float, float, float]  # left, top, width, height in points


class Canvas:
    """The place of one plot on its figure, and how data become points there."""

    def __init__(self, axes: Axes, box: Box) -> None:
        self.axes = axes
        self.limits = axes.limits()
        self.box = _equal(axes, self.limits, box) if axes.equal else box

    def x(self, value: float) -> float:
        """Return the place of a number on the x axis, in points."""
        left, _, width, _ = self.box
        return left + width * self.axes.x.place(float(value), self.limits[0])

    def y(self, value: float) -> float:
        """Return the place of a number on the y axis, in points."""
        _, top, _, height = self.box
        return top + height * (1 - self.axes.y.place(float(value), self.limits[1]))

    def draw(self, clip: str) -> str:
        """Return the plot as SVG."""
        left, top, width, height = self.box
        parts = [
            f'<clipPath id="{clip}"><rect x="{left:.2f}" y="{top:.2f}" width="{width:.2f}" '
            f'height="{height:.2f}"/></clipPath>'
        ]
        if not self.axes.off:
            parts += self._frame()
        for item in sorted(self.axes.items, key=lambda item: item.layer):
            drawn = _DRAWN[item.kind](self, item)
            is_free = item.kind in ("text", "arrow", "circle", "leader") or self.axes.off
            parts.append(drawn if is_free else f'<g clip-path="url(#{clip})">{drawn}</g>')
        return "".join(parts)

    def _frame(self) -> list[str]:
        left, top, width, height = self.box
        right, bottom = left + width, top + height
        ends = {
            "left": (left, top, left, bottom),
            "right": (right, top, right, bottom),
            "top": (left, top, right, top),
            "bottom": (left, bottom, right, bottom),
        }
        visible = self.axes.spines.visible
        parts = [line(*ends[side], _LINE) for side in ends if visible[side]]
        return [*parts, *self._x_ticks(), *self._y_ticks(), *self._titles()]

    def _x_ticks(self) -> list[str]:
        axes, (_, top, _, height), parts = self.axes, self.box, []
        style = axes.x.tick_style
        colour, turn = colour_of(style.get("color")), float(style.get("rotation") or 0)
        size = float(style.get("fontsize", _SMALL))
        end = top if axes.top_labels else top + height
        for at, name in axes.x.marks(self.limits[0]):
            x = self.x(at)
            if axes.grid_lines:
                parts.append(line(x, top, x, top + height, _LINE))
            if axes.has_ticks:
                parts.append(line(x, end, x, end + (-3 if axes.top_labels else 3), _LINE))
            y = end - 6 if axes.top_labels else end + 13
            anchor = "start" if turn else "middle"
            parts.append(text(x, y, name, colour, size, anchor, turn=-turn))
        return parts

    def _y_ticks(self) -> list[str]:
        axes, (left, _, width, _), parts = self.axes, self.box, []
        colour = colour_of(axes.y.tick_style.get("color"))
        for at, name in axes.y.marks(self.limits[1]):
            y = self.y(at)
            if axes.grid_lines:
                parts.append(line(left, y, left + width, y, _LINE))
            if axes.has_ticks:
                parts.append(line(left - 3, y, left, y, _LINE))
            parts.append(text(left - 6, y + 3.5, name, colour, _SMALL, "end"))
        return parts

    def _titles(self) -> list[str]:
        axes, (left, top, width, height) = self.axes, self.box
        parts = []
        name, colour = axes.labels["x"]
        room = 16 if not axes.x.tick_style.get("rotation") else 44
        y = top - room - 4 if axes.top_labels else top + height + 28
        if name:
            parts.append(text(left + width / 2, y, name, colour_of(colour), 11, "middle"))
        name, colour = axes.labels["y"]
        if name:
            x = left - wide(axes.y.marks(self.limits[1])) - 14
            middle = top + height / 2
            parts.append(text(x, middle, name, colour_of(colour), 11, "middle", turn=-90))
        if axes.title.text:
            above = (room + 18 if axes.labels["x"][0] else room + 4) if axes.top_labels else 6
            parts.append(text(left, top - above, axes.title.text, INK, axes.title.size))
        return parts


def wide(ticks: list[tuple[float, str]]) -> float:
    """Return about how wide the longest tick label is, in points."""
    return max((5.8 * len(name) for _, name in ticks), default=0.0)


def _equal(axes: Axes, limits: tuple[tuple[float, float], ...], box: Box) -> Box:
    """Return the largest box inside ``box`` in which both axes have the same unit."""
    (x0, x1), (y0, y1) = limits
    left, top, width, height = box
    unit = min(width / (abs(x1 - x0) or 1), height / (abs(y1 - y0) or 1))
    new_width, new_height = unit * abs(x1 - x0), unit * abs(y1 - y0)
    return (
        left + (width - new_width) / 2,
        top + (height - new_height) / 2,
        new_width,
        new_height,
    )


# --- pieces of SVG ------------------------------------------------------------------------------


def line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 0.8) -> str:
    """Return a line."""
    return (
        f'<path d="M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}" stroke="{colour}" '
        f'stroke-width="{width:g}" fill="none"/>'
    )


def text(
    x: float,
    y: float,
    words: str,
    colour: str,
    size: float,
    anchor: str = "start",
    *,
    turn: float = 0.0,
    lift: float = 0.0,
) -> str:
    """Return a text, of several lines where it has them; ``lift`` moves it up by that many."""
    lines = str(words).split("\n")
    first = y - lift * (len(lines) - 1) * size * 1.2
    spans = "".join(
        f'<tspan x="{x:.2f}" y="{first + number * size * 1.2:.2f}">{escape(part)}</tspan>'
        for number, part in enumerate(lines)
    )
    turned = f' transform="rotate({turn:g} {x:.2f} {y:.2f})"' if turn else ""
    return (
        f'<text fill="{colour}" text-anchor="{anchor}"{turned} '
        f'style="font: {size:g}px DejaVu Sans">{spans}</text>'
    )


def _points(canvas: Canvas, item: Item) -> list[list[tuple[float, float]]]:
    """Return the points of a line, parted where a number is missing."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(item.x.tolist(), item.y.tolist(), strict=True):
        if math.isfinite(x) and math.isfinite(y):
            pieces[-1].append((canvas.x(x), canvas.y(y)))
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if piece]


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)


def stroke(style: dict[str, Any], colour: str, width: float) -> str:
    """Return the attributes of a stroke."""
    dashes = dashes_of(style.get("linestyle", "-"))
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    wide = float(style.get("linewidth", width))
    seen = f' stroke-opacity="{style["alpha"]:g}"' if style.get("alpha") is not None else ""
    return f'stroke="{colour}" stroke-width="{wide:g}"{dashed}{seen}'


def _draw_line(canvas: Canvas, item: Item) -> str:
    style, colour = item.style, colour_of(item.style.get("color"))
    pieces = _points(canvas, item)
    drawn = ""
    if style.get("linestyle", "-") not in ("none", "None", ""):
        path = "".join(map(_path, pieces))
        drawn = f'<path d="{path}" fill="none" {stroke(style, colour, 2)}/>'
    if marker := style.get("marker"):
        at = [point for piece in pieces for point in piece]
        drawn += "".join(marks.mark(marker, x, y, style, colour) for x, y in at)
    return drawn


def _draw_band(canvas: Canvas, item: Item) -> str:
    colour = colour_of(item.style.get("color", item.style.get("facecolor")))
    path = "".join(f"{_path(piece)}Z" for piece in _points(canvas, item))
    return f'<path d="{path}" fill="{colour}" fill-opacity="{item.style.get("alpha", 1):g}"/>'


def _draw_rule(canvas: Canvas, item: Item) -> str:
    left, top, width, height = canvas.box
    colour = colour_of(item.style.get("color"))
    if item.y.size:
        y = canvas.y(item.y[0])
        path = f"M{left:.2f} {y:.2f}H{left + width:.2f}"
    else:
        x = canvas.x(item.x[0])
        path = f"M{x:.2f} {top:.2f}V{top + height:.2f}"
    return f'<path d="{path}" fill="none" {stroke(item.style, colour, 1)}/>'


def _corner(canvas: Canvas, item: Item) -> Box:
    xs = sorted(canvas.x(x) for x in item.x.tolist())
    ys = sorted(canvas.y(y) for y in item.y.tolist())
    return xs[0], ys[0], xs[-1] - xs[0], ys[-1] - ys[0]


def _draw_box(canvas: Canvas, item: Item) -> str:
    x, y, width, height = _corner(canvas, item)
    face = colour_of(item.style.get("facecolor"), "none")
    edge = colour_of(item.style.get("edgecolor"), "none")
    size = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
    seen = f' fill-opacity="{item.style["alpha"]:g}"' if "alpha" in item.style else ""
    drawn = f'<rect {size} fill="{face}"{seen} {stroke(item.style, edge, 1)}/>'
    return drawn + (marks.hatch(x, y, width, height) if item.style.get("hatch") else "")


def _draw_circle(canvas: Canvas, item: Item) -> str:
    x, y, width, height = _corner(canvas, item)
    face = colour_of(item.style.get("facecolor"), "none")
    edge = colour_of(item.style.get("edgecolor"), "none")
    middle = f'cx="{x + width / 2:.2f}" cy="{y + height / 2:.2f}"'
    size = f'rx="{width / 2:.2f}" ry="{height / 2:.2f}"'
    return f'<ellipse {middle} {size} fill="{face}" {stroke(item.style, edge, 1)}/>'


_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
#: How far below its point a text's first line lies, in sizes, and how many lines it moves up.
_HANGS = {"top": (0.8, 0.0), "center": (0.35, 0.5), "bottom": (-0.2, 1.0)}


def _draw_text(canvas: Canvas, item: Item) -> str:
    style = item.style
    of = style.get("xycoords", "data")
    x_of, y_of = (of, of) if isinstance(of, str) else of
    left, top, width, height = canvas.box
    x = left + width * item.x[0] if x_of == "axes fraction" else canvas.x(item.x[0])
    y = top + height * (1 - item.y[0]) if y_of == "axes fraction" else canvas.y(item.y[0])
    right, up = style.get("offset", (0.0, 0.0))
    size = float(style.get("fontsize", 11))
    hangs, lift = _HANGS.get(str(style.get("va", "")).removesuffix("_baseline"), (0.0, 1.0))
    anchor = _ANCHORS.get(style.get("ha", "left"), "start")
    colour, turn = colour_of(style.get("color")), -float(style.get("rotation") or 0)
    return text(
        x + right, y - up + hangs * size, item.text, colour, size, anchor, turn=turn, lift=lift
    )


def _draw_arrow(canvas: Canvas, item: Item) -> str:
    (x0, x1), (y0, y1) = item.x.tolist(), item.y.tolist()
    start, end = (canvas.x(x0), canvas.y(y0)), (canvas.x(x1), canvas.y(y1))
    return marks.arrow(start, end, colour_of(item.style.get("color")), item.style)


def _draw_leader(canvas: Canvas, item: Item) -> str:
    (left, top, width, height), (right, up) = canvas.box, item.style["to"]
    end, colour = (canvas.x(item.x[0]), canvas.y(item.y[0])), colour_of(item.style.get("color"))
    path = f"M{end[0]:.2f} {end[1]:.2f}L{left + width * right:.2f} {top + height * (1 - up):.2f}"
    return f'<path d="{path}" fill="none" {stroke(item.style, colour, 0.8)}/>'


def _draw_image(canvas: Canvas, item: Item) -> str:
    x, y, width, height = _corner(canvas, item)
    size = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
    look = 'preserveAspectRatio="none" style="image-rendering: pixelated"'
    return f"<image {size} {look} href={quoteattr(png_address(item.image, item.style))}/>"


_DRAWN = {
    "line": _draw_line,
    "band": _draw_band,
    "rule": _draw_rule,
    "box": _draw_box,
    "circle": _draw_circle,
    "text": _draw_text,
    "arrow": _draw_arrow,
    "leader": _draw_leader,
    "image": _draw_image,
}


def png_address(image: NDArray[Any] | None, style: Mapping[str, Any]) -> str:
    """Return the address of an image: (rows, columns), or with 3 or 4 colour parts."""
    pixels = _rgba(np.asarray(image), style)
    rows, columns = pixels.shape[:2]
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(name, content)
        for name, content in ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    )
    return "data:image/png;base64," + base64.b64encode(data).decode()


def _chunk(name: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)


def _rgba(image: NDArray[Any], style: Mapping[str, Any]) -> NDArray[np.uint8]:
    """Return pixels with four parts; an array of numbers goes from transparent to black."""
    values = np.asarray(image, float)
    if values.ndim == 2:
        low, high = style.get("vmin"), style.get("vmax")
        low = np.nanmin(values) if low is None else low
        high = np.nanmax(values) if high is None else high
        shares = np.clip((values - low) / ((high - low) or 1.0), 0, 1)
        pixels = np.zeros((*values.shape, 4))
        pixels[..., 3] = np.nan_to_num(shares)
        return np.round(255 * pixels).astype(np.uint8)
    scale = 1.0 if image.dtype.kind in "ui" else 255.0
    if values.shape[-1] == 3:
        opaque = np.full((*values.shape[:2], 1), 255.0 / scale)
        values = np.concatenate([values, opaque], axis=-1)
    return np.clip(np.round(scale * values), 0, 255).astype(np.uint8)
