"""LSH attention: tokens attend to those that fall into the same bucket, or near it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from attn import fast
from attn._arguments import Array, as_floats, check_count, check_tokens, leading_axes
from attn._hints import explain_torch_names
from attn._tokens import token_marks
from attn.formulas import softmax, unit_length, weighted_sum
from attn.lsh_buckets import (
    HashedTokens,
    bucket_factors,
    hash_buckets,
    make_rotations,
    sorted_tokens,
)
from attn.masks import causal_mask


@explain_torch_names
def lsh_attention(
    query_key: ArrayLike,
    value: ArrayLike,
    *,
    num_buckets: int | Sequence[int],
    num_hashes: int,
    chunk_length: int,
    rng: int | np.random.Generator | None = None,
    rotations: ArrayLike | None = None,
    is_causal: bool = False,
    mask: ArrayLike | None = None,
) -> Array:
    r"""Return attention of each token to tokens that hash alike in one of several rounds.

    Queries and keys are the same vectors. In each round a random rotation puts similar vectors
    into the same bucket; the tokens, sorted by bucket, are cut into chunks, and each token sees
    its chunk and the one before. The score is :math:`s_{ij} = x_i \cdot x_j / |x_j|`. With
    :math:`N_{ij}` the number of times that i saw j, over all rounds,

    .. math:: o_i = \sum_j N_{ij}\, e^{s_{ij}} v_j \Big/ \sum_j N_{ij}\, e^{s_{ij}},

    which equals weighting the rounds by the softmax of their logsumexp. A token sees itself
    only if it sees nothing else. `quadratic_lsh_attention` is this formula; this function's
    time and memory grow with tokens times rounds.

    Parameters
    ----------
    query_key : array_like, shape (..., heads, tokens, d)
        With two axes, there is one head.
    value : array_like, shape (..., heads, tokens, d_v)
    num_buckets : int or sequence of int
        Even. Of factors, their product is the number of buckets, and hashing costs their sum.
    num_hashes : int
        Number of rounds.
    chunk_length : int
        Tokens are padded to a multiple of it.
    rng : None, int or numpy.random.Generator
        Draws the rotations, if they are not given.
    rotations : array_like, shape (heads, d, num_hashes, sum of factors // 2), optional
        Standard normal numbers.
    is_causal : bool
        Hide the future: no weight goes to a later token. The bucket of a later token still shifts
        the borders of the chunks, and so changes which earlier keys a token meets.
    mask : array_like of bool, shape (batch, tokens) or as `padding_mask` gives, optional
        True for real tokens. What others hold changes nothing, and their output is zero.

    Returns
    -------
    array, shape (..., heads, tokens, d_v)
        In the type of query_key and value.

    Raises
    ------
    ValueError
        If a number of buckets is not even and positive, or shapes do not fit.

    References
    ----------
    Kitaev, Kaiser and Levskaya (2020), "Reformer: The Efficient Transformer", section 2. As in the
    implementation in Hugging Face transformers, the chunks of all rounds form one ring, and a
    token met twice counts twice.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).normal(size=(2, 3, 32, 8))
    >>> lsh_attention(x, x, num_buckets=4, num_hashes=2, chunk_length=8, rng=0).shape
    (2, 3, 32, 8)
    """
    tokens = hash_tokens(
        query_key, value, num_buckets, num_hashes, chunk_length, rng, rotations, mask
    )
    return _unpad(fast.lsh_attention(tokens, is_causal), tokens, query_key, value)


def quadratic_lsh_attention(
    query_key: ArrayLike,
    value: ArrayLike,
    *,
    num_buckets: int | Sequence[int],
    num_hashes: int,
    chunk_length: int,
    rng: int | np.random.Generator | None = None,
    rotations: ArrayLike | None = None,
    is_causal: bool = False,
    mask: ArrayLike | None = None,
) -> Array:
    """Return what `lsh_attention` returns, as its formula reads, with all pairs of tokens.

    Parameters, returns and errors are those of `lsh_attention`.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).normal(size=(32, 8))
    >>> quadratic_lsh_attention(x, x, num_buckets=4, num_hashes=2, chunk_length=8, rng=0).shape
    (32, 8)
    """
    tokens = hash_tokens(
        query_key, value, num_buckets, num_hashes, chunk_length, rng, rotations, mask
    )
    return _unpad(attend_in_full(tokens, is_causal), tokens, query_key, value)


def attend_in_full(tokens: HashedTokens, is_causal: bool) -> Array:
    """Return the outputs of all tokens, from how often each saw each.

    Parameters
    ----------
    tokens : HashedTokens
    is_causal : bool

    Returns
    -------
    array, shape (..., heads, padded, d_v)
    """
    counts = times_seen(tokens)  # (..., heads, padded, padded)
    visible = (counts > 0) & tokens.real[..., None, :]
    if is_causal:
        visible &= causal_mask(*visible.shape[-2:])
    itself = np.eye(visible.shape[-1], dtype=bool)
    others = visible & ~itself
    visible = np.where(others.any(axis=-1, keepdims=True), others, visible & itself)
    with np.errstate(invalid="ignore", over="ignore"):
        scores = tokens.query @ tokens.key.mT  # (..., heads, padded, padded)
        scores = scores + np.log(np.maximum(counts, 1)).astype(scores.dtype)
        weights = softmax(np.where(visible, scores, -np.inf))
        return weighted_sum(weights, tokens.value, visible)


def times_seen(tokens: HashedTokens) -> Array:
    """Return in how many chunks each token met each other, (..., heads, padded, padded)."""
    length, padded = tokens.chunk_length, tokens.value.shape[-2]
    counts = np.zeros((*tokens.value.shape[:-1], padded), dtype=np.int64)
    for index in np.ndindex(*tokens.value.shape[:-2]):
        ring = tokens.order[index].reshape(-1, length)  # (chunks of all rounds, chunk_length)
        for chunk, before in zip(ring, np.roll(ring, 1, axis=0), strict=True):
            for keys in (chunk, before):
                counts[index][np.ix_(chunk, keys)] += 1
    return counts


def hash_tokens(
    query_key: ArrayLike,
    value: ArrayLike,
    num_buckets: int | Sequence[int],
    num_hashes: int,
    chunk_length: int,
    rng: int | np.random.Generator | None,
    rotations: ArrayLike | None,
    mask: ArrayLike | None,
) -> HashedTokens:
    """Return the tokens padded to whole chunks, with the order of each round."""
    (x, values), _ = as_floats(query_key=query_key, value=value)
    check_tokens(x, values)
    x, values = (part[None] if part.ndim == 2 else part for part in (x, values))
    length, count = check_count("chunk_length", chunk_length, 1), x.shape[-2]
    leading = leading_axes(query_key=x, value=values)
    marks = np.ones(count, dtype=bool)
    if mask is not None:
        marks = token_marks("mask", mask, leading, count)
    real = _padded(np.broadcast_to(marks, (*leading, count))[..., None], length)[..., 0]
    x, values = (np.broadcast_to(part, leading + part.shape[-2:]) for part in (x, values))
    x, values = (np.where(real[..., None], _padded(p, length), 0) for p in (x, values))
    factors, rounds = bucket_factors(num_buckets), check_count("num_hashes", num_hashes, 1)
    sizes = (x.shape[-3], x.shape[-1], rounds, sum(factors) // 2)
    buckets = hash_buckets(x, make_rotations(rotations, sizes, rng), factors)
    order = sorted_tokens(buckets, real, factors)
    with np.errstate(invalid="ignore", over="ignore"):
        return HashedTokens(x, unit_length(x), values, real, order, length)


def _padded(x: Array, length: int) -> Array:
    """Return ``x``, (..., tokens, features), with zeros up to a multiple of ``length`` tokens."""
    missing = -x.shape[-2] % length
    return np.pad(x, [(0, 0)] * (x.ndim - 2) + [(0, missing), (0, 0)])


def _unpad(output: Array, tokens: HashedTokens, query_key: ArrayLike, value: ArrayLike) -> Array:
    shown = np.where(tokens.real[..., None], output, output.dtype.type(0))
    shown = shown[..., : np.shape(value)[-2], :]
    (_, _), result = as_floats(query_key=query_key, value=value)
    unbatched = np.ndim(query_key) == 2 and np.ndim(value) == 2
    return (shown[0] if unbatched else shown).astype(result, copy=False)
