"""Draw where one head of a decoder looks: a static SVG of many cells without numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attnlab.drawing import scales
from attnlab.drawing.text import escape
from attnlab.drawing.token_axes import chosen_row, token_axes
from attnlab.drawing.tokens import var

_CELL, _EDGE = 12, 18


def causal_map_svg(
    weights: NDArray[np.float64], tokens: Sequence[str], selected: int, label: str
) -> str:
    """Return ``<svg>`` of causal weights, from paper (0) to ink (1); later keys are not drawn.

    Parameters
    ----------
    weights
        Shape ``(num_tokens, num_tokens)``; rows are queries, columns are keys.
    tokens
        The labels of both axes.
    selected
        The query whose row is framed, up to the query itself.
    label
        The alternative text.
    """
    side = _EDGE + len(tokens) * _CELL + 2
    cells = "".join(
        _cell(row, column, float(weights[row, column]))
        for row in range(len(tokens))
        for column in range(row + 1)
    )
    return (
        f'<svg viewBox="0 0 {side} {side}" width="{side}" height="{side}" role="img" '
        f'aria-label="{escape(label)}">{cells}{token_axes(tokens, _CELL, _EDGE)}'
        f"{chosen_row(selected, selected + 1, _CELL, _EDGE)}</svg>"
    )


def _cell(row: int, column: int, weight: float) -> str:
    fill = scales.cell_css(*scales.step(weight))
    return (
        f'<rect class="square" x="{_EDGE + column * _CELL}" y="{_EDGE + row * _CELL}" '
        f'width="{_CELL - 1}" height="{_CELL - 1}" '
        f'style="fill:{fill};stroke:{var("line")};stroke-width:0.5"/>'
    )
