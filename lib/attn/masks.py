"""Masks: which query may attend to which key. Boolean, True = may attend."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attn._arguments import as_array, check_count
from attn._tokens import as_marks

Mask = NDArray[np.bool_]


def padding_mask(lengths: ArrayLike, num_keys: int) -> Mask:
    r"""Return the mask that hides padding keys: True where :math:`j < \mathrm{length}`.

    Parameters
    ----------
    lengths : array_like of int, shape (batch,)
        The number of real tokens in each sequence, from 0 to ``num_keys``.
    num_keys : int
        The length to which the sequences are padded, in tokens.

    Returns
    -------
    array of bool, shape (batch, 1, num_keys)
        All queries share it. For scores with a head axis use ``mask[:, None]``.

    Raises
    ------
    TypeError
        If a length is not an integer.
    ValueError
        If a length is negative or exceeds ``num_keys``, or there is not one for each sequence.

    Notes
    -----
    Only keys are masked. Hiding padding *queries* as well would make fully masked rows; leave the
    outputs of padding queries out of the loss instead.

    Examples
    --------
    >>> padding_mask([2, 3], 3)
    array([[[ True,  True, False]],
    <BLANKLINE>
           [[ True,  True,  True]]])
    """
    num_keys = check_count("num_keys", num_keys)
    counts = as_array("lengths", lengths)
    if counts.size and counts.dtype.kind not in "iu":
        raise TypeError(f"lengths has dtype {counts.dtype}; expected integers")
    if counts.ndim != 1:
        raise ValueError(
            f"lengths have shape {counts.shape}; expected (batch,), how many tokens of each "
            "sequence are real. Of a mask with rows of 0 and 1: mask.astype(bool)[:, None]"
        )
    if counts.size and not (counts.min() >= 0 and counts.max() <= num_keys):
        raise ValueError(f"lengths are {counts.tolist()}; expected 0 to num_keys = {num_keys}")
    return np.arange(num_keys) < counts[:, None, None]


def causal_mask(num_queries: int, num_keys: int) -> Mask:
    r"""Return the mask that hides the future: True where :math:`j \le i + n_k - n_q`.

    Parameters
    ----------
    num_queries, num_keys : int
        Aligned at the bottom right: the last query sees the last key. So a query that is decoded
        with a cache of earlier keys sees all of them. With more queries than keys, the first
        queries see nothing.

    Returns
    -------
    array of bool, shape (num_queries, num_keys)

    Raises
    ------
    ValueError, TypeError
        If a count is negative or not an integer.

    References
    ----------
    Vaswani et al. (2017), section 3.2.3, third item. (torch and jax align at the top left when the
    counts differ.)

    Examples
    --------
    >>> causal_mask(2, 4)
    array([[ True,  True,  True, False],
           [ True,  True,  True,  True]])
    """
    num_queries = check_count("num_queries", num_queries)
    num_keys = check_count("num_keys", num_keys)
    queries = np.arange(num_queries)[:, None] + (num_keys - num_queries)
    return np.arange(num_keys) <= queries


def sliding_window_mask(num_queries: int, num_keys: int, window: int) -> Mask:
    r"""Return the mask of a sliding window: :math:`|i + n_k - n_q - j| \le \mathrm{window}`.

    Parameters
    ----------
    num_queries, num_keys : int
        Aligned like `causal_mask`: the last query stands at the last key.
    window : int
        The number of keys visible on each side, beside the query's own position. (Longformer's
        ``attention_window`` counts both sides: it is twice this one.)

    Returns
    -------
    array of bool, shape (num_queries, num_keys)

    Raises
    ------
    ValueError, TypeError
        If a count is negative or not an integer.

    References
    ----------
    Beltagy, Peters and Cohan (2020), "Longformer: The Long-Document Transformer", section 3.1.

    Examples
    --------
    >>> sliding_window_mask(3, 4, window=1)
    array([[ True,  True,  True, False],
           [False,  True,  True,  True],
           [False, False,  True,  True]])
    """
    num_queries = check_count("num_queries", num_queries)
    num_keys = check_count("num_keys", num_keys)
    queries = np.arange(num_queries)[:, None] + (num_keys - num_queries)
    return np.abs(queries - np.arange(num_keys)) <= check_count("window", window)


def global_mask(num_tokens: int, global_tokens: ArrayLike) -> Mask:
    r"""Return the mask of global tokens: True where :math:`i` or :math:`j` is global.

    Parameters
    ----------
    num_tokens : int
        Queries and keys are the same tokens.
    global_tokens : array_like of int, shape (num_global,), or of bool, shape (..., num_tokens)
        Positions, each once, or a mark for each token.

    Returns
    -------
    array of bool, shape (..., num_tokens, num_tokens)
        Symmetric: a global token sees all tokens, and all see it. Combine it with a window by
        ``sliding_window_mask(n, n, window) | global_mask(n, tokens)``.

    Raises
    ------
    ValueError
        If a position is not among the tokens or there twice, or there is not one mark for each
        token.
    TypeError
        If ``global_tokens`` are neither integers nor booleans.

    References
    ----------
    Beltagy, Peters and Cohan (2020), section 3.1, "Global Attention".

    Examples
    --------
    >>> global_mask(4, [1])
    array([[False,  True, False, False],
           [ True,  True,  True,  True],
           [False,  True, False, False],
           [False,  True, False, False]])
    """
    num_tokens = check_count("num_tokens", num_tokens)
    marks = as_marks("global_tokens", global_tokens, num_tokens)
    return marks[..., :, None] | marks[..., None, :]
