"""Exact attention in blocks: no array of all scores is ever made."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import (
    Array,
    as_floats,
    as_mask,
    check_count,
    check_pairs,
    check_tokens,
    check_width,
    leading_axes,
)
from attn._hidden import weighted_sum
from attn.blockwise_fast import BoundedAttention, is_bounded
from attn.scores import default_scale

#: Keys (c, d_k), their values (c, d_v), and which of them a query sees (r, c), None for all.
Block: TypeAlias = tuple[Array, Array, Array | None]

Attend: TypeAlias = Callable[[Array, Iterable[Block]], Array]

_DEFAULT_BLOCK = (256, 512)


def blockwise_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    block: int | tuple[int, int] | None = None,
) -> Array:
    r"""Return :math:`\mathrm{softmax}(Q K^\top / \sqrt{d_k})\, V` in memory linear in the tokens.

    The result is that of `scaled_dot_product_attention`, up to rounding, for every block size. What
    causality or the mask hides in whole blocks is skipped, not computed.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
    value : array_like, shape (..., num_keys, d_v)
    mask : array_like of bool, broadcastable to (..., num_queries, num_keys), optional
        True = may attend. (A full mask itself takes memory for every pair; one for all queries,
        like `padding_mask`, does not.)
    is_causal : bool
        Hide the future as well; the last query sees the last key.
    scale : float, optional
    block : int or (int, int), optional
        Number of queries and of keys in a block.

    Returns
    -------
    array, shape (..., num_queries, d_v)
        Zero for a query that sees nothing. In the type of query, key and value.

    Raises
    ------
    ValueError
        If shapes do not fit or a block is empty.
    TypeError
        If ``mask`` is not boolean.

    References
    ----------
    Milakov and Gimelshein (2018), algorithm 3, for the running softmax; Rabe and Staats (2021) and
    Dao et al. (2022), algorithm 1, for attention with it.

    Examples
    --------
    >>> import numpy as np
    >>> query, key, value = np.ones((2, 4, 8)), np.ones((2, 6, 8)), np.ones((2, 6, 10))
    >>> blockwise_attention(query, key, value, is_causal=True, block=(2, 3)).shape
    (2, 4, 10)
    """
    (queries, keys, values), result = as_floats(query=query, key=key, value=value)
    check_width(queries, keys)
    check_tokens(keys, values)
    leading = leading_axes(query=queries, key=keys, value=values)
    shown = None if mask is None else as_mask(mask)
    if shown is not None:
        pairs = (*leading, queries.shape[-2], keys.shape[-2])
        check_pairs("mask", shown, pairs)
        leading = np.broadcast_shapes(leading, shown.shape[:-2])
        shown = np.broadcast_to(shown, leading + pairs[-2:])
    factor, sizes = default_scale(queries, scale), block_sizes(block)
    attend = attention_of_blocks(queries, keys, values, factor, *sizes)
    queries, keys, values = (
        np.broadcast_to(x, leading + x.shape[-2:]) for x in (queries, keys, values)
    )
    output = np.empty((*queries.shape[:-1], values.shape[-1]), dtype=result)
    for index in np.ndindex(*leading):
        parts = keys[index], values[index], None if shown is None else shown[index]
        for rows, blocks in _blocks(queries.shape[-2], *parts, is_causal, sizes):
            output[index][rows] = attend(queries[index][rows] * factor, blocks)
    return output


def attention_of_blocks(
    query: Array, key: Array, value: Array, scale: float, rows: int, columns: int
) -> Attend:
    """Return the function that attends from a block of queries: the fast one where it is exact.

    Parameters
    ----------
    query, key, value : array, shape (..., tokens, width)
        All queries, keys and values that will be seen.
    scale : float
    rows, columns : int
        The largest numbers of queries and of keys in a block.
    """
    d_v = value.shape[-1]
    if not is_bounded(query, key, value, scale):
        return partial(attend_online, d_v=d_v)
    rows, columns = min(rows, query.shape[-2]), min(columns, key.shape[-2])
    return BoundedAttention(rows, columns, d_v, value.dtype)


def attend_online(query: Array, blocks: Iterable[Block], d_v: int) -> Array:
    r"""Return the attention of scaled queries to the keys of all blocks, seen one after the other.

    With :math:`m` the largest score so far, :math:`o = \sum_j e^{s_j - m} v_j` and
    :math:`l = \sum_j e^{s_j - m}` are kept. A larger score rescales both by
    :math:`e^{m - m'}`, and the output is :math:`o / l`.

    Parameters
    ----------
    query : array, shape (num_queries, d_k)
    blocks : iterable of (keys, values, visible or None)
    d_v : int

    Returns
    -------
    array, shape (num_queries, d_v)
    """
    largest = np.full((len(query), 1), -np.inf, dtype=query.dtype)
    sums: Array = np.zeros((len(query), d_v), dtype=query.dtype)
    totals: Array = np.zeros((len(query), 1), dtype=query.dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        for keys, values, visible in blocks:
            scores = query @ keys.T  # (num_queries, keys of the block)
            if visible is not None:
                scores = np.where(visible, scores, scores.dtype.type(-np.inf))
            before, largest = largest, np.maximum(largest, scores.max(-1, keepdims=True))
            shift = np.where(np.isneginf(largest), 0, largest)
            weights, rescale = np.exp(scores - shift), np.exp(before - shift)
            sums = sums * rescale + weighted_sum(weights, values, visible)
            totals = totals * rescale + weights.sum(-1, keepdims=True)
    if np.isposinf(largest).any():
        message = "a score is inf, so its row of weights is NaN: the scores overflowed"
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    return sums / np.where(totals == 0, 1, totals)


def block_sizes(block: int | tuple[int, int] | None) -> tuple[int, int]:
    """Return the numbers of queries and keys in a block, or raise ValueError or TypeError."""
    if block is None:
        return _DEFAULT_BLOCK
    if isinstance(block, tuple):
        if len(block) != 2:
            raise ValueError(f"block is {block}; expected one or two integers")
        return check_count("block[0]", block[0], 1), check_count("block[1]", block[1], 1)
    size = check_count("block", block, 1)
    return size, size


def _blocks(
    num_queries: int,
    key: Array,
    value: Array,
    mask: Array | None,
    is_causal: bool,
    sizes: tuple[int, int],
) -> Iterator[tuple[slice, Iterator[Block]]]:
    """Yield the rows of each block of queries, and the blocks of keys that they see."""
    past = len(key) - num_queries  # how many keys come before the first query
    for start in range(0, num_queries, sizes[0]):
        rows = slice(start, min(start + sizes[0], num_queries))
        yield rows, _key_blocks(key, value, mask, rows, past if is_causal else None, sizes[1])


def _key_blocks(
    key: Array, value: Array, mask: Array | None, rows: slice, past: int | None, size: int
) -> Iterator[Block]:
    end = len(key) if past is None else min(len(key), rows.stop + past)
    for start in range(0, end, size):
        keys = slice(start, min(start + size, end))
        visible = None
        if past is not None and keys.stop > rows.start + past + 1:
            latest = np.arange(rows.start, rows.stop) + past
            visible = np.arange(keys.start, keys.stop) <= latest[:, None]
        if mask is not None:
            visible = mask[rows, keys] if visible is None else visible & mask[rows, keys]
        if visible is None or visible.any():
            everything = visible is None or visible.all()
            yield key[keys], value[keys], None if everything else visible
