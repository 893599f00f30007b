"""An image, and where each of several queries puts its weight in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnlab.drawing.heat_axes import ink_image
from attnlab.drawing.matplotlib_style import describe

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def image_and_weights(
    image: NDArray[np.float32], weights: Mapping[str, NDArray[np.float32]]
) -> Figure:
    """Return the image, and beside it one heat map of weights for each query.

    Parameters
    ----------
    image : array, shape (height, width)
        1 is ink and 0 is paper; what noise adds beyond is cut off.
    weights : mapping of str to array, shape (num_cells,)
        By the name of the query. The cells form a square and are read row by row.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.7 * (1 + len(weights)), 2.0))
    axes = figure.subplots(1, 1 + len(weights))
    _draw(axes[0], image, "picture")
    largest = []
    for ax, (name, row) in zip(axes[1:], weights.items(), strict=True):
        side = round(len(row) ** 0.5)
        _draw(ax, row.reshape(side, side), name)
        at = int(row.argmax())
        largest.append(f"{name}: {row.max():.2f} at row {at // side + 1}, column {at % side + 1}")
    describe(figure, f"A picture with glyphs and maps of weights. Largest: {'; '.join(largest)}.")
    return figure


def _draw(ax: Axes, shares: NDArray[np.float32], title: str) -> None:
    ax.imshow(ink_image(shares), interpolation="nearest")
    ax.set_title(title, fontsize=10)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
