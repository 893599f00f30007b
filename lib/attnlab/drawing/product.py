"""The product of queries and keys, with one entry picked out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.drawing import scales
from attnlab.drawing.boxes import box, canvas, figure_of, label
from attnlab.drawing.matplotlib_style import describe
from attnlab.drawing.text import decimals_of, number, vector_text
from attnlab.drawing.tokens import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GAP = 1.1


def query_key_product(
    query: ArrayLike, key: ArrayLike, tokens: Sequence[str], pair: tuple[int, int]
) -> Figure:
    """Draw ``Q @ K.T`` with one entry picked out: row i of Q meets column j of K transposed.

    Parameters
    ----------
    query, key
        Shapes ``(num_tokens, d_k)``.
    tokens
        Labels of the queries and of the keys (self-attention).
    pair
        The entry ``(i, j)``, counted from 0.
    """
    queries, keys = np.asarray(query, float), np.asarray(key, float)
    scores, (i, j) = queries @ keys.T, pair
    (num_queries, d_k), num_keys = queries.shape, len(keys)
    left = top = d_k + GAP
    ax = canvas(5.2, (-1.7, left + num_keys + 0.2), (-1.2, top + num_queries + 0.9))
    _cells(ax, queries, (0, top), "query", framed={(i, c) for c in range(d_k)})
    _cells(ax, keys.T, (left, 0), "key", framed={(c, j) for c in range(d_k)})
    _cells(ax, scores, (left, top), "ink", framed={pair})
    for row, token in enumerate(tokens):
        label(ax, -0.15, top + row + 0.5, token, "query", "right")
        label(ax, left + row + 0.5, -0.3, token, "key")
    below = top + num_queries + 0.5
    label(ax, d_k / 2, below, f"● Q {queries.shape}", "query", size=9.5)
    label(ax, left - 0.2, d_k / 2, f"■ Kᵀ {keys.T.shape}", "key", "right", 9.5)
    label(ax, left + num_keys / 2, below, f"QKᵀ {scores.shape}", "ink", size=9.5)
    describe(
        ax,
        f"The product of Q, shape {queries.shape}, and K transposed, shape {keys.T.shape}. Entry "
        f"({i + 1}, {j + 1}) is {scores[i, j]:g}: the dot product of the query of {tokens[i]}, "
        f"{vector_text(queries[i])}, and the key of {tokens[j]}, {vector_text(keys[j])}.",
    )
    return figure_of(ax)


def _cells(
    ax: Axes,
    values: NDArray[np.float64],
    corner: tuple[float, float],
    role: str,
    framed: set[tuple[int, int]],
) -> None:
    """Draw a matrix as unit cells; one in the role ``"ink"`` is filled by the scale of scores."""
    from matplotlib.patches import Rectangle

    limit = float(np.abs(values).max()) or 1.0
    left, top = corner
    for (row, column), value in np.ndenumerate(values):
        is_score = role == "ink"
        step = scales.step(float(value), "scores", limit) if is_score else scales.PAPER
        box(ax, (left + column, top + row), "", "ink", step)
        text = number(float(value), decimals_of(value))
        colour = scales.drawn_text(*step) if is_score else palette()[role]
        middle = (left + column + 0.5, top + row + 0.5)
        ax.text(*middle, text, ha="center", va="center", color=colour)
    for row, column in framed:
        at = (left + column, top + row)
        frame = Rectangle(at, 1, 1, fill=False, edgecolor=palette()[role], linewidth=2.2)
        ax.add_patch(frame)
