"""Draw vectors in the plane: on matplotlib axes, and as a small static SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from attnlab.drawing.marks import MARKS, SVG_MARKS, Role
from attnlab.drawing.matplotlib_style import describe, new_axes
from attnlab.drawing.text import escape, vector_text
from attnlab.drawing.tokens import palette, var

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# --- on matplotlib axes -------------------------------------------------------------------------


def vector(ax: Axes, end: Sequence[float], role: Role, label: str = "") -> None:
    """Draw a vector from the origin with the mark of its role at its end.

    Parameters
    ----------
    ax
        Axes with equal aspect.
    end
        The vector, shape ``(2,)``.
    role
        ``"query"`` (circle), ``"key"`` (square), ``"value"`` (triangle) or ``"output"``
        (triangle with a double outline).
    label
        Written beside the end.

    Raises
    ------
    ValueError
        If the vector does not have two components or the role is unknown.
    """
    if np.shape(end) != (2,):
        raise ValueError(f"a vector in the plane has shape (2,); got {np.shape(end)}")
    if role not in MARKS:
        raise ValueError(f"role is {role!r}; expected one of {', '.join(MARKS)}")
    name, marker = MARKS[role]
    colour, paper = palette()[name], palette()["paper"]
    ax.plot([0, end[0]], [0, end[1]], color=colour, linestyle="-", linewidth=1.5)
    if role == "output":
        ax.plot(*end, marker, markersize=15, color=paper, markeredgecolor=colour, mew=1.5)
    ax.plot(*end, marker, markersize=9, color=colour, markeredgecolor=paper, mew=1)
    if label:
        ax.annotate(
            label, (end[0], end[1]), xytext=(9, 4), textcoords="offset points", color=colour
        )


def query_and_keys(query: ArrayLike, keys: ArrayLike, labels: Sequence[str]) -> Figure:
    """Draw one query and its keys, and how far each key reaches along the query.

    Parameters
    ----------
    query
        Shape ``(2,)``, not zero.
    keys
        Shape ``(num_keys, 2)``.
    labels
        The name of the query, then one for each key.
    """
    query, keys = np.asarray(query, float), np.asarray(keys, float)
    figure, ax = new_axes(4.6, 3.2)
    feet = np.outer(keys @ query / (query @ query), query)  # (num_keys, 2), on the query's line
    for key, foot in zip(keys, feet, strict=True):
        ax.plot(*zip(key, foot, strict=True), ":", color=palette()["muted"], linewidth=1.2)
    vector(ax, tuple(query), "query")
    for key in keys:
        vector(ax, tuple(key), "key")
    _label_ends(ax, [query, *keys], labels)
    points = np.vstack([keys, query, np.zeros(2)])
    low, high = points.min(axis=0) - 0.4, points.max(axis=0) + 0.4
    ax.set(xlim=(low[0] - 0.4, high[0] + 0.4), ylim=(low[1], high[1]), aspect="equal")
    for line in (ax.axhline, ax.axvline):
        line(0, color=palette()["line"], linewidth=0.8, zorder=0)
    ax.locator_params(integer=True)
    names = [f"{name} {vector_text(key)}" for name, key in zip(labels[1:], keys, strict=True)]
    describe(ax, f"The query {labels[0]} {vector_text(query)} and the keys {', '.join(names)}.")
    return figure


def _label_ends(ax: Axes, ends: Sequence[ArrayLike], names: Sequence[str]) -> None:
    """Write each name beside its point, on the side away from the origin."""
    for place, (end, name) in enumerate(zip(ends, names, strict=True)):
        x, y = np.asarray(end, float)
        ax.annotate(
            name,
            (x, y),
            xytext=(-9 if x < 0 else 9, 5),
            textcoords="offset points",
            ha="right" if x < 0 else "left",
            color=palette()["key" if place else "query"],
        )


# --- as static SVG ------------------------------------------------------------------------------

_HALF, _MARGIN = 120, 18


@dataclass(frozen=True)
class Mark:
    """The end of a vector: its coordinates, its role and its label."""

    at: Sequence[float]
    role: Role
    label: str


def plane_svg(title: str, marks: Sequence[Mark], least: float = 1.0) -> str:
    """Return ``<svg>`` with the ends of vectors, axes through the origin, and a frame with limits.

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
    places = "; ".join(f"{m.label} ({m.at[0]:.2f}, {m.at[1]:.2f})" for m in marks)
    body = "".join(_mark(mark, _HALF / limit) for mark in marks)
    return (
        f'<svg viewBox="{-side} {-side} {2 * side} {2 * side}" width="{2 * side}" '
        f'height="{2 * side}" role="img" aria-label="{escape(f"{title}: {places}")}">'
        f"{_frame(limit)}{body}</svg>"
    )


def _frame(limit: float) -> str:
    line, grey = var("line"), var("muted")
    return (
        f'<g style="stroke:{line};fill:none"><rect x="{-_HALF}" y="{-_HALF}" '
        f'width="{2 * _HALF}" height="{2 * _HALF}"/>'
        f'<path d="M{-_HALF} 0H{_HALF}M0 {-_HALF}V{_HALF}"/></g>'
        f'<g style="fill:{grey};font-size:11px;text-anchor:middle">'
        f'<text x="{_HALF}" y="{_HALF + 13}">{limit:g}</text>'
        f'<text x="{-_HALF}" y="{_HALF + 13}">−{limit:g}</text></g>'
    )


def _mark(mark: Mark, unit: float) -> str:
    x, y = mark.at[0] * unit, -mark.at[1] * unit
    # The label stands away from the origin and leaves the vector's own line free.
    length = math.hypot(x, y) or 1.0
    dx, dy = 17 * x / length, 17 * y / length + 4
    colour = var(MARKS[mark.role][0])
    stem = "" if mark.role in ("value", "output") else f'<path d="M0 0L{x:.1f} {y:.1f}"/>'
    label = "" if mark.role == "output" else escape(mark.label)
    return (
        f'<g style="fill:{colour};stroke:{colour}">{stem}'
        f'<g transform="translate({x:.1f} {y:.1f})">{SVG_MARKS[mark.role]}'
        f'<text x="{dx:.1f}" y="{dy:.1f}" style="stroke:none;text-anchor:middle;'
        f'font-size:12px">{label}</text></g></g>'
    )
