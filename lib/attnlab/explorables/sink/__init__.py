"""Raise the score of a sink, and watch the weight drain from the words."""

from __future__ import annotations

import numpy as np

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

#: At its lowest the sink takes nothing that two decimals show.
LOWEST, HIGHEST = -12.0, 6.0
HARDEST, SOFTEST = 1.0, 50.0


class Sink(Explorable):
    """Two rows of scores, a sink in their softmax, and a soft cap on the scores before it.

    Parameters
    ----------
    queries, key_tokens
        What each query looks for, and the words that it may attend to.
    score
        Shape ``(num_queries, num_keys)``, in nats.
    sink
        The score of the sink, b, from -12 to 6: the softmax has one more term, e^b, in its
        denominator.
    cap
        The soft cap c, from 1 to 50: a score s becomes c tanh(s / c).
    """

    queries = field(fields.words, ["looks for an animal", "looks for a number"])
    key_tokens = field(fields.words, ["dogs", "that", "bark", "often"])
    score = field(fields.matrix, [[5.0, -4.0, -4.0, -4.0], [-4.0, -4.0, -4.0, -4.0]])
    sink = field(fields.between(LOWEST, HIGHEST), LOWEST)
    cap = field(fields.between(HARDEST, SOFTEST), SOFTEST)

    def check(self) -> None:
        """Raise ValueError unless there is a score for each query and each word."""
        shape, expected = np.shape(self.score), (len(self.queries), len(self.key_tokens))
        if shape != expected:
            raise ValueError(f"score has shape {shape}; the words ask for {expected}")
