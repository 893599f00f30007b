"""Make texts of names and values: a name that comes again keeps its value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NUM_NAMES = 16
NUM_VALUES = 16
#: Names are words 0 to 15, values 16 to 31.
NUM_WORDS = NUM_NAMES + NUM_VALUES


class Bindings(NamedTuple):
    """Texts, and how far back each value can be looked up.

    ``tokens``, (batch, num_tokens): names at even places, each before its value. ``distances``,
    (batch, num_tokens): at a name, how many tokens ago its value was written last; 0 at values, and
    at a name that is new.
    """

    tokens: NDArray[np.int64]
    distances: NDArray[np.int64]


def draw(rng: np.random.Generator, batch: int, num_tokens: int) -> Bindings:
    """Return random texts; each has values of its own, which only the text itself tells.

    Examples
    --------
    >>> text = draw(np.random.default_rng(7), 1, 8)
    >>> text.tokens
    array([[15, 30, 10, 30, 10, 30, 12, 25]])
    >>> text.distances
    array([[0, 0, 0, 0, 1, 0, 0, 0]])
    """
    num_pairs = -(-num_tokens // 2)
    names = rng.integers(NUM_NAMES, size=(batch, num_pairs))
    value_of = rng.integers(NUM_NAMES, NUM_WORDS, size=(batch, NUM_NAMES))
    values = np.take_along_axis(value_of, names, axis=1)
    tokens = np.stack([names, values], axis=2).reshape(batch, -1)[:, :num_tokens]
    same = (names[:, :, None] == names[:, None, :]) & np.tri(num_pairs, k=-1, dtype=bool)
    last = np.where(same, np.arange(num_pairs), -1).max(axis=2)  # (batch, num_pairs)
    back = np.where(last < 0, 0, 2 * (np.arange(num_pairs) - last) - 1)
    distances = np.zeros((batch, 2 * num_pairs), dtype=np.int64)
    distances[:, ::2] = back
    return Bindings(tokens, distances[:, :num_tokens])
