"""A query and a key that turn with their positions, as rotary positions turn them."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field


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
    """

    query_position = field(fields.whole(0, 63), 20)
    key_position = field(fields.whole(0, 63), 17)
    keep_distance = field(fields.flag, False)
    d_k = field(fields.count, 8)

    def check(self) -> None:
        """Raise ValueError unless the width is in range."""
        if self.d_k % 2 or not 2 <= self.d_k <= 16:
            raise ValueError(f"d_k is {self.d_k}; expected an even number from 2 to 16")
