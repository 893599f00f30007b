"""The same queries attend to another sentence, or to their own."""

from __future__ import annotations

import numpy as np

import attn
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

# Chosen by hand, not trained: similar words have similar vectors (article, animal, sitting, place).
_QUERIES = [[2.4, 0.7, 0.0, 0.0], [0.2, 2.5, 0.3, 0.0], [0.1, 0.2, 1.8, 0.2], [0.0, 0.5, 2.2, 1.0]]
_OTHERS = [
    [2.4, 0.2, 0.0, 0.0],
    [0.2, 2.4, 0.2, 0.1],
    [0.0, 0.4, 2.4, 0.3],
    [0.3, 0.0, 0.6, 1.4],
    [2.2, 0.0, 0.0, 0.8],
    [0.1, 0.4, 0.1, 2.4],
]
_KINDS = ("cross", "self")


def _kind(name: str, value: object) -> str:
    if value not in _KINDS:
        raise ValueError(f"{name} is {value!r}; expected 'cross' or 'self'")
    return str(value)


class SelfCross(Explorable):
    """Scaled dot-product weights of one sentence's queries over another's keys, or its own.

    The vectors are chosen by hand so that similar words have similar vectors; queries and keys are
    these vectors themselves.

    Parameters
    ----------
    query_tokens, other_tokens
        The words of both sentences.
    query_vectors, other_vectors
        Shapes ``(num_queries, d)`` and ``(num_other, d)``.
    attention
        ``"cross"`` (keys of the other sentence) or ``"self"`` (keys of the same one).
    selected
        The query whose weights are drawn as ribbons.
    """

    query_tokens = field(fields.words, ["Le", "chat", "était", "assis"])
    other_tokens = field(fields.words, ["The", "cat", "sat", "on", "the", "mat"])
    query_vectors = field(fields.matrix, _QUERIES)
    other_vectors = field(fields.matrix, _OTHERS)
    attention = field(_kind, "cross")
    selected = field(fields.count, 1)

    def check(self) -> None:
        """Raise ValueError unless each word has a vector and all vectors are equally wide."""
        for side in ("query", "other"):
            words, vectors = getattr(self, f"{side}_tokens"), getattr(self, f"{side}_vectors")
            if len(words) != len(vectors):
                raise ValueError(f"{len(words)} {side}_tokens have {len(vectors)} vectors")
        widths = len(self.query_vectors[0]), len(self.other_vectors[0])
        if widths[0] != widths[1]:
            raise ValueError(f"vectors have widths {widths[0]} and {widths[1]}; expected the same")
        if self.selected >= len(self.query_tokens):
            raise ValueError(f"selected is {self.selected}; there are {len(self.query_tokens)}")

    def weights(self) -> np.ndarray:
        """Return the weights, shape ``(num_queries, num_keys)``; rows sum to 1."""
        vectors = self.other_vectors if self.attention == "cross" else self.query_vectors
        return attn.attention_weights(np.array(self.query_vectors), np.array(vectors))
