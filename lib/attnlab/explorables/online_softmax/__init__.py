"""The softmax in one pass: blocks of keys arrive one at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import attn
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field


class Step(NamedTuple):
    """What is kept after a block: the largest score, the last factor and the two sums."""

    m: float
    factor: float
    l: float  # noqa: E741 (the formula's letter)
    o: float


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
    task, answers
        As in every explorable; the default answer is ``["scores"]``.

    Raises
    ------
    ValueError
        If scores and values differ in number, or a block or their number is out of range.

    Examples
    --------
    >>> shown = OnlineSoftmax()
    >>> last = shown.steps()[-1]
    >>> print(round(last.o / last.l, 3), round(shown.output(), 3))
    54.568 54.568
    """

    _esm = bundle("online_softmax")
    element = "attn-online-softmax"
    names = ("scores", "values", "block", "arrived")
    answer_names = ("scores",)

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

    def steps(self) -> list[Step]:
        """Return what is kept after each block, those that have not arrived included."""
        scores, values = np.array(self.scores), np.array(self.values)
        done = [Step(-np.inf, 0.0, 0.0, 0.0)]
        for start in range(0, len(scores), self.block):
            now = slice(start, start + self.block)
            m = max(done[-1].m, scores[now].max())
            factor = np.exp(done[-1].m - m)
            shares = np.exp(scores[now] - m)
            total = done[-1].l * factor + shares.sum()
            done.append(Step(m, factor, total, done[-1].o * factor + shares @ values[now]))
        return done[1:]

    def output(self) -> float:
        """Return the output as the softmax of all scores gives it."""
        return float(attn.softmax(np.array(self.scores)) @ np.array(self.values))
