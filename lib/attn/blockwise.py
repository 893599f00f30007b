"""Exact attention in memory linear in the tokens."""

from __future__ import annotations

from numpy.typing import ArrayLike

from attn import fast
from attn._arguments import (
    Array,
    as_floats,
    as_mask,
    check_attention,
    check_count,
    scale_or_default,
)
from attn._hints import explain_torch_names


@explain_torch_names
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
    (query, key, value), result = as_floats(query=query, key=key, value=value)
    mask = as_mask(mask, check_attention(query, key, value))
    scale, sizes = scale_or_default(query, scale), block_sizes(block)
    output = fast.blockwise_attention(query, key, value, scale, mask, is_causal, sizes)
    return output.astype(result, copy=False)


def block_sizes(block: int | tuple[int, int] | None) -> tuple[int, int] | None:
    """Return the numbers of queries and keys in a block, or raise ValueError or TypeError."""
    if block is None:
        return None
    if isinstance(block, tuple):
        if len(block) != 2:
            raise ValueError(f"block is {block}; expected one or two integers")
        return check_count("block[0]", block[0], 1), check_count("block[1]", block[1], 1)
    size = check_count("block", block, 1)
    return size, size
