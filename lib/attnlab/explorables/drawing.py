"""A plane with vectors as a small inline SVG: the still figure of an explorable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from attnlab.style.inline import escape
from attnlab.style.pictures import MARKS, Role
from attnlab.style.tokens import var

_HALF, _MARGIN = 120, 18


@dataclass(frozen=True)
class Mark:
    """The end of a vector: where it is, what it is and what it is called."""

    at: Sequence[float]
    role: Role
    label: str


def plane(title: str, marks: Sequence[Mark], least: float = 1.0) -> str:
    """Return ``<svg>`` with the vectors' ends, axes through the origin and a frame with limits.

    Parameters
    ----------
    title
        The alternative text begins with it; labels and coordinates follow.
    marks
        What to draw.
    least
        The smallest absolute coordinate at which the frame may stand.
    """
    largest = max(abs(x) for mark in marks for x in mark.at)
    limit = max(least, math.ceil(2 * largest + 0.2) / 2)
    side = _HALF + _MARGIN
    told = "; ".join(f"{m.label} ({m.at[0]:.2f}, {m.at[1]:.2f})" for m in marks)
    body = "".join(_mark(mark, _HALF / limit) for mark in marks)
    return (
        f'<svg viewBox="{-side} {-side} {2 * side} {2 * side}" width="{2 * side}" '
        f'height="{2 * side}" role="img" aria-label="{escape(f"{title}: {told}")}">'
        f"{_frame(limit)}{body}</svg>"
    )


def _frame(limit: float) -> str:
    line, grey = var("line"), var("muted")
    return (
        f'<g style="stroke:{line};fill:none"><rect x="{-_HALF}" y="{-_HALF}" '
        f'width="{2 * _HALF}" height="{2 * _HALF}"/>'
        f'<path d="M{-_HALF} 0H{_HALF}M0 {-_HALF}V{_HALF}"/></g>'
        f'<g style="fill:{grey};font-size:10px;text-anchor:middle">'
        f'<text x="{_HALF}" y="{_HALF + 13}">{limit:g}</text>'
        f'<text x="{-_HALF}" y="{_HALF + 13}">−{limit:g}</text></g>'
    )


def _mark(mark: Mark, unit: float) -> str:
    x, y = mark.at[0] * unit, -mark.at[1] * unit
    # Away from the origin, so that the vector's own line stays free.
    length = math.hypot(x, y) or 1.0
    dx, dy = 17 * x / length, 17 * y / length + 4
    colour = var(MARKS[mark.role][0])
    stem = "" if mark.role in ("value", "output") else f'<path d="M0 0L{x:.1f} {y:.1f}"/>'
    label = "" if mark.role == "output" else escape(mark.label)
    return (
        f'<g style="fill:{colour};stroke:{colour}">{stem}'
        f'<g transform="translate({x:.1f} {y:.1f})">{_SHAPES[mark.role]}'
        f'<text x="{dx:.1f}" y="{dy:.1f}" style="stroke:none;text-anchor:middle;'
        f'font-size:12px">{label}</text></g></g>'
    )


def _triangle(r: float, extra: str = "") -> str:
    return f'<path d="M0 {-r:g}L{0.87 * r:.1f} {r / 2:g}H{-0.87 * r:.1f}Z"{extra}/>'


_SHAPES: dict[Role, str] = {
    "query": '<circle r="6"/>',
    "key": '<rect x="-5.5" y="-5.5" width="11" height="11"/>',
    "value": _triangle(7.5),
    "output": _triangle(14, ' style="fill:none"') + _triangle(7.5),
}
