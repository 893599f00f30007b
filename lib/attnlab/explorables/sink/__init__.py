"""Raise the score of a sink, and watch the weight drain from the words."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field


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
    # At its lowest the sink takes nothing that two decimals show.
    sink = field(fields.between(-12.0, 6.0), -12.0)
    cap = field(fields.between(1.0, 50.0), 50.0)

    axes = "queries(num_queries) key_tokens(num_keys) score(num_queries, num_keys)"
