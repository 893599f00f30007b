"""Exact attention in memory linear in the tokens."""

from __future__ import annotations

from attn._arguments import check_attention, check_count, scale_or_default
from attn._door import enter
from attn._hints import explain_torch_names
from attn._types import Given, Nested, Numbers


@explain_torch_names
def blockwise_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    mask: Given | None = None,
    causal: bool = False,
    scale: float | None = None,
    block: int | tuple[int, int] | None = None,
) -> Numbers:
    r"""Return :math:`\mathrm{softmax}(Q K^\top / \sqrt{d_k})\, V` in memory linear in the tokens.

    The result is that of `scaled_dot_product_attention`, up to rounding, for every block size. What
    causality or the mask hides in whole blocks is skipped, not computed. Of tensors, torch's fused
    kernel computes the same, unless ``block`` is given; where it would not be exact, blocks do,
    which the gradient computes a second time instead of keeping their scores.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
    value : array_like, shape (..., num_keys, d_v)
    mask : array_like of bool, broadcastable to (..., num_queries, num_keys), optional
        True = may attend. (A full mask itself takes memory for every pair; one for all queries,
        like `padding_mask`, does not.)
    causal : bool
        Hide the future as well; the last query sees the last key.
    scale : float, optional
    block : int or (int, int), optional
        Number of queries and of keys in a block. Of tensors, only the queries are taken in blocks.

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
    >>> blockwise_attention(query, key, value, causal=True, block=(2, 3)).shape
    (2, 4, 10)
    """
    door, (query, key, value) = enter(query=query, key=key, value=value)
    shape = check_attention(query, key, value)
    output = door.framework.fast.blockwise_attention(
        *(query, key, value, scale_or_default(query, scale), door.mask(mask, shape), causal),
        block_sizes(block),
    )
    return door.leave(output)


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
