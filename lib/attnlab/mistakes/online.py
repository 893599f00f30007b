"""Compute mistakes in adding a block of keys to the online softmax of earlier blocks."""

from __future__ import annotations

from dataclasses import dataclass

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
    step = _Step(largest, total, sums, scores, values)
    return explained({**_wrong_factors(step), **_wrong_shifts(step), **_wrong_sums(step)})


@dataclass(frozen=True)
class _Step:
    """What earlier blocks left, and the block that comes."""

    largest: Array
    total: Array
    sums: Array
    scores: Array
    values: Array

    @property
    def block(self) -> Array:
        """The largest score of the block."""
        return np.asarray(self.scores.max(axis=1))

    @property
    def new(self) -> Array:
        """The largest score after the block."""
        return np.maximum(self.largest, self.block)

    def factor(self, new: Array) -> Array:
        return np.asarray(np.exp(self.largest - _finite(new)))

    def after(self, new: Array, on_total: Array, on_sums: Array) -> Array:
        """Return the state with this maximum and these factors on what came before."""
        weights = np.exp(self.scores - _finite(new)[:, None])
        in_total = self.total * on_total + weights.sum(axis=1)
        in_sums = self.sums * on_sums[:, None] + weights @ self.values
        return np.column_stack([new, in_total, in_sums])

    def with_maximum(self, new: Array) -> Array:
        return self.after(new, self.factor(new), self.factor(new))

    def right_but(self, column: slice, wrong: Array) -> Array:
        state = self.with_maximum(self.new)
        state[:, column] = wrong.reshape(len(state), -1)
        return state

    def with_weights(self, weights: Array) -> Array:
        """Rescale what came before rightly, and add the block with these weights."""
        factor = self.factor(self.new)
        in_sums = self.sums * factor[:, None] + weights @ self.values
        return np.column_stack([self.new, self.total * factor + weights.sum(axis=1), in_sums])


def _wrong_factors(step: _Step) -> dict[str, Compute]:
    new, factor, one = step.new, step.factor(step.new), np.ones_like(step.total)
    every = np.full_like(step.block, max(step.largest.max(), step.scores.max()))
    return {
        "sums-not-rescaled": lambda: step.after(new, factor, one),
        "total-not-rescaled": lambda: step.after(new, one, factor),
        "rescaled-backwards": lambda: step.after(new, 1 / factor, 1 / factor),
        "never-rescaled": lambda: step.after(new, one, one),
        "block-maximum": lambda: step.with_maximum(step.block),
        "largest-not-updated": lambda: step.right_but(slice(1), step.largest),
        "one-maximum-for-all": lambda: step.with_maximum(every),
    }


def _wrong_shifts(step: _Step) -> dict[str, Compute]:
    def shifted(by: Array) -> Array:
        return step.with_weights(np.exp(step.scores - by[:, None]))

    def twice() -> Array:
        right = np.exp(step.scores - step.new[:, None])
        return step.with_weights(right * step.factor(step.new)[:, None])

    wrong: dict[str, Compute] = {
        "scores-not-shifted": lambda: shifted(np.zeros_like(step.total)),
        "shifted-by-block-maximum": lambda: shifted(_finite(step.block)),
    }
    if np.isfinite(step.largest).all():  # at the start there is no old maximum
        wrong["shifted-by-old-maximum"] = lambda: shifted(step.largest)
        wrong["factor-for-block"] = twice
    return wrong


def _wrong_sums(step: _Step) -> dict[str, Compute]:
    none, factor = np.zeros_like(step.total), step.factor(step.new)
    kept = np.column_stack([step.largest, step.total, step.sums])
    weights = np.exp(step.scores)
    wrong: dict[str, Compute] = {}
    if step.scores.shape[1] > 1:  # one key is its own mean
        wrong["mean-of-blocks"] = lambda: kept + _averaged(step.after(step.block, none, none))
    return {
        **wrong,
        "no-maximum": lambda: kept + _added(0, weights.sum(axis=1), weights @ step.values),
        "divided-each-time": lambda: _divided(step.with_maximum(step.new)),
        "counts-keys": lambda: step.right_but(slice(1, 2), step.total + step.scores.shape[1]),
        "values-not-weighted": lambda: step.right_but(
            slice(2, None), step.sums * factor[:, None] + step.values.sum(axis=0)
        ),
        "last-block": lambda: step.after(step.block, none, none),
        "earlier-blocks-lost": lambda: step.after(step.new, none, none),
    }


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
