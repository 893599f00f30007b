"""One sentence, one word that asks: its weights, and the output that they mix."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

# Chosen by hand, not trained. The four numbers: a noun, somebody who acts, something to drink, a
# verb. A query has large numbers where the keys that it looks for have them.
_QUERY = [[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.4], [0.0, 2.0, 2.0, 0.0], [0.0, 0.0, 0.5, 2.2]]
_KEY = [[0.2, 0.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0], [1.0, 0.0, 2.3, 0.0]]
_VALUE = [[-0.25, -0.8], [-0.9, 0.45], [0.2, 0.85], [0.95, -0.3]]


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
    """

    tokens = field(fields.words, ["the", "cat", "drank", "milk"])
    query = field(fields.matrix, _QUERY)
    key = field(fields.matrix, _KEY)
    value = field(fields.vectors, _VALUE)
    selected = field(fields.count, 2)
    sharpness = field(fields.between(0.0, 4.0), 1.0)

    axes = "tokens(num_tokens) query(num_tokens, d_k) key(num_tokens, d_k) value(num_tokens, 2)"

    def check(self) -> None:
        """Raise ValueError unless the word that asks is one of the sentence."""
        fields.whole(0, len(self.tokens) - 1)("selected", self.selected)
