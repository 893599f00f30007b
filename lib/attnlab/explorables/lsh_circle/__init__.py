"""Locality-sensitive hashing on the unit circle: what a query meets, and what that costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from attn.lsh_buckets import hash_buckets
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

_NEAREST = 4


# 24 directions at random, at least 6 degrees apart, and the rotations of 8 rounds.
_ANGLES = [
    12, 30, 44, 51, 73, 89, 98, 112, 118, 137, 145, 152,
    162, 170, 184, 197, 231, 271, 283, 296, 312, 325, 342, 351,
]  # fmt: skip
_TURNS = [180, 94, 7, 270, 22, 100, 179, 174]


def _degrees(name: str, value: Any) -> list[int]:
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) == 0:
        raise ValueError(f"{name} is {value!r}; expected a list of whole degrees, 0 to 359")
    degrees = [fields.count(name, x) for x in value]
    if max(degrees) > 359:
        raise ValueError(f"{name} has {max(degrees)}; expected whole degrees, 0 to 359")
    return degrees


class LshCircle(Explorable):
    """Keys on the unit circle in buckets of directions, and a query that looks for the nearest.

    In each round the bucket is the nearest of ``num_buckets`` axes at equal angles, turned by that
    round's rotation: the largest number of ``[xR, -xR]``, as in `attn.lsh_attention`.

    Parameters
    ----------
    query
        Its direction, in whole degrees.
    num_buckets
        An even number from 4 to 16.
    num_rounds
        How many of the rounds count, at least 1.
    angles
        The directions of the keys, in whole degrees.
    turns
        The rotation of each round, in whole degrees.
    task, answers
        As in every explorable; the default answer is ``["num_buckets", "num_rounds"]``.

    Raises
    ------
    ValueError
        If a direction, the buckets or the rounds are out of range.

    Examples
    --------
    >>> LshCircle(num_buckets=4, num_rounds=1).mean()[1]  # a quarter of 24 keys
    6.0
    """

    _esm = bundle("lsh_circle")
    element = "attn-lsh-circle"
    names = ("query", "num_buckets", "num_rounds", "angles", "turns")
    answer_names = ("num_buckets", "num_rounds")

    query = field(fields.count, 40)
    num_buckets = field(fields.count, 8)
    num_rounds = field(fields.count, 1)
    angles = field(_degrees, _ANGLES)
    turns = field(_degrees, _TURNS)

    def check(self) -> None:
        """Raise ValueError unless the query, the buckets and the rounds are in range."""
        if self.query > 359:
            raise ValueError(f"query is {self.query}; expected a direction, 0 to 359 degrees")
        if self.num_buckets % 2 or not 4 <= self.num_buckets <= 16:
            raise ValueError(f"num_buckets is {self.num_buckets}; expected 4, 6 … 16")
        if not 1 <= self.num_rounds <= len(self.turns):
            raise ValueError(f"num_rounds is {self.num_rounds}; expected 1 to {len(self.turns)}")
        if len(self.angles) < _NEAREST:
            raise ValueError(f"{len(self.angles)} angles; expected at least {_NEAREST} keys")

    def buckets(self, degrees: np.ndarray) -> np.ndarray:
        """Return the bucket of each direction in each round that counts.

        Parameters
        ----------
        degrees : array, shape (count,)

        Returns
        -------
        array of int, shape (num_rounds, count)
        """
        axes = np.arange(self.num_buckets // 2) * 360 / self.num_buckets
        turns = np.array(self.turns[: self.num_rounds])[:, None] + axes  # (rounds, buckets / 2)
        rotations = np.moveaxis(_unit(turns), -1, 0)[None]  # (1, 2, rounds, buckets / 2)
        return hash_buckets(_unit(degrees)[None], rotations, (self.num_buckets,))[0]

    def meetings(self, queries: np.ndarray) -> np.ndarray:
        """Return in how many rounds each query meets each key, shape ``(queries, keys)``."""
        own, keys = self.buckets(queries), self.buckets(np.array(self.angles))
        return np.asarray((own[:, :, None] == keys[:, None, :]).sum(axis=0))

    def nearest(self, queries: np.ndarray) -> np.ndarray:
        """Return the places of the four nearest keys of each query, shape ``(queries, 4)``."""
        apart = np.abs((queries[:, None] - np.array(self.angles) + 180) % 360 - 180)
        return np.argsort(apart, axis=1, kind="stable")[:, :_NEAREST]

    def recall(self, queries: np.ndarray) -> np.ndarray:
        """Return the share of its four nearest keys that each query meets."""
        met = np.take_along_axis(self.meetings(queries) > 0, self.nearest(queries), axis=1)
        return np.asarray(met.mean(axis=1))

    def mean(self) -> tuple[float, float]:
        """Return the recall and the keys compared, means over queries in all directions."""
        queries = np.arange(360) + 0.5
        compared = self.meetings(queries).sum(axis=1)
        return float(self.recall(queries).mean()), float(compared.mean())


def _unit(degrees: np.ndarray) -> np.ndarray:
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)
