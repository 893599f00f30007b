"""Vectors in the plane, on matplotlib axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from attnlab.drawing.matplotlib_style import describe, new_axes
from attnlab.drawing.text import vector_text
from attnlab.drawing.tokens import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Role = Literal["query", "key", "value", "output"]
#: The shape of a mark repeats what its colour says: (colour, matplotlib marker) by role. The output
#: is made of values: same colour and mark.
MARKS: dict[Role, tuple[str, str]] = {
    "query": ("query", "o"),
    "key": ("key", "s"),
    "value": ("value", "^"),
    "output": ("value", "^"),
}


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
