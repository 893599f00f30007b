"""Every head of a model at one glance: a small map for each, one layer in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnlab.style import describe, heatmap, palette

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAP = 2


def all_heads(weights: NDArray[np.float64]) -> Figure:
    """Return a figure of all maps of one sentence, on the scale from 0 (paper) to 1 (ink).

    Parameters
    ----------
    weights : array, shape (num_layers, num_heads, num_tokens, num_tokens)

    Raises
    ------
    ValueError
        If there are not four axes.
    """
    from matplotlib.figure import Figure

    if weights.ndim != 4:
        raise ValueError(f"weights have shape {weights.shape}; expected (layers, heads, n, n)")
    layers, heads, tokens, _ = weights.shape
    step = tokens + GAP
    sheet = np.zeros((layers * step - GAP, heads * step - GAP))
    seen = np.zeros(sheet.shape, dtype=bool)
    for layer, head in np.ndindex(layers, heads):
        at = np.s_[layer * step : layer * step + tokens, head * step : head * step + tokens]
        sheet[at], seen[at] = weights[layer, head], True
    figure = Figure(figsize=(6.6, 6.6 * layers / heads))
    ax = figure.subplots()
    heatmap(ax, sheet, mask=seen, shape=False)
    middle = (tokens - 1) / 2
    ax.set_xticks(np.arange(heads) * step + middle, [str(n + 1) for n in range(heads)])
    ax.set_yticks(np.arange(layers) * step + middle, [str(n + 1) for n in range(layers)])
    ax.set_xlabel("head", color=palette()["ink"])
    ax.set_ylabel("layer", color=palette()["ink"])
    describe(figure, _text(weights))
    return figure


def _text(weights: NDArray[np.float64]) -> str:
    layers, heads, tokens, _ = weights.shape
    to_first = weights[..., 0].mean(axis=(1, 2))
    shares = ", ".join(f"{share:.2f}" for share in to_first)
    return (
        f"Small maps of {layers} layers of {heads} heads, {tokens} by {tokens} tokens each. "
        f"Many have a dark first column: mean weight on the first token by layer {shares}."
    )
