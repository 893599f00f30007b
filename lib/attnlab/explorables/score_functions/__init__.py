"""Five score functions for the same query and keys: their scores, weights and favourite keys."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import attn
from attn.formulas import additive_scores
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

_MATRICES = ("w_general", "w_query", "w_key")


class ScoreFunctions(Explorable):
    """Dot, scaled dot, cosine, general and additive scores of one query, side by side.

    Parameters
    ----------
    query, key
        Shapes ``(2,)`` and ``(num_keys, 2)``.
    w_general
        The matrix of the general score, shape ``(2, 2)``; by default it exchanges the components.
    w_query, w_key, w_score
        The parameters of the additive score, shapes ``(2, 2)``, ``(2, 2)`` and ``(2,)``. All of
        these are set by hand, where a model would learn them.
    task, answers
        As in every explorable.

    Raises
    ------
    ValueError
        If a matrix is not of shape ``(2, 2)``, or a key has length 0, which has no cosine.

    Examples
    --------
    >>> {name: int(row.argmax()) + 1 for name, row in ScoreFunctions().scores().items()}
    {'dot': 2, 'scaled dot': 2, 'cosine': 1, 'general': 3, 'additive': 2}
    """

    _esm = bundle("score_functions")
    element = "attn-score-functions"
    names = ("query", "key", "w_general", "w_query", "w_key", "w_score")
    answer_names = ("query",)

    query = field(fields.vector, [1.0, 0.0])
    key = field(fields.vectors, [[1.5, -0.5], [2.0, 2.0], [0.0, 3.0]])
    w_general = field(fields.matrix, [[0.0, 1.0], [1.0, 0.0]])
    w_query = field(fields.matrix, [[1.0, 0.0], [0.0, 1.0]])
    w_key = field(fields.matrix, [[1.0, 0.0], [0.0, 1.0]])
    w_score = field(fields.vector, [1.0, 1.0])

    def check(self) -> None:
        """Raise ValueError unless the matrices fit vectors of two numbers."""
        for name in _MATRICES:
            shape = np.shape(getattr(self, name))
            if shape != (2, 2):
                raise ValueError(f"{name} has shape {shape}; expected (2, 2)")

    def scores(self) -> dict[str, NDArray[np.float64]]:
        """Return the scores of every function, each of shape ``(num_keys,)``."""
        query, key = np.array([self.query]), np.array(self.key)
        dot = attn.dot_score(query, key)[0]
        lengths = np.linalg.norm(query) * np.linalg.norm(key, axis=1)
        hidden = query @ np.array(self.w_query), key @ np.array(self.w_key)
        return {
            "dot": dot,
            "scaled dot": attn.scaled_dot_score(query, key)[0],
            # A vector of length 0 has no direction; its cosine counts as 0.
            "cosine": np.divide(dot, lengths, out=np.zeros_like(dot), where=lengths > 0),
            "general": attn.general_score(query, key, self.w_general)[0],
            "additive": additive_scores(*hidden, np.array(self.w_score))[0],
        }

    def weights(self) -> dict[str, NDArray[np.float64]]:
        """Return the weights that every function leads to, each of shape ``(num_keys,)``."""
        return {name: attn.softmax(row) for name, row in self.scores().items()}
