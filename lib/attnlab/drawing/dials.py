"""Draw clocks with a hand of the query and one of the key, as static SVG."""

from __future__ import annotations

import math

from attnlab.drawing.marks import SVG_MARKS, Role
from attnlab.drawing.text import escape
from attnlab.drawing.tokens import var

_RADIUS, _SIDE = 46, 60
#: The query's hand is the shorter one, so that both are seen where they point the same way.
_LENGTHS: dict[Role, float] = {"key": _RADIUS, "query": 0.62 * _RADIUS}


def dial_svg(query: float, key: float, label: str) -> str:
    """Return ``<svg>`` of one clock.

    Parameters
    ----------
    query, key
        The angles of the hands in radians, counted from the right as in a plane.
    label
        The alternative text.
    """
    hands = _hand("key", key) + _hand("query", query)
    return (
        f'<svg viewBox="{-_SIDE} {-_SIDE} {2 * _SIDE} {2 * _SIDE}" width="{2 * _SIDE}" '
        f'height="{2 * _SIDE}" role="img" aria-label="{escape(label)}"><circle r="{_RADIUS}" '
        f'style="fill:none;stroke:{var("line")}"/>{hands}</svg>'
    )


def _hand(role: Role, angle: float) -> str:
    x, y = _LENGTHS[role] * math.cos(angle), -_LENGTHS[role] * math.sin(angle)
    return (
        f'<path d="M0 0L{x:.1f} {y:.1f}" style="stroke:{var(role)};stroke-width:2"/>'
        f'<g transform="translate({x:.1f} {y:.1f})" style="fill:{var(role)}">{SVG_MARKS[role]}</g>'
    )
