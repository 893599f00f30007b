"""Draw a query and its keys on a circle, as a static SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence

from attnlab.drawing.marks import SVG_MARKS
from attnlab.drawing.text import escape
from attnlab.drawing.tokens import var

_RADIUS, _SIDE = 88, 110


def circle_svg(
    query: float, keys: Sequence[float], met: Sequence[bool], nearest: Sequence[int], label: str
) -> str:
    """Return ``<svg>`` with the keys on a circle, filled where the query met them.

    Parameters
    ----------
    query
        Its direction in degrees.
    keys
        Their directions in degrees.
    met
        For each key, whether the query met it.
    nearest
        The places of the keys with a dashed ring.
    label
        The alternative text.
    """
    rings = "".join(
        f'<circle r="10" transform="{_at(keys[place], _RADIUS)}" '
        f'style="fill:none;stroke:{var("ink")};stroke-dasharray:2 2"/>'
        for place in nearest
    )
    spots = "".join(
        f'<rect x="-5" y="-5" width="10" height="10" transform="{_at(angle, _RADIUS)}" '
        f'style="stroke:{var("key")};fill:{var("key" if seen else "paper")}"/>'
        for angle, seen in zip(keys, met, strict=True)
    )
    return (
        f'<svg viewBox="{-_SIDE} {-_SIDE} {2 * _SIDE} {2 * _SIDE}" width="{2 * _SIDE}" '
        f'height="{2 * _SIDE}" role="img" aria-label="{escape(label)}"><circle r="{_RADIUS}" '
        f'style="fill:none;stroke:{var("line")}"/>{rings}{spots}'
        f'<g transform="{_at(query, _RADIUS - 22)}" style="fill:{var("query")}">'
        f"{SVG_MARKS['query']}</g></svg>"
    )


def _at(degrees: float, radius: float) -> str:
    angle = math.radians(degrees)
    return f"translate({radius * math.cos(angle):.1f} {-radius * math.sin(angle):.1f})"
