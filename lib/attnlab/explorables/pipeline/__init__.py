"""Attention step by step: score, scale, mask, softmax, sum, for a sentence of the reader's own."""

from __future__ import annotations

import re

from attnlab.data import four_tokens
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

MOST_WORDS = 6

#: Words with features set by hand: animal, action, drink, article, past.
_FEATURES = {
    "the a": [0, 0, 0, 1, 0],
    "cat dog bird horse": [1, 0, 0, 0, 0],
    "drinks sees": [0, 1, 0, 0, 0],
    "drank saw": [0, 1, 0, 0, 1],
    "milk water tea": [0, 0, 1, 0, 0],
}
_WORDS = {word: row for words, row in _FEATURES.items() for word in words.split()}
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class Pipeline(Explorable):
    """Scaled dot-product attention of a sentence to itself, one step at a time.

    A word that is not in ``known`` has zeros: a feature that it may not have would be made up.

    Parameters
    ----------
    sentence
        The words; the first six count.
    known, vectors
        Words with vectors set by hand, and these vectors, shape ``(num_known, 5)``.
    w_query, w_key, w_value
        The projections, shapes ``(5, d_k)``, ``(5, d_k)`` and ``(5, d_v)``.
    is_causal
        Whether later words are hidden.
    step
        The step that is shown: 0 score, 1 scale, 2 mask, 3 softmax, 4 sum.
    row, column
        The cell of the result whose arithmetic is written out.
    """

    sentence = field(fields.text, " ".join(four_tokens.TOKENS))
    known = field(fields.words, list(_WORDS))
    vectors = field(fields.matrix, list(_WORDS.values()))
    w_query = field(fields.matrix, four_tokens.W_QUERY.tolist())
    w_key = field(fields.matrix, four_tokens.W_KEY.tolist())
    w_value = field(fields.matrix, four_tokens.W_VALUE.tolist())
    is_causal = field(fields.flag, False)
    step = field(fields.whole(0, 4), 0)
    row = field(fields.count, 2)
    column = field(fields.count, 1)

    axes = (
        "known(num_known) vectors(num_known, width) "
        "w_query(width, d_k) w_key(width, d_k) w_value(width, d_v)"
    )

    def check(self) -> None:
        """Raise ValueError unless there is a word."""
        if not self.tokens():
            raise ValueError(f"sentence is {self.sentence!r}; expected at least one word")

    def tokens(self) -> list[str]:
        """Return the words of the sentence, in lower case, at most six."""
        return _WORD.findall(self.sentence.lower())[:MOST_WORDS]
