"""Additive scores, and the Gaussian that weights are multiplied with."""

from __future__ import annotations

from attn.formulas.namespace import Numbers, namespace


def additive_scores(hidden_query: Numbers, hidden_key: Numbers, w_score: Numbers) -> Numbers:
    r"""Return :math:`v^\top \tanh(a_i + b_j)`, with an array d_hidden times as large on the way.

    Parameters
    ----------
    hidden_query : array or tensor, shape (..., num_queries, d_hidden)
    hidden_key : array or tensor, shape (..., num_keys, d_hidden)
    w_score : array or tensor, shape (d_hidden,)

    Returns
    -------
    array or tensor, shape (..., num_queries, num_keys)

    Examples
    --------
    >>> import numpy as np
    >>> additive_scores(np.zeros((4, 3)), np.zeros((6, 3)), np.ones(3)).shape
    (4, 6)
    """
    pairs = hidden_query[..., :, None, :] + hidden_key[..., None, :, :]
    return namespace(pairs).tanh(pairs) @ w_score  # (..., num_queries, num_keys)


def gaussian(distance: Numbers, sigma: float) -> Numbers:
    r"""Return :math:`e^{-d^2 / 2 \sigma^2}` for each distance."""
    return namespace(distance).exp(-0.5 * (distance / sigma) ** 2)
