r"""Attention in blocks without a maximum, for scores that are known to be small.

Softmax subtracts the largest score of a row so that no exponential overflows. By Cauchy-Schwarz no
score exceeds :math:`|q_i|\,|k_j|`. Where that bound is small, exponentials of the scores
themselves are in range, and the pass over all scores that finds the maximum falls away.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import DTypeLike

from attn._types import Array
from attn.fast.blocks import Block

#: exp(40) is 2e17: in float32 a sum of 1e20 of them does not overflow, nor does exp(-40) vanish.
_LARGEST_SCORE = 40.0


def needs_no_max(query: Array, key: Array, value: Array, scale: float) -> bool:
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


class NoMaxAttention:
    """What `attn.fast.blocks.attend_online` returns, for scores that `needs_no_max`.

    One object serves all blocks of queries, and uses its memory again: fresh memory for each
    block would cost a tenth of the time.

    Parameters
    ----------
    rows, columns : int
        The largest numbers of queries and of keys in a block.
    d_v : int
    dtype : numpy dtype
    """

    def __init__(self, rows: int, columns: int, d_v: int, dtype: DTypeLike) -> None:
        self._weights = np.empty(rows * columns, dtype=dtype)
        self._sums, self._products = (np.empty((rows, d_v), dtype=dtype) for _ in range(2))
        self._ones = np.ones((columns, 1), dtype=dtype)

    def __call__(self, query: Array, blocks: Iterable[Block]) -> Array:
        """Return the attention of scaled queries to the keys of all blocks.

        Parameters
        ----------
        query : array, shape (num_queries, d_k)
        blocks : iterable of Block

        Returns
        -------
        array, shape (num_queries, d_v)
        """
        sums, products = self._sums[: len(query)], self._products[: len(query)]
        totals = np.zeros((len(query), 1), dtype=query.dtype)
        sums[...] = 0
        for key, value, visible, first in blocks:
            weights = self._block(len(query) - first, len(key))
            np.matmul(query[first:], key.T, out=weights)  # scores
            np.exp(weights, out=weights)
            if visible is not None:
                weights[: len(visible)] *= visible
            sums[first:] += np.matmul(weights, value, out=products[first:])
            totals[first:] += weights @ self._ones[: len(key)]  # a product is faster than a sum
        return sums / np.where(totals == 0, 1, totals)

    def _block(self, rows: int, columns: int) -> Array:
        # Contiguous whatever its shape: a narrow view of wide rows would be slower.
        return self._weights[: rows * columns].reshape(rows, columns)
