"""Raise the score of a sink, and watch the weight drain from the words."""

from __future__ import annotations

import numpy as np

import attn
from attnlab.drawing.heat_table import cell
from attnlab.drawing.static import static_figure, static_table
from attnlab.drawing.text import number
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
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
    task, answers
        As in every explorable; the default answer is ``["sink"]``.

    Raises
    ------
    ValueError
        If scores and words differ in number, or a control is out of range.

    Examples
    --------
    >>> Sink(sink=0).weights().sum(axis=1).round(2)
    array([0.99, 0.07])
    """

    _esm = bundle("sink")
    element = "attn-sink"
    title = field(fields.text, "A sink beside the words")
    names = ("queries", "key_tokens", "score", "sink", "cap")
    answer_names = ("sink",)

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

    def capped(self) -> np.ndarray:
        """Return the scores after the cap, shape ``(num_queries, num_keys)``."""
        return np.asarray(self.cap * np.tanh(np.array(self.score) / self.cap))

    def weights(self) -> np.ndarray:
        """Return the weights, shape ``(num_queries, num_keys)``; the sink has what they lack."""
        return attn.softmax(self.capped(), sink=self.sink)

    def figure(self) -> str:
        """Return the weights of the words, and what the sink takes, as a table."""
        rows = []
        for query, weights in zip(self.queries, self.weights(), strict=True):
            shares = [*weights, 1 - weights.sum()]
            rows.append((query, [cell(float(w), "weights", 1.0, 2, masked=False) for w in shares]))
        note = f"The sink has a score of {number(self.sink, 1)}, the cap is {number(self.cap, 0)}."
        return static_figure([], static_table(["", *self.key_tokens, "sink"], rows), note=note)
