"""Mistakes in rounds of hashing: in the buckets, and in who meets whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


def of_visible(
    buckets: NDArray[np.integer], chunk_length: int, is_causal: bool
) -> dict[str, Mistake]:
    """Return what mistakes give of who sees whom, shape (tokens, tokens).

    Parameters
    ----------
    buckets : array of int
        Shape (num_hashes, tokens).
    """
    order = np.argsort(buckets, axis=-1, kind="stable")
    met = _wrong_meetings(buckets, order, chunk_length)
    right = _met(order.reshape(-1, chunk_length), buckets.shape[1], (0, 1), 0)

    def finished(met: Callable[[], Array]) -> Callable[[], Array]:
        return lambda: _itself_last(np.tril(met()) if is_causal else met())

    wrong: dict[str, Callable[[], Array]] = {id: finished(compute) for id, compute in met.items()}
    visible = np.tril(right) if is_causal else right
    wrong["itself-always"] = lambda: visible | np.eye(len(visible), dtype=bool)
    wrong["itself-never"] = lambda: visible & ~np.eye(len(visible), dtype=bool)
    if is_causal:  # without causality the transpose looks at the chunk after
        wrong["direction-of-looking"] = lambda: _itself_last(visible).T
        wrong["no-mask"] = lambda: _itself_last(right)
        wrong["sees-only-future"] = lambda: _itself_last(np.triu(right))
        wrong["causal-in-sorted-order"] = lambda: _itself_last(
            _causal_in_order(order, chunk_length)
        )
    return explained(wrong)


def _wrong_meetings(
    buckets: NDArray[np.integer], order: Array, chunk_length: int
) -> dict[str, Callable[[], Array]]:
    """Return what mistakes give of who meets whom, before causality and the token itself."""
    text = np.broadcast_to(np.arange(buckets.shape[1]), buckets.shape)
    per_round = buckets.shape[1] // chunk_length

    def seen(order: Array, back: Sequence[int] = (0, 1), ring: int | None = 0) -> Mask:
        return _met(order.reshape(-1, chunk_length), buckets.shape[1], back, ring)

    def rounds(ring: bool) -> list[Mask]:
        if ring:
            return [seen(row) for row in order]
        chunks = order.reshape(-1, chunk_length)
        starts = range(0, len(chunks), per_round)
        return [_met(chunks, buckets.shape[1], (0, 1), 0, range(s, s + per_round)) for s in starts]

    return {
        "no-look-back": lambda: seen(order, back=(0,)),
        "not-its-own-chunk": lambda: seen(order, back=(1,)),
        "looks-forward": lambda: seen(order, back=(0, -1)),
        "looks-both-ways": lambda: seen(order, back=(0, 1, -1)),
        "no-ring": lambda: seen(order, ring=None),
        "ring-per-round": lambda: np.any(rounds(ring=True), axis=0),
        "unsorted": lambda: seen(text),
        "unstable-sort": lambda: seen(np.argsort(buckets, axis=-1)),
        "places-for-tokens": lambda: seen(np.argsort(order, axis=-1)),
        "largest-bucket-first": lambda: seen(np.argsort(-buckets, axis=-1, kind="stable")),
        "same-bucket-only": lambda: (
            seen(order) & (buckets[:, :, None] == buckets[:, None]).any(axis=0)
        ),
        "bucket-only": lambda: (buckets[:, :, None] == buckets[:, None]).any(axis=0),
        "first-round-only": lambda: seen(order[:1]),
        "all-rounds": lambda: np.all(rounds(ring=True), axis=0),
        "every-round": lambda: np.all(rounds(ring=False), axis=0),
        "chunk-count": lambda: _met(
            order.reshape(len(order) * chunk_length, -1), buckets.shape[1], (0, 1), 0
        ),
    }


def _met(
    chunks: Array,
    tokens: int,
    back: Sequence[int],
    ring: int | None,
    numbers: range | None = None,
) -> Mask:
    """Return which token meets which; without a ``ring`` the first chunk has none before it."""
    met = np.zeros((tokens, tokens), dtype=bool)
    for number in numbers or range(len(chunks)):
        for step in back:
            if ring is not None or 0 <= number - step < len(chunks):
                met[np.ix_(chunks[number], chunks[(number - step) % len(chunks)])] = True
    return met


def _causal_in_order(order: Array, chunk_length: int) -> Mask:
    """Return who meets whom where "later" is taken of the sorted row of all rounds."""
    row, tokens = order.reshape(-1), order.shape[1]
    chunk = np.arange(len(row)) // chunk_length
    met = np.zeros((tokens, tokens), dtype=bool)
    for place, token in enumerate(row):
        near = (chunk[place] - chunk) % (chunk[-1] + 1) <= 1
        met[token, row[near & (np.arange(len(row)) <= place)]] = True
    return met


def _itself_last(met: Array) -> Mask:
    seen = np.array(met, bool)
    np.fill_diagonal(seen, False)
    np.fill_diagonal(seen, ~seen.any(axis=1))
    return seen
