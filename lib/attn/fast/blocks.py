"""Exact attention in blocks: no array of all scores is ever made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from attn._types import Array
from attn.formulas import warn_if_infinite, weighted_sum


class Block(NamedTuple):
    """Some keys, and which queries of a block of queries see them."""

    key: Array  # (keys, d_k)
    value: Array  # (keys, d_v)
    visible: Array | None = None  # (queries, keys): for those from `first`; the rest see all keys
    first: int = 0  # the queries before this one see none of the keys

    def visible_to(self, num_queries: int) -> Array | None:
        """Return `visible` for all of ``num_queries`` queries from the first."""
        if self.visible is None or len(self.visible) == num_queries:
            return self.visible
        rest = ((0, num_queries - len(self.visible)), (0, 0))
        return np.pad(self.visible, rest, constant_values=True)


#: Returns the outputs of some scaled queries, (queries, d_v), from all blocks of keys.
Attend: TypeAlias = Callable[[Array, Iterable[Block]], Array]


def attend_in_blocks(
    query: Array,
    key: Array,
    value: Array,
    scale: float,
    mask: Array | None,
    causal: bool,
    sizes: tuple[int, int],
    attend: Attend,
) -> Array:
    """Return the outputs, (..., num_queries, d_v); what is hidden in whole blocks is skipped."""
    parts = [query, key, value] if mask is None else [query, key, value, np.atleast_2d(mask)]
    leading = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
    query, key, value = (np.broadcast_to(x, leading + x.shape[-2:]) for x in (query, key, value))
    num_queries, num_keys = query.shape[-2], key.shape[-2]
    if mask is not None:
        mask = np.broadcast_to(mask, (*leading, num_queries, num_keys))
    past = num_keys - num_queries if causal else None
    output = np.empty((*query.shape[:-1], value.shape[-1]), dtype=value.dtype)
    for index in np.ndindex(*leading):
        for start in range(0, num_queries, sizes[0]):
            rows = slice(start, min(start + sizes[0], num_queries))
            shown = None if mask is None else mask[index][rows]
            blocks = _key_blocks(key[index], value[index], shown, rows, past, sizes[1])
            output[index][rows] = attend(query[index][rows] * scale, blocks)
    return output


def _key_blocks(
    key: Array, value: Array, mask: Array | None, rows: slice, past: int | None, size: int
) -> Iterator[Block]:
    """Yield the blocks of keys that a block of queries sees; ``past`` keys come before query 0."""
    num_queries = rows.stop - rows.start
    end = len(key) if past is None else min(len(key), rows.stop + past)
    for start in range(0, end, size):
        keys = slice(start, min(start + size, end))
        first, visible = 0, None
        if past is not None:
            latest = np.arange(rows.start, rows.stop) + past  # the last key that each query sees
            first = max(0, start - int(latest[0]))
            partly = latest[first : max(first, keys.stop - 1 - int(latest[0]))]
            if len(partly):
                visible = np.arange(keys.start, keys.stop) <= partly[:, None]
        if mask is not None:
            shown = mask[first:, keys]
            block = Block(key[keys], value[keys], visible, first)
            causal = block.visible_to(num_queries - first)
            visible = shown if causal is None else shown & causal
            if not visible.any():
                continue
            visible = None if visible.all() else visible
        yield Block(key[keys], value[keys], visible, first)


def attend_online(query: Array, blocks: Iterable[Block], d_v: int) -> Array:
    r"""Return the outputs of scaled queries, with a running maximum of each row.

    With :math:`m` the largest score so far, :math:`o = \sum_j e^{s_j - m} v_j` and
    :math:`l = \sum_j e^{s_j - m}` are kept. A larger score rescales both by
    :math:`e^{m - m'}`, and the output is :math:`o / l`.
    """
    largest = np.full((len(query), 1), -np.inf, dtype=query.dtype)
    sums: Array = np.zeros((len(query), d_v), dtype=query.dtype)
    totals: Array = np.zeros((len(query), 1), dtype=query.dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        for block in blocks:
            rows = slice(block.first, None)
            scores = query[rows] @ block.key.T  # (queries, keys)
            visible = block.visible_to(len(scores))
            if visible is not None:
                scores = np.where(visible, scores, -np.inf)
            before = largest[rows]
            top = np.maximum(before, scores.max(-1, keepdims=True))
            shift = np.where(np.isneginf(top), 0, top)
            weights, rescale = np.exp(scores - shift), np.exp(before - shift)
            sums[rows] = sums[rows] * rescale + weighted_sum(weights, block.value, visible)
            totals[rows] = totals[rows] * rescale + weights.sum(-1, keepdims=True)
            largest[rows] = top
    warn_if_infinite(largest)
    return sums / np.where(totals == 0, 1, totals)
