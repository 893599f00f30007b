"""Compute mean and variance of the score-function estimator, by enumeration and by draws.

A key c is drawn with probability p_c, the softmax of the scores, and costs L_c. Gradients are those
of the expected loss with respect to the scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def exact_gradient(weights: Floats, losses: Floats) -> Floats:
    r"""Return :math:`\partial / \partial s_j \sum_l p_l L_l = p_j (L_j - \sum_l p_l L_l)`.

    Parameters
    ----------
    weights : array, shape (num_keys,)
        The probability of each key.
    losses : array, shape (num_keys,)
        The loss if that key is drawn.

    Returns
    -------
    array, shape (num_keys,)

    Examples
    --------
    >>> exact_gradient(np.array([0.5, 0.5]), np.array([0.0, 1.0]))
    array([-0.25,  0.25])
    """
    return weights * (losses - weights @ losses)


def sampled_gradients(
    weights: Floats,
    losses: Floats,
    num_draws: int,
    rng: np.random.Generator,
    baseline: float = 0.0,
) -> Floats:
    r"""Return the score-function estimate :math:`(L_c - b)(e_c - p)` of each draw ``c``.

    Parameters
    ----------
    weights, losses : array, shape (num_keys,)
    num_draws : int
    rng : numpy.random.Generator
    baseline : float
        b, which leaves the mean as it is and changes the variance.

    Returns
    -------
    array, shape (num_draws, num_keys)
    """
    chosen = rng.choice(len(weights), size=num_draws, p=weights)
    return (losses[chosen] - baseline)[:, None] * (np.eye(len(weights))[chosen] - weights)


def variance(weights: Floats, losses: Floats, baseline: float = 0.0) -> float:
    """Return the variance of one draw's estimate, summed over the scores, by enumeration."""
    scores = np.eye(len(weights)) - weights  # row c: the gradient of log p_c
    squares = (losses - baseline) ** 2 * (scores**2).sum(axis=1)
    exact = exact_gradient(weights, losses)
    return float(weights @ squares - exact @ exact)


def draws_needed(
    weights: Floats, losses: Floats, baseline: float = 0.0, error: float = 0.1
) -> float:
    """Return how many draws bring the root mean square error to ``error`` of the gradient."""
    exact = exact_gradient(weights, losses)
    return variance(weights, losses, baseline) / (error**2 * float(exact @ exact))
