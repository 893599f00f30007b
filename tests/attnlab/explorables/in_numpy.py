"""What figures compute of their states, by `attn` and NumPy."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

import attn
from attn.axial import axial_indices
from attn.formulas import additive_scores
from attn.lsh_buckets import hash_buckets
from attnlab.experiments.scaling import jacobian_norm
from attnlab.explorables import (
    GradientDraws,
    LshCircle,
    Pipeline,
    Reach,
    ScoreFunctions,
    WindowMask,
)
from attnlab.models import score_function
from attnlab.models.numpy_continuer import random_numbers

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def pipeline(shown: Pipeline) -> tuple[Floats, Floats, Bools]:
    """Return output, weights and mask of a sentence."""
    known, tokens = dict(zip(shown.known, shown.vectors, strict=True)), shown.tokens()
    x = np.array([known.get(word, [0.0] * 5) for word in tokens])
    query, key, value = (x @ w for w in (shown.w_query, shown.w_key, shown.w_value))
    mask = np.tri(len(tokens), dtype=bool) | (not shown.is_causal)
    output, weights = attn.scaled_dot_product_attention(
        query, key, value, mask=mask, return_weights=True
    )
    return output, weights, mask


def scores_by(shown: ScoreFunctions) -> dict[str, Floats]:
    """Return the scores of every function, each of shape ``(num_keys,)``."""
    query, key = np.array([shown.query]), np.array(shown.key)
    dot = attn.dot_score(query, key)[0]
    lengths = np.linalg.norm(query) * np.linalg.norm(key, axis=1)
    hidden = query @ np.array(shown.w_query), key @ np.array(shown.w_key)
    return {
        "dot": dot,
        "scaled dot": attn.scaled_dot_score(query, key)[0],
        # A vector of length 0 has no direction; its cosine counts as 0.
        "cosine": np.divide(dot, lengths, out=np.zeros_like(dot), where=lengths > 0),
        "general": attn.general_score(query, key, shown.w_general)[0],
        "additive": additive_scores(*hidden, np.array(shown.w_score))[0],
    }


def saturated(draws: list[float], exponent: int) -> tuple[Floats, Floats]:
    """Return the weights without the scale and with it, and the norms of their Jacobians."""
    weights = attn.softmax(np.outer([np.sqrt(2.0**exponent), 1], draws))
    return weights, jacobian_norm(weights)


def windows(shown: WindowMask) -> tuple[Bools, Bools]:
    """Return the mask of one layer, and which tokens inform which after all layers."""
    count = shown.num_tokens
    mask = attn.sliding_window_mask(count, count, shown.window)
    mask = mask | attn.global_mask(count, np.array(shown.global_tokens, dtype=int))
    mask = mask & attn.causal_mask(count, count) if shown.is_causal else mask
    return mask, np.linalg.matrix_power(mask.astype(float), shown.num_layers) > 0


def sentence(shown: Reach) -> list[str]:
    """Return the tokens that are shown."""
    return [*shown.tokens[: 1 + 2 * shown.phrases], *shown.tokens[-2:]]


def cone(shown: Reach) -> Bools:
    """Return what informs the last word, shape ``(layers + 1, num_tokens)``; row 0 is words."""
    count = len(sentence(shown))
    mask = attn.causal_mask(count, count)
    if not shown.attention:
        mask = mask & attn.sliding_window_mask(count, count, shown.kernel - 1)
    rows = [np.arange(count) == count - 1]
    for _ in range(1 if shown.attention else shown.layers):
        rows.insert(0, mask[rows[0]].any(axis=0))
    return np.array(rows)


def met(shown: LshCircle, queries: Floats) -> tuple[NDArray[np.int_], Floats]:
    """Return in how many rounds each query meets each key, and its share of the four nearest."""

    def unit(degrees: Floats) -> Floats:
        return np.stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], axis=-1)

    axes = np.arange(shown.num_buckets // 2) * 360 / shown.num_buckets
    turns = np.array(shown.turns[: shown.num_rounds])[:, None] + axes  # (rounds, buckets / 2)
    rotations, angles = np.moveaxis(unit(turns), -1, 0)[None], np.array(shown.angles)
    own, keys = (
        hash_buckets(unit(of)[None], rotations, (shown.num_buckets,))[0] for of in (queries, angles)
    )
    meetings = (own[:, :, None] == keys[:, None, :]).sum(axis=0)
    apart = np.abs((queries[:, None] - angles + 180) % 360 - 180)
    nearest = np.argsort(apart, axis=1, kind="stable")[:, :4]
    return meetings, np.take_along_axis(meetings > 0, nearest, axis=1).mean(axis=1)


def axial(rows: int, columns: int, column_major: bool = False) -> list[tuple[int, int]]:
    """Return the row of the first and of the second table for each position."""
    order = "column_major" if column_major else "row_major"
    first, second = axial_indices((rows, columns), order, None)
    return [(int(a), int(b)) for a, b in zip(first, second, strict=True)]


def axial_parameters(rows: int, columns: int) -> int:
    """Return how many numbers two tables hold that make positions of width 64."""
    return attn.AxialPositions(shape=(rows, columns), dims=(32, 32), rng=0).num_parameters


class Draws:
    """The draws of a figure of gradients, and what is estimated from them."""

    def __init__(self, shown: GradientDraws) -> None:
        self.losses, self.baseline = np.array(shown.losses), shown.baseline
        self.count = shown.num_draws
        scores = np.where(np.arange(len(self.losses)) == np.argmin(self.losses), shown.score, 0.0)
        self.weights = attn.softmax(scores)
        self.exact = score_function.exact_gradient(self.weights, self.losses)
        cumulative = self.weights.cumsum()
        draws = np.fromiter(islice(random_numbers(shown.seed), self.count), float)
        self.chosen = np.searchsorted(cumulative, draws * cumulative[-1], side="right")

    def estimate(self) -> Floats:
        """Return the mean of the draws' estimates."""
        counts = np.bincount(self.chosen, minlength=len(self.losses))
        paid = counts * (self.losses - self.baseline) / self.count
        return paid - self.weights * paid.sum()

    def error(self) -> float:
        """Return how far these draws are from the gradient, as a share of its length."""
        return float(np.linalg.norm(self.estimate() - self.exact) / np.linalg.norm(self.exact))

    def standard_error(self) -> float:
        """Return the root mean square of `error` over all draws of this number."""
        given = (self.weights, self.losses, self.baseline)
        return float(np.sqrt(score_function.draws_needed(*given, error=1.0) / self.count))

    def deviations(self) -> Floats:
        """Return the standard deviation of one draw's estimate for each score."""
        paid = (self.losses - self.baseline)[:, None]
        estimates = paid * (np.eye(len(self.weights)) - self.weights)  # row c: if c is drawn
        variances = self.weights @ estimates**2 - (self.weights @ estimates) ** 2
        return np.sqrt(np.maximum(variances, 0))
