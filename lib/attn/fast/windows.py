"""Local attention in blocks of queries, each with the span of keys that it can see."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn._types import Array
from attn.fast.blocks import Attend, Block

_COLUMNS = 512


def attend_in_windows(
    query: Array,
    key: Array,
    value: Array,
    scale: float,
    window: int,
    marks: Array | None,
    padding: Array | None,
    causal: bool,
    rows: int,
    attend: Attend,
) -> Array:
    """Return `attn.sliding_window.masked_window_attention`, without a mask of all pairs.

    Parameters
    ----------
    query, key, value : array, shape (..., tokens, width)
    scale : float
    window : int
    marks, padding : array of bool, broadcastable to (..., tokens), or None
        True for global, and for real tokens.
    causal : bool
    rows : int
        Queries in a block.
    attend : function
        Returns the outputs of a block of queries.

    Returns
    -------
    array, shape (..., tokens, d_v)
    """
    leading = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    tokens = query.shape[-2]
    query, key, value = (np.broadcast_to(x, leading + x.shape[-2:]) for x in (query, key, value))
    everywhere = (*leading, tokens)
    marks = None if marks is None else np.broadcast_to(marks, everywhere)
    padding = None if padding is None else np.broadcast_to(padding, everywhere)
    band = _band(rows, window, causal)
    output = np.empty((*query.shape[:-1], value.shape[-1]), dtype=value.dtype)
    for index in np.ndindex(*leading):
        sequence = _Sequence(
            key[index],
            value[index],
            None if marks is None else marks[index],
            None if padding is None else padding[index],
            causal,
        )
        for start in range(0, tokens, rows):
            block = slice(start, min(start + rows, tokens))
            blocks = sequence.nearby(block, band, window)
            output[index][block] = attend(query[index][block] * scale, blocks)
        for start in range(0, len(sequence.globals), rows):
            block_of_globals = sequence.globals[start : start + rows]
            blocks = sequence.everything(block_of_globals)
            output[index][block_of_globals] = attend(query[index][block_of_globals] * scale, blocks)
    return output


def _band(rows: int, window: int, causal: bool) -> Array:
    """Return which keys of its span a block of queries sees; the same for each block."""
    ahead = 0 if causal else window
    distance = np.arange(-window, rows + ahead) - np.arange(rows)[:, None]
    return (distance >= -window) & (distance <= ahead)


class _Sequence:
    """The keys of one sequence, and which of them a query sees."""

    def __init__(
        self,
        key: Array,
        value: Array,
        marks: Array | None,
        padding: Array | None,
        causal: bool,
    ) -> None:
        self.key, self.value, self.marks = key, value, marks
        self.padding, self.causal = padding, causal
        self.globals = np.zeros(0, dtype=np.intp) if marks is None else np.flatnonzero(marks)

    def nearby(self, rows: slice, band: Array, window: int) -> Iterator[Block]:
        """Yield the span of keys around a block of queries, then the global keys."""
        first = rows.start - window
        ahead = 0 if self.causal else window
        span = slice(max(0, first), min(len(self.key), rows.stop + ahead))
        visible = band[: rows.stop - rows.start, span.start - first : span.stop - first]
        if self.marks is not None:  # a global key is seen once, among the global ones
            visible = visible & ~self.marks[span]
        if self.padding is not None:
            visible = visible & self.padding[span]
        yield Block(self.key[span], self.value[span], visible)
        for start in range(0, len(self.globals), _COLUMNS):
            yield self._block(np.arange(rows.start, rows.stop), self.globals[start:][:_COLUMNS])

    def everything(self, queries: Array) -> Iterator[Block]:
        """Yield all keys, for queries that are global."""
        for start in range(0, len(self.key), _COLUMNS):
            yield self._block(queries, np.arange(start, min(start + _COLUMNS, len(self.key))))

    def _block(self, queries: Array, keys: Array) -> Block:
        visible = np.ones((len(queries), len(keys)), dtype=bool)
        if self.causal:
            visible &= keys <= queries[:, None]
        if self.padding is not None:
            visible &= self.padding[keys]
        return Block(self.key[keys], self.value[keys], visible)
