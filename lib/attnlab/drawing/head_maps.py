"""Draw every head of a model at a glance: a small heat map for each, a row for each layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnlab.drawing.heat_axes import draw_heat_map
from attnlab.drawing.matplotlib_style import describe, new_axes
from attnlab.drawing.tokens import palette

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Empty cells between two heat maps.
GAP = 2


def all_heads(weights: NDArray[np.float64]) -> Figure:
    """Return a figure of all heads' weights for one sentence, from 0 (paper) to 1 (ink).

    Parameters
    ----------
    weights : array, shape (num_layers, num_heads, num_tokens, num_tokens)

    Raises
    ------
    ValueError
        If there are not four axes.
    """
    if weights.ndim != 4:
        raise ValueError(f"weights have shape {weights.shape}; expected (layers, heads, n, n)")
    layers, heads, tokens, _ = weights.shape
    step = tokens + GAP
    sheet = np.zeros((layers * step - GAP, heads * step - GAP))
    filled = np.zeros(sheet.shape, dtype=bool)
    for layer, head in np.ndindex(layers, heads):
        at = np.s_[layer * step : layer * step + tokens, head * step : head * step + tokens]
        sheet[at], filled[at] = weights[layer, head], True
    figure, ax = new_axes(6.6, 6.6 * layers / heads)
    draw_heat_map(ax, sheet, mask=filled, shape=False)
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
        f"Small heat maps of {layers} layers of {heads} heads, {tokens} by {tokens} tokens each. "
        f"Many have a full first column: mean weight on the first token by layer {shares}."
    )
