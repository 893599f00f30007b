"""The softmax in one pass: blocks of keys arrive one at a time."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field


class OnlineSoftmax(Explorable):
    """Online softmax for one query: keys arrive in blocks, and three numbers are kept.

    Parameters
    ----------
    scores, values
        One number for each of up to eight keys.
    block
        How many keys arrive at a time.
    arrived
        How many blocks have arrived, from 1.
    """

    scores = field(fields.numbers, [2.0, 1.0, 0.0, 1.0, 1.0, -1.0, 3.0, 2.0])
    values = field(fields.numbers, [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0])
    block = field(fields.count, 2)
    arrived = field(fields.count, 1)

    axes = "scores(num_keys) values(num_keys)"

    def check(self) -> None:
        """Raise ValueError unless there are two to eight keys, and the blocks fit."""
        count = len(self.scores)
        if not 2 <= count <= 8:
            raise ValueError(f"{count} scores; expected 2 to 8")
        fields.whole(1, count)("block", self.block)
        fields.whole(1, -(-count // self.block))("arrived", self.arrived)
