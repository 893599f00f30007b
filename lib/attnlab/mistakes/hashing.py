"""Compute mistakes in rounds of hashing: in the buckets, and in which keys a query meets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from attnlab.mistakes.explanations import Array, Mistake, explained

Mask = NDArray[np.bool_]


def of_buckets(x: Array, rotations: Array) -> dict[str, Mistake]:
    """Return what mistakes in the buckets give, shape (num_hashes, tokens).

    Parameters
    ----------
    x, rotations : array
        Shapes (tokens, d) and (num_hashes, d, num_buckets // 2).
    """
    rotated = x @ rotations
    half = rotated.shape[-1]

    def bucket(rotated: Array) -> Array:
        return np.asarray(np.concatenate([rotated, -rotated], axis=-1).argmax(axis=-1))

    return explained(
        {
            "no-negatives": lambda: rotated.argmax(axis=-1),
            "sign-forgotten": lambda: np.abs(rotated).argmax(axis=-1),
            "smallest-number": lambda: (bucket(rotated) + half) % (2 * half),
            "not-rotated": lambda: np.stack([bucket(x)] * len(rotations)),
            "signs-interleaved": lambda: (
                np.stack([rotated, -rotated], axis=-1)
                .reshape(*rotated.shape[:-1], -1)
                .argmax(axis=-1)
            ),
            "counts-from-one": lambda: bucket(rotated) + 1,
            "first-rotation-only": lambda: np.repeat(bucket(rotated)[:1], len(rotations), axis=0),
        }
    )


def of_visible(buckets: NDArray[np.integer], causal: bool) -> dict[str, Mistake]:
    """Return what mistakes give of who sees whom, shape (tokens, tokens).

    Parameters
    ----------
    buckets : array of int
        Shape (num_hashes, tokens).
    """
    shared = buckets[:, :, None] == buckets[:, None]  # (num_hashes, tokens, tokens)
    met = np.any(shared, axis=0)
    past = np.tril(met) if causal else met

    def finished(met: Mask) -> Mask:
        return _itself_last(np.tril(met) if causal else met)

    wrong: dict[str, Callable[[], Array]] = {
        "first-round-only": lambda: finished(shared[0]),
        "all-rounds": lambda: finished(shared.all(axis=0)),
        "across-rounds": lambda: finished(
            (buckets[:, None, :, None] == buckets[None, :, None]).any(axis=(0, 1))
        ),
        "itself-always": lambda: past | np.eye(len(past), dtype=bool),
        "itself-never": lambda: past & ~np.eye(len(past), dtype=bool),
    }
    if causal:  # without causality who sees whom is symmetric
        wrong["direction-of-looking"] = lambda: _itself_last(past).T
        wrong["no-mask"] = lambda: _itself_last(met)
        wrong["sees-only-future"] = lambda: _itself_last(np.triu(met))
        wrong["alone-before-the-mask"] = lambda: np.tril(_itself_last(met))
    return explained(wrong)


def _itself_last(met: Mask) -> Mask:
    seen = np.array(met, bool)
    np.fill_diagonal(seen, False)
    np.fill_diagonal(seen, ~seen.any(axis=1))
    return seen
