"""A query and a key that turn with their positions, as rotary positions turn them."""

from __future__ import annotations

import numpy as np

import attn
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

_LAST = 63


class RotaryDial(Explorable):
    """Rotary positions as clocks: one for each pair of features, with two hands.

    Before they are turned, query and key are equal: every pair is ``(1, 0)``.

    Parameters
    ----------
    query_position, key_position
        Where the two stand, 0 to 63.
    keep_distance
        Whether moving one of them moves the other as well.
    d_k
        The width of query and key, an even number from 2 to 16: two features a clock.
    task, answers
        As in every explorable; the default answer is ``["query_position", "key_position"]``.

    Raises
    ------
    ValueError
        If a position or the width is out of range.

    Examples
    --------
    >>> near, far = RotaryDial(query_position=3, key_position=1), RotaryDial(
    ...     query_position=53, key_position=51)
    >>> np.allclose(near.products(), far.products())
    True
    """

    _esm = bundle("rotary_dial")
    element = "attn-rotary-dial"
    names = ("query_position", "key_position", "keep_distance", "d_k")
    answer_names = ("query_position", "key_position")

    query_position = field(fields.count, 20)
    key_position = field(fields.count, 17)
    keep_distance = field(fields.flag, False)
    d_k = field(fields.count, 8)

    def check(self) -> None:
        """Raise ValueError unless both positions and the width are in range."""
        for name in ("query_position", "key_position"):
            if getattr(self, name) > _LAST:
                raise ValueError(f"{name} is {getattr(self, name)}; expected 0 to {_LAST}")
        if self.d_k % 2 or not 2 <= self.d_k <= 16:
            raise ValueError(f"d_k is {self.d_k}; expected an even number from 2 to 16")

    def hands(self) -> np.ndarray:
        """Return the turned query and key, shape ``(2, d_k / 2, 2)``."""
        arrow = np.tile([1.0, 0.0], (2, self.d_k // 2))  # (2, d_k)
        turned = attn.rotary(arrow, positions=[self.query_position, self.key_position])
        return np.asarray(turned).reshape(2, -1, 2)

    def products(self) -> np.ndarray:
        """Return the dot product of each pair of hands, shape ``(d_k / 2,)``."""
        query, key = self.hands()
        return np.asarray((query * key).sum(axis=-1))
