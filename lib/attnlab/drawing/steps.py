"""Draw the attention of one element, step by step: score, scale, softmax, sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn import softmax
from attnlab.drawing import scales
from attnlab.drawing.boxes import box, canvas, figure_of, label
from attnlab.drawing.matplotlib_style import describe
from attnlab.drawing.text import number, subscript, vector_text
from attnlab.drawing.tokens import palette

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
        Whose output is drawn, counted from 0.
    weight_output
        The output projection, shape ``(d_v, d_model)``; without it that step is left out.
    """
    one_query: Numbers = np.asarray(query, float)[index]
    steps = Steps.of(one_query, np.asarray(key, float), np.asarray(value, float))
    count = subscript(index + 1)
    results = [(f"z{count} = Σ weight × value", steps.output)]
    if weight_output is not None:
        results.append((f"a{count} = z Wᴼ", steps.output @ np.asarray(weight_output, float)))
    ax = canvas(6.0, (-2.35, len(tokens) * PITCH), (-0.7, (5 + len(results)) * STEP - 0.2))
    _token_labels(ax, tokens, index)
    _vectors(ax, 0, "■ keys", np.asarray(key, float), "key")
    _numbers(ax, 1, f"q{count} · k = score", steps.scores, "scores", steps.scores)
    _numbers(ax, 2, "÷ √d_k", steps.scaled, "scores", steps.scores)
    _numbers(ax, 3, "softmax = weight", steps.weights, "weights", steps.scores)
    _vectors(ax, 4, "▲ values", np.asarray(value, float), "value")
    for row, (text, result) in enumerate(results, 5):
        _result(ax, row, text, result, len(tokens))
    describe(ax, steps.text(one_query, tokens, index))
    return figure_of(ax)


class Steps(NamedTuple):
    """What attention computes for one query, step by step.

    ``scores``, ``scaled`` and ``weights`` have shape (num_tokens,), ``output`` has shape (d_v,).
    """

    scores: Numbers
    scaled: Numbers
    weights: Numbers
    output: Numbers

    @classmethod
    def of(cls, query: Numbers, keys: Numbers, values: Numbers) -> Steps:
        """Return the steps for a query of shape (d_k,)."""
        scores = keys @ query  # (num_tokens,)
        scaled = scores / np.sqrt(len(query))
        weights = softmax(scaled)
        return cls(scores, scaled, weights, weights @ values)

    def text(self, query: Numbers, tokens: Sequence[str], index: int) -> str:
        """Return the alternative text."""
        return (
            f"Attention for {tokens[index]}, whose query is {vector_text(query)}: scores "
            f"{vector_text(self.scores)}, divided by the root of {len(query)}; weights "
            f"{vector_text(self.weights, 2)}, the largest on "
            f"{tokens[int(self.weights.argmax())]}; output {vector_text(self.output, 2)}."
        )


def _token_labels(ax: Axes, tokens: Sequence[str], index: int) -> None:
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
            _connect(ax, column * PITCH + WIDE / 2, row)


def _numbers(
    ax: Axes, row: int, text: str, values: Numbers, kind: scales.Kind, scores: Numbers
) -> None:
    _name(ax, row, text, "ink")
    limit = float(np.abs(scores).max()) or 1.0
    for column, value in enumerate(values):
        step = scales.step(float(value), kind, limit)
        box(ax, (column * PITCH, row * STEP), number(float(value)), "ink", step, width=WIDE)
        _connect(ax, column * PITCH + WIDE / 2, row)


def _result(ax: Axes, row: int, text: str, result: Numbers, num_tokens: int) -> None:
    """Draw a vector to which all tokens contribute, across their columns."""
    _name(ax, row, text, "value")
    width = num_tokens * PITCH - (PITCH - WIDE)
    text = vector_text(result, 2)
    box(ax, (0, row * STEP), text, "value", width=width, double=row == 5)
    _connect(ax, width / 2, row)


def _connect(ax: Axes, x: float, row: int) -> None:
    """Draw the short line from the step above."""
    top = row * STEP - (STEP - 1)
    ax.plot([x, x], [top + 0.06, top + 0.24], "-", color=palette()["muted"], linewidth=1.2)
