"""Locality-sensitive hashing on the unit circle: what a query meets, and what that costs."""

from __future__ import annotations

from typing import Any

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

_NEAREST = 4


# 24 directions at random, at least 6 degrees apart, and the rotations of 8 rounds.
_ANGLES = [
    12, 30, 44, 51, 73, 89, 98, 112, 118, 137, 145, 152,
    162, 170, 184, 197, 231, 271, 283, 296, 312, 325, 342, 351,
]  # fmt: skip
_TURNS = [180, 94, 7, 270, 22, 100, 179, 174]


def _degrees(name: str, value: Any) -> list[int]:
    return [fields.whole(0, 359)(name, degrees) for degrees in fields.counts(name, value)]


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
    """

    query = field(fields.whole(0, 359), 40)
    num_buckets = field(fields.count, 8)
    num_rounds = field(fields.count, 1)
    angles = field(_degrees, _ANGLES)
    turns = field(_degrees, _TURNS)

    def check(self) -> None:
        """Raise ValueError unless the keys, the buckets and the rounds are in range."""
        if self.num_buckets % 2 or not 4 <= self.num_buckets <= 16:
            raise ValueError(f"num_buckets is {self.num_buckets}; expected 4, 6 … 16")
        if not 1 <= self.num_rounds <= len(self.turns):
            raise ValueError(f"num_rounds is {self.num_rounds}; expected 1 to {len(self.turns)}")
        if len(self.angles) < _NEAREST:
            raise ValueError(f"{len(self.angles)} angles; expected at least {_NEAREST} keys")
