"""The additive score: a small network that compares a query with a key."""

from __future__ import annotations

from typing import Any

import numpy as np

from attn._arguments import check_count, layer_inputs, leading_axes
from attn._door import enter_layer
from attn._layers import arguments_of, glorot
from attn._types import Array, ArrayLike, DTypeLike
from attn.multi_head import project


class AdditiveScore:
    r"""The additive score, :math:`s_{ij} = v^\top \tanh(W_q^\top q_i + W_k^\top k_j)`.

    Called like a score function, and given to `attention_weights` as ``score=``.

    Parameters
    ----------
    d_query, d_key : int
        Widths of queries and keys; they may differ.
    d_hidden : int
        Width of the space in which they are compared.
    rng : None, int or numpy.random.Generator
        Draws the weights: uniform with variance 2 / (rows + columns).
    dtype : numpy dtype
        Type of the parameters.

    Attributes
    ----------
    w_query : array, shape (d_query, d_hidden)
    w_key : array, shape (d_key, d_hidden)
    w_score : array, shape (d_hidden,)
        v. It bounds the score: at most the sum of its absolute values.

    Raises
    ------
    ValueError, TypeError
        If a width is not a positive integer.

    References
    ----------
    Bahdanau, Cho and Bengio (2015), "Neural Machine Translation by Jointly Learning to Align and
    Translate", section 3.1 and appendix A.1.2: :math:`W_a` is our :math:`W_q^\top`, :math:`U_a` our
    :math:`W_k^\top`.

    Examples
    --------
    >>> import numpy as np
    >>> score = AdditiveScore(d_query=5, d_key=7, d_hidden=3, rng=0)
    >>> score(np.ones((2, 4, 5)), np.ones((2, 6, 7))).shape
    (2, 4, 6)
    """

    def __init__(
        self,
        d_query: int,
        d_key: int,
        d_hidden: int,
        rng: int | np.random.Generator | None = None,
        *,
        dtype: DTypeLike = np.float32,
    ) -> None:
        self.d_query = check_count("d_query", d_query, 1)
        self.d_key = check_count("d_key", d_key, 1)
        self.d_hidden = check_count("d_hidden", d_hidden, 1)
        rng = np.random.default_rng(rng)
        self.w_query = glorot(rng, self.d_query, self.d_hidden, dtype)
        self.w_key = glorot(rng, self.d_key, self.d_hidden, dtype)
        self.w_score = glorot(rng, self.d_hidden, 1, dtype)[:, 0]

    def __repr__(self) -> str:
        """Return the class and its widths."""
        return f"AdditiveScore({arguments_of(self, 'd_query', 'd_key', 'd_hidden')})"

    def __call__(self, query: ArrayLike, key: ArrayLike) -> Array:
        """Return the score of each query with each key.

        Parameters
        ----------
        query : array_like, shape (..., num_queries, d_query)
        key : array_like, shape (..., num_keys, d_key)
            Leading axes broadcast.

        Returns
        -------
        array, shape (..., num_queries, num_keys), in the type of query and key
            Computed in blocks: the memory beside the result does not grow with its size.

        Raises
        ------
        ValueError
            If a width is not that of its matrix, or the leading axes do not broadcast.
        """
        result: Array = additive_scores(self, query, key)
        return result

    def parameters(self) -> dict[str, Array]:
        """Return the parameters by name, without copying."""
        return {name: p for name, p in vars(self).items() if isinstance(p, np.ndarray)}


def additive_scores(layer: Any, query: Any, key: Any) -> Any:
    """Return what a layer of either framework does."""
    door, (query, key) = enter_layer(layer, 0, query=query, key=key)
    layer_inputs(query, key, None, (layer.d_query, layer.d_key, layer.d_key))
    leading_axes(query=query, key=key)
    hidden = project(door, layer, "query", query), project(door, layer, "key", key)
    w_score = door.floats("w_score", layer.w_score)
    return door.leave(door.framework.fast.additive_scores(*hidden, w_score))
