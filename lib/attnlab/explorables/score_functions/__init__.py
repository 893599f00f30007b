"""Five score functions for the same query and keys: their scores, weights and favourite keys."""

from __future__ import annotations

import numpy as np

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
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
    """

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
