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

    def check(self) -> None:
        """Raise ValueError unless there is a value for each score, and the blocks fit."""
        count = len(self.scores)
        if count != len(self.values) or not 2 <= count <= 8:
            raise ValueError(f"{count} scores and {len(self.values)} values; expected 2 to 8 each")
        if not 1 <= self.block <= count:
            raise ValueError(f"block is {self.block}; expected 1 to {count} keys")
        blocks = -(-count // self.block)
        if not 1 <= self.arrived <= blocks:
            raise ValueError(f"arrived is {self.arrived}; expected 1 to {blocks} blocks")
