"""Locality-sensitive hashing: the buckets of tokens, and the order that brings them together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attn._arguments import as_float, check_count
from attn._types import Array


class HashedTokens(NamedTuple):
    """The arrays that LSH attention computes with, for tokens padded to whole chunks."""

    query: Array  # (..., heads, padded, d)
    key: Array  # (..., heads, padded, d): queries divided by their length
    value: Array  # (..., heads, padded, d_v)
    real: Array  # (..., heads, padded), bool
    order: Array  # (..., heads, num_hashes, padded): tokens as sorted in each round
    chunk_length: int

    def of(self, index: tuple[int, ...]) -> HashedTokens:
        """Return those of one head of one sequence."""
        parts = (self.query, self.key, self.value, self.real, self.order)
        query, key, value, real, order = (part[index] for part in parts)
        return HashedTokens(query, key, value, real, order, self.chunk_length)


def bucket_factors(num_buckets: int | Sequence[int]) -> tuple[int, ...]:
    """Return the factors of the number of buckets, or raise ValueError unless all are even."""
    sizes = num_buckets if isinstance(num_buckets, Sequence | np.ndarray) else [num_buckets]
    factors = tuple(check_count("num_buckets", factor, 2) for factor in sizes)
    if not factors or any(factor % 2 for factor in factors):
        raise ValueError(f"num_buckets is {num_buckets}; expected even numbers: r and -r are two")
    return factors


def make_rotations(
    rotations: ArrayLike | None,
    shape: tuple[int, int, int, int],
    rng: int | np.random.Generator | None,
) -> Array:
    """Return ``rotations``, or standard normal ones of ``shape``.

    ``shape`` is (heads, d, num_hashes, sum of factors // 2).
    """
    if rotations is None:
        return np.random.default_rng(rng).normal(size=shape)
    array = as_float("rotations", rotations)
    if array.shape != shape:
        raise ValueError(
            f"rotations has shape {array.shape}; expected {shape}: heads, d, num_hashes, and half "
            "the sum of the factors of num_buckets"
        )
    return array


def hash_buckets(x: Array, rotations: Array, factors: tuple[int, ...]) -> Array:
    r"""Return the bucket of each token in each round: :math:`\arg\max [xR, -xR]`.

    Parameters
    ----------
    x : array, shape (..., heads, tokens, d)
    rotations : array, shape (heads, d, num_hashes, sum of factors // 2)
    factors : tuple of int
        The digits of a bucket, the least significant first, each with its own part of R.

    Returns
    -------
    array of int, shape (..., heads, num_hashes, tokens)

    References
    ----------
    Andoni et al. (2015), "Practical and Optimal LSH for Angular Distance", which Reformer uses.
    """
    num_hashes = rotations.shape[2]
    buckets = np.zeros((*x.shape[:-2], num_hashes, x.shape[-2]), dtype=np.int64)
    for round_ in range(num_hashes):
        start, place = 0, 1
        for factor in factors:
            part = rotations[:, :, round_, start : start + factor // 2]  # (heads, d, factor // 2)
            buckets[..., round_, :] += place * _signed_argmax(x @ part.astype(x.dtype))
            start, place = start + factor // 2, place * factor
    return buckets


def _signed_argmax(rotated: Array) -> Array:
    """Return the argmax of ``rotated`` beside its negative, without making the negative."""
    half = rotated.shape[-1]
    top, bottom = rotated.argmax(axis=-1), rotated.argmin(axis=-1)
    largest = np.take_along_axis(rotated, top[..., None], axis=-1)[..., 0]
    smallest = np.take_along_axis(rotated, bottom[..., None], axis=-1)[..., 0]
    return np.where(largest >= -smallest, top, half + bottom)


def sorted_tokens(buckets: Array, real: Array, factors: tuple[int, ...]) -> Array:
    """Return the tokens of each round in the order of their buckets; padding comes last.

    Equal buckets keep the order of the tokens. The shape is that of ``buckets``.
    """
    last = math.prod(factors)
    keys = np.where(real[..., None, :], buckets, last)
    # A stable sort of 16-bit integers is a radix sort, linear in the tokens.
    small = keys.astype(np.uint16) if last < 2**16 else keys
    # 32 bits, because whole arrays of them are compared later.
    return np.argsort(small, axis=-1, kind="stable").astype(np.int32)
