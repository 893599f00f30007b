"""Attention step by step: score, scale, mask, softmax, sum, for a sentence of the reader's own."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.data import four_tokens
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

STEPS = ("score", "scale", "mask", "softmax", "sum")
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
_WIDTH = 5


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
    task, answers
        As in every explorable.

    Raises
    ------
    ValueError
        If the sentence has no word, or shapes do not fit.

    Examples
    --------
    >>> Pipeline().weights()[2].round(2).tolist()
    [0.16, 0.65, 0.04, 0.16]
    """

    _esm = bundle("pipeline")
    element = "attn-pipeline"
    names = (
        "sentence",
        "known",
        "vectors",
        "w_query",
        "w_key",
        "w_value",
        "is_causal",
        "step",
        "row",
        "column",
    )
    answer_names = ("sentence",)

    sentence = field(fields.text, " ".join(four_tokens.TOKENS))
    known = field(fields.words, list(_WORDS))
    vectors = field(fields.matrix, list(_WORDS.values()))
    w_query = field(fields.matrix, four_tokens.W_QUERY.tolist())
    w_key = field(fields.matrix, four_tokens.W_KEY.tolist())
    w_value = field(fields.matrix, four_tokens.W_VALUE.tolist())
    is_causal = field(fields.flag, False)
    step = field(fields.count, 0)
    row = field(fields.count, 2)
    column = field(fields.count, 1)

    def check(self) -> None:
        """Raise ValueError unless there is a word, a vector for each known one, and a step."""
        if not self.tokens():
            raise ValueError(f"sentence is {self.sentence!r}; expected at least one word")
        if len(self.known) != len(self.vectors):
            raise ValueError(f"{len(self.known)} known words have {len(self.vectors)} vectors")
        if len(self.vectors[0]) != _WIDTH:
            raise ValueError(f"vectors have width {len(self.vectors[0])}; expected {_WIDTH}")
        projections = (self.w_query, self.w_key, self.w_value)
        shapes = [np.shape(projection) for projection in projections]
        if {rows for rows, _ in shapes} != {_WIDTH} or shapes[0] != shapes[1]:
            raise ValueError(f"projections have shapes {shapes}; expected (5, d_k) twice, (5, d_v)")
        if self.step >= len(STEPS):
            raise ValueError(f"step is {self.step}; expected 0 to {len(STEPS) - 1}")

    def tokens(self) -> list[str]:
        """Return the words of the sentence, in lower case, at most six."""
        return _WORD.findall(self.sentence.lower())[:MOST_WORDS]

    def embeddings(self) -> NDArray[np.float64]:
        """Return a vector for each word, shape ``(num_tokens, 5)``."""
        known = dict(zip(self.known, self.vectors, strict=True))
        return np.array([known.get(word, [0.0] * _WIDTH) for word in self.tokens()])

    def mask(self) -> NDArray[np.bool_]:
        """Return which key each query may attend to, shape ``(num_tokens, num_tokens)``."""
        count = len(self.tokens())
        return attn.causal_mask(count, count) if self.is_causal else np.ones((count, count), bool)

    def weights(self) -> NDArray[np.float64]:
        """Return the weights, shape ``(num_tokens, num_tokens)``; rows sum to 1."""
        query, key = (self.embeddings() @ np.array(w) for w in (self.w_query, self.w_key))
        return attn.attention_weights(query, key, mask=self.mask())

    def output(self) -> NDArray[np.float64]:
        """Return the output, shape ``(num_tokens, d_v)``."""
        return self.weights() @ (self.embeddings() @ np.array(self.w_value))
