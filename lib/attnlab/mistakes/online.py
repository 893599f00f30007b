"""Mistakes in the online softmax: a block of keys is added to what earlier blocks left."""

from __future__ import annotations

import numpy as np

from attnlab.mistakes.explanations import Array, Compute, Mistake, explained


def of_absorb(
    largest: Array, total: Array, sums: Array, scores: Array, values: Array
) -> dict[str, Mistake]:
    """Return what mistakes leave after one more block.

    Parameters
    ----------
    largest, total : array
        The largest score so far and the sum of the exponentials, shape (num_queries,).
    sums : array
        The sum of exponentials times values, shape (num_queries, d_v).
    scores, values : array
        The block, shapes (num_queries, block) and (block, d_v).

    Returns
    -------
    dict of str to Mistake
        Each computes largest, total and sums side by side, shape (num_queries, 2 + d_v).
    """
    block = scores.max(axis=1)
    new, every = np.maximum(largest, block), np.full_like(block, max(largest.max(), scores.max()))

    def after(new: Array, on_total: Array, on_sums: Array) -> Array:
        weights = np.exp(scores - _finite(new)[:, None])
        in_total = total * on_total + weights.sum(axis=1)
        return np.column_stack([new, in_total, sums * on_sums[:, None] + weights @ values])

    def factor(new: Array) -> Array:
        return np.asarray(np.exp(largest - _finite(new)))

    def right_but(column: slice, wrong: Array) -> Array:
        state = after(new, factor(new), factor(new))
        state[:, column] = wrong.reshape(len(state), -1)
        return state

    one, none = np.ones_like(total), np.zeros_like(total)
    weights = np.exp(scores)
    kept = np.column_stack([largest, total, sums])

    def shifted(by: Array, unit: Array = one) -> Array:
        """Rescale what came before, and shift this block's scores by something else."""
        state, weights = after(new, factor(new), factor(new)), np.exp(scores - by[:, None])
        right = np.exp(scores - _finite(new)[:, None])
        weights = weights * unit[:, None] - right
        return state + np.column_stack([none, weights.sum(axis=1), weights @ values])

    wrong: dict[str, Compute] = {}
    if scores.shape[1] > 1:  # one key is its own mean
        wrong["mean-of-blocks"] = lambda: kept + _averaged(after(block, none, none))
    if np.isfinite(largest).all():  # at the start there is no old maximum
        wrong["shifted-by-old-maximum"] = lambda: shifted(largest)
        wrong["factor-for-block"] = lambda: shifted(_finite(new), factor(new))
    return explained(
        {
            **wrong,
            "scores-not-shifted": lambda: shifted(none),
            "shifted-by-block-maximum": lambda: shifted(_finite(block)),
            "values-not-weighted": lambda: right_but(
                slice(2, None), sums * factor(new)[:, None] + values.sum(axis=0)
            ),
            "sums-not-rescaled": lambda: after(new, factor(new), one),
            "total-not-rescaled": lambda: after(new, one, factor(new)),
            "rescaled-backwards": lambda: after(new, 1 / factor(new), 1 / factor(new)),
            "never-rescaled": lambda: after(new, one, one),
            "block-maximum": lambda: after(block, factor(block), factor(block)),
            "largest-not-updated": lambda: right_but(slice(1), largest),
            "one-maximum-for-all": lambda: after(every, factor(every), factor(every)),
            "no-maximum": lambda: kept + _added(0, weights.sum(axis=1), weights @ values),
            "divided-each-time": lambda: _divided(after(new, factor(new), factor(new))),
            "counts-keys": lambda: right_but(slice(1, 2), total + scores.shape[1]),
            "last-block": lambda: after(block, none, none),
            "earlier-blocks-lost": lambda: after(new, none, none),
        }
    )


def _divided(state: Array) -> Array:
    divisor = np.where(state[:, 1:2] == 0, 1.0, state[:, 1:2])
    return np.column_stack([state[:, :2], state[:, 2:] / divisor])


def _added(largest: float, total: Array, sums: Array) -> Array:
    return np.column_stack([np.full_like(total, largest), total, sums])


def _averaged(alone: Array) -> Array:
    """Return what a block's own mean adds, as one more key."""
    return _added(0, np.ones(len(alone)), alone[:, 2:] / alone[:, 1:2])


def _finite(largest: Array) -> Array:
    return np.where(np.isfinite(largest), largest, 0.0)
