"""One sentence, one word that asks: its weights, and the output that they mix."""

from __future__ import annotations

import numpy as np

import attn
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

# Chosen by hand, not trained. The four numbers: a noun, somebody who acts, something to drink, a
# verb. A query has large numbers where the keys that it looks for have them.
_QUERY = [[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.4], [0.0, 2.0, 2.0, 0.0], [0.0, 0.0, 0.5, 2.2]]
_KEY = [[0.2, 0.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0], [1.0, 0.0, 2.3, 0.0]]
_VALUE = [[-0.25, -0.8], [-0.9, 0.45], [0.2, 0.85], [0.95, -0.3]]
SHARPEST = 4.0


class AttentionRow(Explorable):
    """The weights of one word's query over all words of its sentence, and what they mix.

    The vectors are chosen by hand, so that each word looks for those which a reader would expect.

    Parameters
    ----------
    tokens
        The words of the sentence.
    query, key
        Shapes ``(num_tokens, d_k)``.
    value
        Shape ``(num_tokens, 2)``: a point of the plane for each word.
    selected
        The word whose query asks.
    sharpness
        What the scores are multiplied with before the softmax, from 0 (an even mixture) to 4.
    task, answers
        As in every explorable.

    Raises
    ------
    ValueError
        If words and vectors differ in number, or queries and keys in width.

    Examples
    --------
    >>> AttentionRow(selected=2).weights().round(2).tolist()
    [0.05, 0.38, 0.05, 0.52]
    >>> AttentionRow(sharpness=0).weights().tolist()
    [0.25, 0.25, 0.25, 0.25]
    """

    _esm = bundle("attention_row")
    element = "attn-attention-row"
    names = ("tokens", "query", "key", "value", "selected", "sharpness")
    answer_names = ("selected", "sharpness")

    tokens = field(fields.words, ["the", "cat", "drank", "milk"])
    query = field(fields.matrix, _QUERY)
    key = field(fields.matrix, _KEY)
    value = field(fields.vectors, _VALUE)
    selected = field(fields.count, 2)
    sharpness = field(fields.between(0.0, SHARPEST), 1.0)

    def check(self) -> None:
        """Raise ValueError unless each word has a query, a key and a value."""
        for name in ("query", "key", "value"):
            count = len(getattr(self, name))
            if count != len(self.tokens):
                raise ValueError(f"{len(self.tokens)} tokens have {count} {name} vectors")
        widths = len(self.query[0]), len(self.key[0])
        if widths[0] != widths[1]:
            raise ValueError(f"queries and keys have widths {widths}; expected the same")
        if self.selected >= len(self.tokens):
            raise ValueError(f"selected is {self.selected}; there are {len(self.tokens)} tokens")

    def scores(self) -> np.ndarray:
        """Return the scaled scores of the selected word's query, shape ``(num_tokens,)``."""
        query = np.array(self.query)[self.selected : self.selected + 1]
        return attn.scaled_dot_score(query, np.array(self.key))[0]

    def weights(self) -> np.ndarray:
        """Return the weights of the selected word's query, shape ``(num_tokens,)``."""
        return attn.softmax(self.sharpness * self.scores())

    def output(self) -> np.ndarray:
        """Return the values mixed with the weights, shape ``(2,)``."""
        return self.weights() @ np.array(self.value)
