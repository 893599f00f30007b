r"""The fast path of attention in blocks: scores that are known to be small need no maximum.

Softmax subtracts the largest score of a row so that no exponential overflows. By Cauchy-Schwarz no
score exceeds :math:`|q_i|\,|k_j|`. Where that bound is small, exponentials of the scores
themselves are in range, and the pass over all scores that finds the maximum falls away.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import DTypeLike

from attn._arrays import Array

#: exp(40) is 2e17: in float32 a sum of 1e20 of them does not overflow, nor does exp(-40) vanish.
_LARGEST_SCORE = 40.0


def is_bounded(query: Array, key: Array, value: Array, scale: float) -> bool:
    """Return whether no score can exceed 40 in size, and all numbers are finite.

    Parameters
    ----------
    query : array, shape (..., num_queries, d_k)
    key : array, shape (..., num_keys, d_k)
    value : array, shape (..., num_keys, d_v)
    scale : float

    Returns
    -------
    bool
        False as well when NaN or inf is among the numbers, hidden or not.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        squares = [np.einsum("...d,...d->...", x, x).max(initial=0) for x in (query, key)]
        bounded = abs(scale) * np.sqrt(squares[0]) * np.sqrt(squares[1]) <= _LARGEST_SCORE
        return bool(bounded and np.isfinite(value.sum()))


class BoundedAttention:
    """What `attn.blockwise.attend_online` returns, for scores that `is_bounded`.

    One object serves all blocks of queries, and uses its memory again.

    Parameters
    ----------
    rows, columns : int
        The largest numbers of queries and of keys in a block.
    width : int
        d_v + 1.
    dtype : numpy dtype
    """

    def __init__(self, rows: int, columns: int, width: int, dtype: DTypeLike) -> None:
        # Fresh memory for each block costs a tenth of the time.
        self._weights = np.empty((rows, columns), dtype=dtype)
        self._sums, self._products = (np.empty((rows, width), dtype=dtype) for _ in range(2))

    def __call__(self, query: Array, blocks: Iterable[tuple[Array, Array, Array | None]]) -> Array:
        """Return the attention of scaled queries to the keys of all blocks.

        Parameters
        ----------
        query : array, shape (num_queries, d_k)
        blocks : iterable of (keys, values with ones, visible or None)

        Returns
        -------
        array, shape (num_queries, d_v)
        """
        rows = len(query)
        sums, products = self._sums[:rows], self._products[:rows]
        sums[...] = 0
        for keys, values, visible in blocks:
            weights = self._weights[:rows, : len(keys)]
            np.matmul(query, keys.T, out=weights)
            np.exp(weights, out=weights)
            if visible is not None:
                weights *= visible
            np.matmul(weights, values, out=products)
            sums += products
        return divide_by_ones(sums)


def divide_by_ones(sums: Array) -> Array:
    """Return the weighted means: sums of values over the sum of weights, their last column."""
    total = sums[:, -1:]
    return sums[:, :-1] / np.where(total == 0, 1, total)
