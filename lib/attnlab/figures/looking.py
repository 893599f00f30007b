"""A picture, and where each of several queries looks in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnlab.style import describe, palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def looking(picture: NDArray[np.float32], weights: Mapping[str, NDArray[np.float32]]) -> Figure:
    """Return the picture, and beside it one map of weights for each query.

    Parameters
    ----------
    picture : array, shape (height, width)
        Ink is 1, paper 0; what noise adds beyond is cut off.
    weights : mapping of str to array, shape (num_cells,)
        By the name of the query; cells are read row by row and make a square.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.7 * (1 + len(weights)), 2.0))
    axes = figure.subplots(1, 1 + len(weights))
    _ink(axes[0], np.clip(picture, 0, 1), "picture")
    said = []
    for ax, (name, row) in zip(axes[1:], weights.items(), strict=True):
        side = round(len(row) ** 0.5)
        _ink(ax, row.reshape(side, side), name)
        at = int(row.argmax())
        said.append(f"{name}: {row.max():.2f} at row {at // side + 1}, column {at % side + 1}")
    describe(figure, f"A picture with glyphs and maps of weights. Largest: {'; '.join(said)}.")
    return figure


def _ink(ax: Axes, shares: NDArray[np.float32], title: str) -> None:
    """Draw shares from 0 to 1 as ink of that opacity, which figures.css turns light on dark."""
    ink = palette()["ink"]
    rgba = np.empty((*shares.shape, 4))
    rgba[..., :3] = [int(ink[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    rgba[..., 3] = shares
    ax.imshow(rgba, interpolation="nearest")
    ax.set_title(title, fontsize=10)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
