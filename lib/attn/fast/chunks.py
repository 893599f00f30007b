"""LSH attention in chunks of sorted tokens, each with the one before.

The rounds need no merging of their own: the sums over all rounds of exponentials, and of
exponentials times values, are what the softmax over their logsumexp makes of them.
"""

from __future__ import annotations

import numpy as np

from attn._types import Array
from attn.formulas import weighted_sum
from attn.lsh_buckets import HashedTokens

#: Chunks that are computed at once: their scores stay in the cache.
_GROUP = 1 << 17
_LARGEST_SCORE = 40.0


def attend_in_chunks(tokens: HashedTokens, causal: bool) -> Array:
    """Return what `attn.lsh.attend_in_full` returns, up to rounding.

    Parameters
    ----------
    tokens : HashedTokens
    causal : bool

    Returns
    -------
    array, shape (..., heads, padded, d_v)
    """
    output = np.empty_like(tokens.value)
    if not output.size:
        return output
    for index in np.ndindex(*tokens.query.shape[:-2]):
        one = tokens.of(index)
        output[index] = _attend(one, causal)
    return output


def _attend(tokens: HashedTokens, causal: bool) -> Array:
    values = _with_ones(tokens.value)
    sums = np.zeros_like(values)
    largest = np.full(len(values), -np.inf, dtype=values.dtype)
    # Keys have length 1, so no score exceeds the length of its query.
    lengths = np.einsum("td,td->t", tokens.query, tokens.query)
    with np.errstate(invalid="ignore"):
        bounded = bool(lengths.max() <= _LARGEST_SCORE**2 and np.isfinite(values.sum()))
    chunks = tokens.order.reshape(-1, tokens.chunk_length)  # one ring across all rounds
    before = np.roll(chunks, 1, axis=0)
    per_round = len(chunks) // len(tokens.order)
    group = max(1, _GROUP // (2 * tokens.chunk_length**2))
    for first in range(0, len(chunks), per_round):  # in a round, each token is a query once
        for start in range(first, first + per_round, group):
            rows = slice(start, min(start + group, first + per_round))
            queries = chunks[rows]  # (chunks, chunk_length)
            keys = np.concatenate([before[rows], queries], axis=1)  # (chunks, 2 * chunk_length)
            _add(tokens, values, queries, keys, causal, sums, None if bounded else largest)
    return _divide(sums, tokens)


def _add(
    tokens: HashedTokens,
    values: Array,
    queries: Array,
    keys: Array,
    causal: bool,
    sums: Array,
    largest: Array | None,
) -> None:
    """Add to the sums of each query what it sees in one round."""
    visible = keys[:, None, :] != queries[:, :, None]  # (chunks, chunk_length, 2 * chunk_length)
    if causal:
        visible &= keys[:, None, :] < queries[:, :, None]
    if not tokens.real.all():
        visible &= tokens.real[keys][:, None, :]
    scores = tokens.query[queries] @ tokens.key[keys].swapaxes(-1, -2)
    if largest is None:
        np.exp(scores, out=scores)
        scores *= visible
        sums[queries] += scores @ values[keys]
        return
    scores = np.where(visible, scores, scores.dtype.type(-np.inf))
    with np.errstate(invalid="ignore"):
        top = np.maximum(largest[queries], scores.max(axis=-1))
        shift = np.where(np.isneginf(top), 0, top)
        new = weighted_sum(np.exp(scores - shift[..., None]), values[keys], visible)
        sums[queries] = sums[queries] * np.exp(largest[queries] - shift)[..., None] + new
        largest[queries] = top


def _divide(sums: Array, tokens: HashedTokens) -> Array:
    total = sums[:, -1:]
    # A token that saw nothing else sees itself.
    return np.where(total == 0, tokens.value, sums[:, :-1] / np.where(total == 0, 1, total))


def _with_ones(value: Array) -> Array:
    """Return ``value`` with a column of ones, whose weighted sum is the sum of the weights."""
    extended = np.empty((value.shape[0], value.shape[1] + 1), dtype=value.dtype)
    extended[:, :-1], extended[:, -1] = value, 1
    return extended
