"""The attention of one element, step by step: score, scale, softmax, sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn import softmax
from attnlab.figures._drawing import box, canvas, figure_of, label, subscript, vector_text
from attnlab.style import describe, palette, scales
from attnlab.style.heat_table import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Numbers = NDArray[np.float64]

#: Column to column, step to step, and the width of a box, in the canvas' units.
PITCH, STEP, WIDE = 1.9, 1.3, 1.7


def one_output(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    tokens: Sequence[str],
    index: int,
    weight_output: ArrayLike | None = None,
) -> Figure:
    """Draw how attention makes the output of one element, from top to bottom.

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
    asked = np.asarray(query, float)[index]
    keys, values = np.asarray(key, float), np.asarray(value, float)
    scores = keys @ asked  # (num_tokens,)
    scaled = scores / np.sqrt(len(asked))  # (num_tokens,)
    weights = softmax(scaled)  # (num_tokens,)
    output = weights @ values  # (d_v,)
    count = subscript(index + 1)
    results = [(f"z{count} = Σ weight × value", output)]
    if weight_output is not None:
        results.append((f"a{count} = z Wᴼ", output @ np.asarray(weight_output, float)))
    ax = canvas(6.0, (-2.35, len(tokens) * PITCH), (-0.7, (5 + len(results)) * STEP - 0.2))
    _heads(ax, tokens, index)
    _vectors(ax, 0, "■ keys", keys, "key")
    _numbers(ax, 1, f"q{count} · k = score", scores, "scores", scores)
    _numbers(ax, 2, "÷ √d_k", scaled, "scores", scores)
    _numbers(ax, 3, "softmax = weight", weights, "weights", scores)
    _vectors(ax, 4, "▲ values", values, "value")
    for row, (text, result) in enumerate(results, 5):
        _result(ax, row, text, result, len(tokens))
    describe(
        ax,
        f"Attention for {tokens[index]}, whose query is {vector_text(asked)}: scores "
        f"{vector_text(scores)}, divided by the root of {len(asked)}; weights "
        f"{vector_text(weights, 2)}, the largest on {tokens[int(weights.argmax())]}; output "
        f"{vector_text(output, 2)}.",
    )
    return figure_of(ax)


def _heads(ax: Axes, tokens: Sequence[str], index: int) -> None:
    for column, token in enumerate(tokens):
        text, role = (f"● {token}", "query") if column == index else (token, "ink")
        label(ax, column * PITCH + WIDE / 2, -0.4, text, role)


def _name(ax: Axes, row: int, text: str, role: str) -> None:
    label(ax, -0.2, row * STEP + 0.5, text, role, "right", 9.5)


def _vectors(ax: Axes, row: int, text: str, vectors: Numbers, role: str) -> None:
    _name(ax, row, text, role)
    for column, vector in enumerate(vectors):
        box(ax, (column * PITCH, row * STEP), vector_text(vector), role, width=WIDE)
        if row:
            _line(ax, column * PITCH + WIDE / 2, row)


def _numbers(
    ax: Axes, row: int, text: str, values: Numbers, kind: scales.Kind, scores: Numbers
) -> None:
    _name(ax, row, text, "ink")
    limit = float(np.abs(scores).max()) or 1.0
    for column, value in enumerate(values):
        level = scales.step(float(value), kind, limit)
        box(ax, (column * PITCH, row * STEP), number(float(value)), "ink", level, width=WIDE)
        _line(ax, column * PITCH + WIDE / 2, row)


def _result(ax: Axes, row: int, text: str, result: Numbers, num_tokens: int) -> None:
    """Draw a vector that all tokens made together, across their columns."""
    _name(ax, row, text, "value")
    width = num_tokens * PITCH - (PITCH - WIDE)
    shown = vector_text(result, 2)
    box(ax, (0, row * STEP), shown, "value", width=width, double=row == 5)
    _line(ax, width / 2, row)


def _line(ax: Axes, x: float, row: int) -> None:
    """Draw the short line from the step above to this one."""
    top = row * STEP - (STEP - 1)
    ax.plot([x, x], [top + 0.06, top + 0.24], "-", color=palette()["muted"], linewidth=1.2)
