"""Draw marks at points, hatching, and arrows, as SVG in points."""

from __future__ import annotations

import math
from typing import Any

from coursekit.colours import colours
from coursekit.in_page.figures.items import colour_of, missing

_HATCH = colours()["muted"][0]
_SHAPES = {
    "o": "M-.5 0a.5 .5 0 1 0 1 0a.5 .5 0 1 0 -1 0Z",
    "s": "M-.5 -.5H.5V.5H-.5Z",
    "^": "M0 -.5L.5 .5H-.5Z",
    "v": "M0 .5L.5 -.5H-.5Z",
    "D": "M0 -.6L.6 0L0 .6L-.6 0Z",
    ".": "M-.25 0a.25 .25 0 1 0 .5 0a.25 .25 0 1 0 -.5 0Z",
    "x": "M-.5 -.5L.5 .5M-.5 .5L.5 -.5",
    "+": "M-.5 0H.5M0 -.5V.5",
    "*": "M0 -.5V.5M-.45 -.25L.45 .25M-.45 .25L.45 -.25",
}


def mark(marker: str, x: float, y: float, style: dict[str, Any], colour: str) -> str:
    """Return one mark."""
    if marker not in _SHAPES:
        raise missing(f"marker {marker!r}")
    size = float(style.get("markersize", 7))
    face = colour_of(style.get("markerfacecolor"), colour)
    edge = colour_of(style.get("markeredgecolor"), colour)
    wide = float(style.get("markeredgewidth", 1)) / size
    return (
        f'<path transform="translate({x:.2f} {y:.2f}) scale({size:g})" d="{_SHAPES[marker]}" '
        f'fill="{face}" stroke="{edge}" stroke-width="{wide:.3f}"/>'
    )


def hatch(x: float, y: float, width: float, height: float, gap: float = 6.0) -> str:
    """Return slanted lines across a box: what is hidden."""
    path = ""
    count = int((width + height) / gap)
    for number in range(1, count + 1):
        along = number * gap
        x0, y0 = (x + along, y) if along <= width else (x + width, y + along - width)
        x1, y1 = (x, y + along) if along <= height else (x + along - height, y + height)
        path += f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}"
    return f'<path d="{path}" fill="none" stroke="{_HATCH}" stroke-width="0.7"/>' if path else ""


def arrow(
    start: tuple[float, float], end: tuple[float, float], colour: str, style: dict[str, Any]
) -> str:
    """Return a line with a head at its end, which keeps clear of both points by the shrinks."""
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    right, down = (x1 - x0) / length, (y1 - y0) / length
    near, far = float(style.get("shrinkA", 2)), float(style.get("shrinkB", 2))
    x0, y0, x1, y1 = x0 + right * near, y0 + down * near, x1 - right * far, y1 - down * far
    wide = float(style.get("linewidth", style.get("lw", 1.2)))
    head = 0.5 * float(style.get("mutation_scale", 10))
    sides = [
        (x1 - head * (right - turn * 0.5 * down), y1 - head * (down + turn * 0.5 * right))
        for turn in (-1, 1)
    ]
    (ax, ay), (bx, by) = sides
    is_full = "|>" in str(style.get("arrowstyle", "->"))
    pen = f'stroke="{colour}" stroke-width="{wide:g}"'
    drawn = f'<path d="M{x0:.2f} {y0:.2f}L{x1:.2f} {y1:.2f}" {pen} fill="none"/>'
    if str(style.get("arrowstyle", "->")) == "-":
        return drawn
    tip = f"M{ax:.2f} {ay:.2f}L{x1:.2f} {y1:.2f}L{bx:.2f} {by:.2f}{'Z' if is_full else ''}"
    fill = colour if is_full else "none"
    return drawn + f'<path d="{tip}" fill="{fill}" {pen}/>'
