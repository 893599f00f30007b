"""The data of a heat map, checked once: values, labels, mask and scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnlab.style.scales import Kind


@dataclass(frozen=True)
class Grid:
    """Values and mask of shape ``(num_queries, num_keys)`` with their labels and scale."""

    values: NDArray[np.float64]
    mask: NDArray[np.bool_]
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    kind: Kind
    limit: float

    @property
    def shape(self) -> str:
        """The shape, in the form used everywhere."""
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


def shape_text(**sizes: int) -> str:
    """Return a shape in the form used everywhere.

    Examples
    --------
    >>> shape_text(num_queries=4, num_keys=6)
    '(num_queries, num_keys) = (4, 6)'
    """
    comma = "," if len(sizes) == 1 else ""
    return f"({', '.join(sizes)}{comma}) = ({', '.join(map(str, sizes.values()))}{comma})"


def _labels(given: Sequence[str] | None, letter: str, size: int, name: str) -> tuple[str, ...]:
    if given is None:
        return tuple(f"{letter}{number}" for number in range(1, size + 1))
    if len(given) != size:
        raise ValueError(f"{name} has {len(given)} labels; expected {size}, one for each of them")
    return tuple(map(str, given))


def grid(
    values: ArrayLike | NDArray[Any],
    queries: Sequence[str] | None,
    keys: Sequence[str] | None,
    *,
    mask: ArrayLike | None,
    kind: Kind,
    limit: float | None,
) -> Grid:
    """Return a checked :class:`Grid`; see :func:`attnlab.style.weights_table`."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{kind} have shape {array.shape}; expected (num_queries, num_keys)")
    allowed = np.asarray(True if mask is None else mask)
    if allowed.dtype != np.bool_:
        raise ValueError(f"mask has dtype {allowed.dtype}; expected bool, True = may attend")
    try:
        allowed = np.broadcast_to(allowed, array.shape)
    except ValueError:
        raise ValueError(f"mask has shape {allowed.shape}; expected {array.shape}") from None
    seen = array[allowed]
    if not np.isfinite(seen).all():
        raise ValueError(f"{kind} hold NaN or inf where the mask lets them be seen")
    if kind == "weights" and seen.size and (seen.min() < -1e-6 or seen.max() > 1 + 1e-6):
        raise ValueError(
            f"weights run from {seen.min():.3g} to {seen.max():.3g}; expected 0 to 1 "
            '(for scores, say kind="scores")'
        )
    if limit is None:
        limit = float(np.abs(seen).max(initial=0.0)) or 1.0
    rows, columns = array.shape
    return Grid(
        array,
        allowed,
        _labels(queries, "q", rows, "queries"),
        _labels(keys, "k", columns, "keys"),
        kind,
        limit,
    )
