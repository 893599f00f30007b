"""A mask painted over a grid of scores, and the weights that it leaves."""

from __future__ import annotations

import numpy as np

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

_TOKENS = ["the", "cat", "sat", "down", "<pad>"]
_SCORES = [
    [0.7, 0.6, -0.1, 0.0, 0.5],
    [0.7, 1.2, 0.5, -0.8, 0.3],
    [-0.2, 1.7, 0.8, 0.2, 0.9],
    [0.0, -0.6, 1.5, 0.7, 0.4],
    [0.1, 0.3, -0.6, 0.5, 0.8],
]


class MaskPaint(Explorable):
    """Scores whose cells are masked by hand, and the weights that softmax computes.

    Parameters
    ----------
    query_tokens, key_tokens
        The tokens of the rows and of the columns.
    score
        Shape ``(num_queries, num_keys)``.
    mask
        Boolean, the same shape; True = may attend. The answer of an exercise is this list of
        lists.
    length
        How many keys are real; the preset "Padding" masks those after them.
    """

    query_tokens = field(fields.words, _TOKENS)
    key_tokens = field(fields.words, _TOKENS)
    score = field(fields.matrix, _SCORES)
    mask = field(fields.mask, [[True] * 5] * 5)
    length = field(fields.count, 4)

    def check(self) -> None:
        """Raise ValueError unless scores and mask have a row for each query, a column a key."""
        expected = (len(self.query_tokens), len(self.key_tokens))
        for name in ("score", "mask"):
            shape = np.shape(getattr(self, name))
            if shape != expected:
                raise ValueError(f"{name} has shape {shape}; the tokens ask for {expected}")
        if self.length > expected[1]:
            raise ValueError(f"length is {self.length}; there are {expected[1]} keys")
