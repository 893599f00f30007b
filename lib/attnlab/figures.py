"""Figures of the core chapters, drawn from the arrays that the chapter computes.

Each takes the arrays and returns a figure; nothing in it is drawn by hand. Rows are queries,
columns are keys, and shapes stand beside their arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.style import describe, palette, scales
from attnlab.style.table import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Numbers = NDArray[np.float64]


def cells(
    ax: Axes,
    values: ArrayLike,
    at: tuple[float, float],
    *,
    role: str = "ink",
    kind: scales.Kind | None = None,
    limit: float = 1.0,
    decimals: int | None = None,
    mark: NDArray[np.bool_] | None = None,
) -> None:
    """Draw a matrix as unit cells with their numbers, its upper left corner at ``at``.

    Parameters
    ----------
    ax
        Axes whose y axis points down.
    values
        Shape ``(rows, columns)``.
    at
        Position ``(x, y)`` of the upper left corner.
    role
        Colour of frame and numbers: ``"query"``, ``"key"``, ``"value"`` or ``"ink"``.
    kind, limit
        Fill the cells by the scale of weights or scores; not filled when None.
    decimals
        Of the numbers; whole numbers are written without when None.
    mark
        Boolean, shape of ``values``: cells drawn with a heavy frame.
    """
    from matplotlib.patches import Rectangle

    colours, table = palette(), np.asarray(values, dtype=np.float64)
    marked = np.zeros(table.shape, bool) if mark is None else mark
    for (row, column), value in np.ndenumerate(table):
        level = ("ink", 0) if kind is None else scales.step(float(value), kind, limit)
        corner = (at[0] + column, at[1] + row)
        box = Rectangle(
            corner, 1, 1, facecolor=scales.cell_colour(*level), edgecolor=colours["line"]
        )
        ax.add_patch(box)
        ink = colours[role] if kind is None else _on(level)
        text = number(float(value), _decimals(value) if decimals is None else decimals)
        ax.text(corner[0] + 0.5, corner[1] + 0.5, text, ha="center", va="center", color=ink)
    for row, column in np.argwhere(marked):
        corner = (at[0] + column, at[1] + row)
        frame = Rectangle(corner, 1, 1, fill=False, edgecolor=colours[role], linewidth=2.2)
        ax.add_patch(frame)


def query_key_product(
    query: ArrayLike, key: ArrayLike, tokens: Sequence[str], pair: tuple[int, int]
) -> Figure:
    """Draw ``Q @ K.T`` with one entry picked out: row i of Q meets column j of K transposed.

    Parameters
    ----------
    query, key
        Shapes ``(num_queries, d_k)`` and ``(num_keys, d_k)``.
    tokens
        Labels of the queries and of the keys (self-attention).
    pair
        The entry ``(i, j)``, counted from 0.
    """
    queries, keys = np.asarray(query, float), np.asarray(key, float)
    scores, (i, j), gap = queries @ keys.T, pair, 1.1
    num_queries, d_k = queries.shape
    ax = _canvas(5.2, (-1.7, d_k + gap + len(keys) + 0.2), (-1.2, d_k + gap + num_queries + 0.9))
    left, top = d_k + gap, d_k + gap
    rows, columns = _mark(queries.shape, row=i), _mark((d_k, len(keys)), column=j)
    both = _mark(scores.shape, row=i) & _mark(scores.shape, column=j)
    cells(ax, queries, (0, top), role="query", mark=rows)
    cells(ax, keys.T, (left, 0), role="key", mark=columns)
    limit = float(np.abs(scores).max()) or 1.0
    cells(ax, scores, (left, top), kind="scores", limit=limit, mark=both)
    for row, token in enumerate(tokens):
        _label(ax, -0.15, top + row + 0.5, token, "query", ha="right")
        _label(ax, left + row + 0.5, -0.3, token, "key")
    _shape(ax, d_k / 2, top + num_queries + 0.5, f"● Q {queries.shape}", "query")
    _shape(ax, left - 0.2, d_k / 2, f"■ Kᵀ {keys.T.shape}", "key", ha="right")
    _shape(ax, left + len(keys) / 2, top + num_queries + 0.5, f"QKᵀ {scores.shape}", "ink")
    describe(
        ax,
        f"The product of Q, shape {queries.shape}, and K transposed, shape {keys.T.shape}. Entry "
        f"{pair_text(pair)} is {scores[i, j]:g}: the dot product of the query of {tokens[i]}, "
        f"{_vector(queries[i])}, and the key of {tokens[j]}, {_vector(keys[j])}.",
    )
    return _finish(ax)


def one_output(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    tokens: Sequence[str],
    index: int,
    weight_output: ArrayLike | None = None,
) -> Figure:
    """Draw how attention makes the output of one element, step by step, from top to bottom.

    Parameters
    ----------
    query, key, value
        Shapes ``(num_tokens, d_k)``, ``(num_tokens, d_k)`` and ``(num_tokens, d_v)``.
    tokens
        Labels of the tokens.
    index
        Which element asks, counted from 0.
    weight_output
        The output projection, shape ``(d_v, d_model)``; its step is left out when None.
    """
    from attn import softmax

    asked = np.asarray(query, float)[index]
    keys, values = np.asarray(key, float), np.asarray(value, float)
    scores = keys @ asked
    scaled = scores / np.sqrt(len(asked))
    weights = softmax(scaled)
    output = weights @ values
    last = [] if weight_output is None else [output @ np.asarray(weight_output, float)]
    num, limit = len(tokens), float(np.abs(scores).max()) or 1.0
    ax = _canvas(6.0, (-2.35, num * 1.9), (-0.7, 7.6 + 1.3 * len(last)))
    number_word = f"q{_subscript(index + 1)}"
    steps = [
        (0.0, "■ keys", "key"),
        (1.3, f"{number_word} · k = score", "ink"),
        (2.6, "÷ √d_k", "ink"),
        (3.9, "softmax = weight", "ink"),
        (5.2, "▲ values", "value"),
    ]
    for y, text, role in steps:
        _label(ax, -0.2, y + 0.5, text, role, ha="right", size=9.5)
    for column, token in enumerate(tokens):
        x = column * 1.9
        asks = column == index
        token = f"● {token}" if asks else token
        _label(ax, x + 0.85, -0.4, token, "query" if asks else "ink")
        _box(ax, x, 0.0, _vector(keys[column]), "key")
        _box(
            ax, x, 1.3, number(scores[column]), "ink", scales.step(scores[column], "scores", limit)
        )
        _box(
            ax, x, 2.6, number(scaled[column]), "ink", scales.step(scaled[column], "scores", limit)
        )
        _box(ax, x, 3.9, number(weights[column]), "ink", scales.step(weights[column], "weights"))
        _box(ax, x, 5.2, _vector(values[column]), "value")
        for y in (1.0, 2.3, 3.6, 4.9):
            _arrow(ax, x + 0.85, y)
    width = num * 1.9 - 0.2
    _label(
        ax, -0.2, 7.0, f"z{_subscript(index + 1)} = Σ weight × value", "value", ha="right", size=9.5
    )
    _box(ax, 0, 6.5, _vector(output, 2), "value", width=width, double=True)
    _arrow(ax, width / 2, 6.2)
    for projected in last:
        _label(ax, -0.2, 8.3, f"a{_subscript(index + 1)} = z Wᴼ", "value", ha="right", size=9.5)
        _box(ax, 0, 7.8, _vector(projected, 2), "value", width=width)
        _arrow(ax, width / 2, 7.5)
    best = tokens[int(weights.argmax())]
    describe(
        ax,
        f"Attention for {tokens[index]}, whose query is {_vector(asked)}: scores "
        f"{_vector(scores)}, divided by the root of {len(asked)}; weights {_vector(weights, 2)}, "
        f"the largest on {best}; output {_vector(output, 2)}.",
    )
    return _finish(ax)


def pair_text(pair: tuple[int, int]) -> str:
    """Return an entry's place as the text counts it, from 1: ``(3, 2)``."""
    return f"({pair[0] + 1}, {pair[1] + 1})"


def _canvas(width: float, x: tuple[float, float], y: tuple[float, float]) -> Axes:
    from matplotlib.figure import Figure

    height = width * (y[1] - y[0]) / (x[1] - x[0])
    ax = Figure(figsize=(width, height)).add_axes((0, 0, 1, 1))
    ax.set(xlim=x, ylim=(y[1], y[0]), aspect="equal")
    ax.axis("off")
    return ax


def _finish(ax: Axes) -> Figure:
    figure: Any = ax.get_figure()
    return figure


def _decimals(value: float) -> int:
    return 0 if float(value).is_integer() else 2


def _on(level: tuple[str, int]) -> str:
    name = scales.text_token(*level)
    return palette().get(name, name)


def _mark(shape: tuple[int, ...], row: int | None = None, column: int | None = None) -> Any:
    marks = np.zeros(shape, bool)
    if row is not None:
        marks[row] = True
    if column is not None:
        marks[:, column] = True
    return marks


def _label(
    ax: Axes, x: float, y: float, text: str, role: str, *, ha: str = "center", size: float = 10.5
) -> None:
    colour = palette()[role]
    ax.text(x, y, text, ha=ha, va="center", color=colour, fontsize=size)


def _shape(ax: Axes, x: float, y: float, text: str, role: str, ha: str = "center") -> None:
    _label(ax, x, y, text, role, ha=ha, size=9.5)


def _box(
    ax: Axes,
    x: float,
    y: float,
    text: str,
    role: str,
    level: tuple[str, int] = ("ink", 0),
    *,
    width: float = 1.7,
    double: bool = False,
) -> None:
    from matplotlib.patches import Rectangle

    colours = palette()
    edge = colours["line"] if role == "ink" else colours[role]
    fill = scales.cell_colour(*level)
    ax.add_patch(Rectangle((x, y), width, 1, facecolor=fill, edgecolor=edge, linewidth=1.4))
    if double:
        inner = Rectangle((x + 0.08, y + 0.08), width - 0.16, 0.84, fill=False, edgecolor=edge)
        ax.add_patch(inner)
    ink = _on(level) if role == "ink" else colours[role]
    ax.text(x + width / 2, y + 0.5, text, ha="center", va="center", color=ink, fontsize=10)


def _arrow(ax: Axes, x: float, y: float) -> None:
    ax.plot([x, x], [y + 0.06, y + 0.24], color=palette()["muted"], linestyle="-", linewidth=1.2)


def _vector(values: Numbers, decimals: int | None = None) -> str:
    shown = (number(v, _decimals(v) if decimals is None else decimals) for v in values)
    return f"({', '.join(shown)})"


def _subscript(count: int) -> str:
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(count))
