"""What a heat map shows, checked once, and a small one as an HTML table.

A table can be read without colour, by a screen reader and in print. `heat_axes` draws larger heat
maps on matplotlib axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.drawing import scales
from attnlab.drawing.picture import Picture
from attnlab.drawing.text import escape, number


@dataclass(frozen=True)
class HeatMap:
    """Values and mask of shape ``(num_queries, num_keys)`` with their labels."""

    values: NDArray[np.float64]
    mask: NDArray[np.bool_]
    queries: tuple[str, ...]
    keys: tuple[str, ...]

    @property
    def shape(self) -> str:
        """The shape with the names of its axes."""
        return f"(num_queries, num_keys) = {self.values.shape}"

    def describe(self) -> str:
        """Return the alternative text: what is shown, and each query's largest cell."""
        what = f"Heat map of weights, {len(self.queries)} queries by {len(self.keys)} keys."
        if len(self.queries) > 12:
            return what
        visible = np.where(self.mask, self.values, -np.inf)
        largest = [
            f"{query}: {self.keys[row.argmax()]} {row.max():.2f}"
            for query, row in zip(self.queries, visible, strict=True)
            if np.isfinite(row).any()
        ]
        return f"{what} Largest in each row: {'; '.join(largest) or 'none, all are masked'}."


def checked_heat_map(
    values: ArrayLike,
    queries: Sequence[str] | None,
    keys: Sequence[str] | None,
    mask: ArrayLike | None,
    kind: scales.Kind = "weights",
) -> HeatMap:
    """Return a :class:`HeatMap`; for the arguments see :func:`attnlab.drawing.weights_table`."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{kind} have shape {array.shape}; expected (num_queries, num_keys)")
    allowed = _mask(mask, array.shape)
    visible = array[allowed]
    if not np.isfinite(visible).all():
        raise ValueError(f"{kind} hold NaN or inf where the mask is True")
    if kind == "weights" and visible.size and (visible.min() < -1e-6 or visible.max() > 1 + 1e-6):
        raise ValueError(
            f"weights run from {visible.min():.3g} to {visible.max():.3g}; expected 0 to 1 "
            '(for scores, pass kind="scores")'
        )
    rows, columns = array.shape
    return HeatMap(
        array, allowed, _labels(queries, "queries", rows), _labels(keys, "keys", columns)
    )


def _mask(mask: ArrayLike | None, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    allowed = np.asarray(True if mask is None else mask)
    if allowed.dtype != np.bool_:
        raise ValueError(f"mask has dtype {allowed.dtype}; expected bool, True = may attend")
    try:
        return np.broadcast_to(allowed, shape)
    except ValueError:
        raise ValueError(f"mask has shape {allowed.shape}; expected {shape}") from None


def _labels(labels: Sequence[str] | None, name: str, size: int) -> tuple[str, ...]:
    if labels is None:
        return tuple(f"{name[0]}{number}" for number in range(1, size + 1))
    if len(labels) != size:
        raise ValueError(f"{name} has {len(labels)} labels; expected {size}, one for each of them")
    return tuple(map(str, labels))


def weights_table(
    weights: ArrayLike,
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    *,
    mask: ArrayLike | None = None,
    kind: scales.Kind = "weights",
    caption: str = "",
    decimals: int = 2,
) -> Picture:
    """Return a heat map as a table, for matrices of up to about ten by ten.

    Rows are queries, columns are keys; a masked cell is hatched and has no number.

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

    Raises
    ------
    ValueError
        If a shape or a number of labels does not fit, or a weight is outside 0 to 1.

    Examples
    --------
    >>> weights_table([[0.25, 0.75]], ["Le"], ["the", "cat"])
    [[0.25 0.75]]
    """
    data = checked_heat_map(weights, queries, keys, mask, kind)
    visible = np.where(data.mask, data.values, np.nan)
    limit = float(np.nanmax(np.abs(visible), initial=0.0)) or 1.0
    rows = "".join(
        f'<tr><th scope="row">{escape(query)}</th>'
        f"{''.join(_cell(value, kind, limit, decimals) for value in values)}</tr>"
        for query, values in zip(data.queries, visible, strict=True)
    )
    head = "".join(f'<th scope="col">{escape(key)}</th>' for key in data.keys)
    words = f"{escape(caption)} " if caption else ""
    # A table that may have to scroll must be reachable by keyboard.
    wide = ' tabindex="0" role="group" aria-label="Heat map"' if len(data.keys) > 6 else ""
    html = (
        f'<div class="attn-scroll"{wide}><table class="attn-heat">'
        f'<caption>{words}<span class="attn-shape">{data.shape}</span></caption>'
        f'<thead><tr><td aria-hidden="true"></td>{head}</tr></thead><tbody>{rows}</tbody>'
        "</table></div>"
    )
    return Picture(html, np.array2string(visible, precision=decimals, suppress_small=True))


def _cell(value: float, kind: scales.Kind, limit: float, decimals: int) -> str:
    """Return one ``<td>``; a screen reader hears "masked" in a masked one, whose value is NaN."""
    if np.isnan(value):
        return '<td class="attn-masked"><span class="attn-visually-hidden">masked</span></td>'
    name, percent = scales.step(value, kind, limit)
    colour = "" if name == "ink" else f"--attn-cell:var(--attn-{name});"
    return (
        f'<td style="{colour}--attn-level:{percent};color:{scales.text_css(name, percent)}">'
        f"{number(value, decimals)}</td>"
    )
