"""Check the values, labels, mask and scale of a heat map, once for all that draw it.

`heat_table` shows it as an HTML table, `heat_axes` draws it on matplotlib axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.drawing.scales import Kind
from attnlab.drawing.text import shape_text


@dataclass(frozen=True)
class HeatMap:
    """Values and mask of shape ``(num_queries, num_keys)`` with their labels and scale."""

    values: NDArray[np.float64]
    mask: NDArray[np.bool_]
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    kind: Kind
    limit: float

    @property
    def shape(self) -> str:
        """The shape with the names of its axes."""
        return shape_text(num_queries=len(self.queries), num_keys=len(self.keys))

    def describe(self) -> str:
        """Return the alternative text: what is shown, and each query's largest cell."""
        what = f"Heat map of {self.kind}, {len(self.queries)} queries by {len(self.keys)} keys."
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
    values: ArrayLike | NDArray[Any],
    queries: Sequence[str] | None,
    keys: Sequence[str] | None,
    *,
    mask: ArrayLike | None,
    kind: Kind,
    limit: float | None,
) -> HeatMap:
    """Return a :class:`HeatMap`; for the arguments see :func:`attnlab.drawing.weights_table`."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{kind} have shape {array.shape}; expected (num_queries, num_keys)")
    allowed = _mask(mask, array.shape)
    visible = array[allowed]
    _check_visible(visible, kind)
    if limit is None:
        limit = float(np.abs(visible).max(initial=0.0)) or 1.0
    num_queries, num_keys = array.shape
    return HeatMap(
        array,
        allowed,
        _labels(queries, "q", num_queries, "queries"),
        _labels(keys, "k", num_keys, "keys"),
        kind,
        limit,
    )


def _mask(mask: ArrayLike | None, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    allowed = np.asarray(True if mask is None else mask)
    if allowed.dtype != np.bool_:
        raise ValueError(f"mask has dtype {allowed.dtype}; expected bool, True = may attend")
    try:
        return np.broadcast_to(allowed, shape)
    except ValueError:
        raise ValueError(f"mask has shape {allowed.shape}; expected {shape}") from None


def _check_visible(visible: NDArray[np.float64], kind: Kind) -> None:
    if not np.isfinite(visible).all():
        raise ValueError(f"{kind} hold NaN or inf where the mask is True")
    if kind == "weights" and visible.size and (visible.min() < -1e-6 or visible.max() > 1 + 1e-6):
        raise ValueError(
            f"weights run from {visible.min():.3g} to {visible.max():.3g}; expected 0 to 1 "
            '(for scores, pass kind="scores")'
        )


def _labels(labels: Sequence[str] | None, letter: str, size: int, name: str) -> tuple[str, ...]:
    if labels is None:
        return tuple(f"{letter}{number}" for number in range(1, size + 1))
    if len(labels) != size:
        raise ValueError(f"{name} has {len(labels)} labels; expected {size}, one for each of them")
    return tuple(map(str, labels))
