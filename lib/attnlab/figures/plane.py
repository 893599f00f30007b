"""A query and its keys in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from attnlab.figures._drawing import vector_text
from attnlab.style import describe, palette, vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
    from matplotlib.figure import Figure

    asked, ends = np.asarray(query, float), np.asarray(keys, float)
    figure = Figure(figsize=(4.6, 3.2))
    ax = figure.add_subplot()
    feet = np.outer(ends @ asked / (asked @ asked), asked)  # (num_keys, 2), on the query's line
    for end, foot in zip(ends, feet, strict=True):
        ax.plot(*zip(end, foot, strict=True), ":", color=palette()["muted"], linewidth=1.2)
    vector(ax, tuple(asked), "query")
    for end in ends:
        vector(ax, tuple(end), "key")
    _labels(ax, [asked, *ends], labels)
    everything = np.vstack([ends, asked, np.zeros(2)])
    low, high = everything.min(axis=0) - 0.4, everything.max(axis=0) + 0.4
    ax.set(xlim=(low[0] - 0.4, high[0] + 0.4), ylim=(low[1], high[1]), aspect="equal")
    for line in (ax.axhline, ax.axvline):
        line(0, color=palette()["line"], linewidth=0.8, zorder=0)
    ax.locator_params(integer=True)
    said = [f"{name} {vector_text(end)}" for name, end in zip(labels[1:], ends, strict=True)]
    describe(ax, f"The query {labels[0]} {vector_text(asked)} and the keys {', '.join(said)}.")
    return figure


def _labels(ax: Axes, ends: Sequence[ArrayLike], names: Sequence[str]) -> None:
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
