"""One query over a few keys: drag or type the vectors, see scores, weights and context vector."""

from __future__ import annotations

import numpy as np

import attn
from attnlab.drawing.heat_table import cell
from attnlab.drawing.plane import Mark, plane_svg
from attnlab.drawing.static import static_figure, static_table
from attnlab.drawing.text import number, vector_text
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field


class ContextVector(Explorable):
    """Scores, weights and context vector of one query in the plane.

    Parameters
    ----------
    query
        Shape ``(2,)``.
    key, value
        Shape ``(num_keys, 2)`` each.
    scaled
        Whether the scores are divided by √2, as scaled dot-product attention does.
    task
        What to do, in one or two sentences; shown above the figure.
    answers
        Names whose values the button "Use as answer" offers; ``["query"]`` in an exercise.

    Raises
    ------
    ValueError
        If a shape does not fit, or the numbers of keys and values differ.

    Examples
    --------
    >>> two_books = ContextVector(query=[1, 0])
    >>> two_books.context().round(4)
    array([0.4193, 0.5807])
    >>> two_books.answer_code()
    'query = [1.0, 0.0]'
    """

    _esm = bundle("context_vector")
    element = "attn-context-vector"
    names = ("query", "key", "value", "scaled")
    answer_names = ("query",)

    query = field(fields.vector, [0.5, -0.5])
    key = field(fields.vectors, [[1.0, 1.0], [0.0, 1.0]])
    value = field(fields.vectors, [[0.5, 0.5], [0.2, 0.8]])
    scaled = field(fields.flag, False)

    def check(self) -> None:
        """Raise ValueError unless each key has a value."""
        if len(self.key) != len(self.value):
            raise ValueError(
                f"{len(self.key)} keys and {len(self.value)} values; expected one value a key"
            )

    def scores(self) -> np.ndarray:
        """Return one score for each key, shape ``(num_keys,)``."""
        score = attn.scaled_dot_score if self.scaled else attn.dot_score
        return score(np.array([self.query]), np.array(self.key))[0]

    def weights(self) -> np.ndarray:
        """Return one weight for each key, shape ``(num_keys,)``; they sum to 1."""
        return attn.softmax(self.scores())

    def context(self) -> np.ndarray:
        """Return the values mixed with the weights, shape ``(2,)``."""
        return self.weights() @ np.array(self.value)

    def figure(self) -> str:
        """Return both planes and the table of numbers as HTML."""
        keys = [Mark(k, "key", f"k{i}") for i, k in enumerate(self.key, 1)]
        values = [Mark(v, "value", f"v{i}") for i, v in enumerate(self.value, 1)]
        query_plane = plane_svg("Query and keys", [*keys, Mark(self.query, "query", "q")], least=2)
        value_plane = plane_svg(
            "Values and context vector",
            [Mark(self.context().tolist(), "output", "context vector"), *values],
        )
        return static_figure([query_plane, value_plane], self._numbers())

    def _numbers(self) -> str:
        rows = []
        pairs = zip(self.scores(), self.weights(), self.value, strict=True)
        for i, (score, weight, value) in enumerate(pairs, 1):
            shade = cell(float(weight), "weights", 1.0, 3, masked=False)
            share = vector_text(weight * np.array(value), 3)
            rows.append((f"key {i}", [number(score), shade, vector_text(value, 2), share]))
        rows.append(("sum", ["", "1.000", "", vector_text(self.context(), 3)]))
        return static_table(["", "score", "weight", "value", "weight × value"], rows)
