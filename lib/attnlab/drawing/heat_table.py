"""A small heat map as an HTML table: readable without colour, by a screen reader and in print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.drawing import scales
from attnlab.drawing.heat_map import HeatMap, checked_heat_map
from attnlab.drawing.text import escape, number
from attnlab.drawing.tokens import embedded_css


@dataclass(frozen=True)
class HeatTable:
    """A heat map that displays as an HTML table in a notebook and in the book.

    Rows are queries, columns are keys; a masked cell is hatched and has no number.
    """

    heat_map: HeatMap
    caption: str
    decimals: int

    def _repr_html_(self) -> str:
        corner = '<td aria-hidden="true"></td>'
        head = "".join(f'<th scope="col">{escape(key)}</th>' for key in self.heat_map.keys)
        rows = "".join(
            f'<tr><th scope="row">{escape(query)}</th>{self._cells(row)}</tr>'
            for row, query in enumerate(self.heat_map.queries)
        )
        words = f"{escape(self.caption)} " if self.caption else ""
        caption = f'<caption>{words}<span class="attn-shape">{self.heat_map.shape}</span></caption>'
        # A table that may have to scroll must be reachable by keyboard.
        is_wide = len(self.heat_map.keys) > 6
        wide = ' tabindex="0" role="group" aria-label="Heat map"' if is_wide else ""
        return (
            f'{embedded_css()}<div class="attn-scroll"{wide}><table class="attn-heat">{caption}'
            f"<thead><tr>{corner}{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )

    def _cells(self, row: int) -> str:
        data = self.heat_map
        return "".join(
            cell(value, data.kind, data.limit, self.decimals, masked=not allowed)
            for value, allowed in zip(data.values[row], data.mask[row], strict=True)
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        visible = np.where(self.heat_map.mask, self.heat_map.values, np.nan)
        return np.array2string(visible, precision=self.decimals, suppress_small=True)


def cell(value: float, kind: scales.Kind, limit: float, decimals: int, *, masked: bool) -> str:
    """Return one ``<td>`` of a heat map; a screen reader hears "masked" in a masked one."""
    if masked:
        return '<td class="attn-masked"><span class="attn-visually-hidden">masked</span></td>'
    name, percent = scales.step(value, kind, limit)
    colour = "" if name == "ink" else f"--attn-cell:var(--attn-{name});"
    return (
        f'<td style="{colour}--attn-level:{percent};color:{scales.text_css(name, percent)}">'
        f"{number(value, decimals)}</td>"
    )


def weights_table(
    weights: ArrayLike | NDArray[Any],
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    *,
    mask: ArrayLike | None = None,
    kind: scales.Kind = "weights",
    caption: str = "",
    decimals: int = 2,
    limit: float | None = None,
) -> HeatTable:
    """Return a heat map as a table, for matrices of up to about ten by ten.

    Parameters
    ----------
    weights
        Shape ``(num_queries, num_keys)``: weights from 0 to 1, or scores of any sign.
    queries, keys
        The tokens of the rows and of the columns; ``q1, q2, …`` and ``k1, k2, …`` by default.
    mask
        Boolean, broadcastable to the weights' shape; True = may attend. The rest is hatched.
    kind
        ``"weights"`` (ink on paper, 0 to 1) or ``"scores"`` (orange to blue, centred at 0).
    caption, decimals
        What to look at, in one sentence; decimals of each number.
    limit
        The absolute score at which the colours end; by default the largest visible one.

    Raises
    ------
    ValueError
        If a shape or a number of labels does not fit, or a weight is outside 0 to 1.

    Examples
    --------
    >>> weights_table([[0.25, 0.75]], ["Le"], ["the", "cat"])
    [[0.25 0.75]]
    """
    content = checked_heat_map(weights, queries, keys, mask=mask, kind=kind, limit=limit)
    return HeatTable(content, caption, decimals)
