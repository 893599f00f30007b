"""Show what the width of the keys does to the softmax, with and without the scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.drawing.heat_table import cell
from attnlab.drawing.static import static_figure, static_table
from attnlab.drawing.text import number
from attnlab.experiments.scaling import jacobian_norm
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

NAMES = ("q · k", "q · k ÷ √d_k")
_WIDEST = 10


class Saturation(Explorable):
    """Weights, and how large their derivatives are, for keys of width 2 ** exponent.

    If components are independent with mean 0 and variance 1, a score has the variance d_k. The
    figure takes draws of a standard normal number, one for each key, times the root of d_k.

    Parameters
    ----------
    draws
        The scores at width 1, shape ``(num_keys,)``.
    exponent
        The width of the keys as a power of two, from 0 to 10.
    task, answers
        As in every explorable.

    Raises
    ------
    ValueError
        If the exponent is not from 0 to 10.

    Examples
    --------
    >>> Saturation(exponent=10).weights().max(axis=1).round(2).tolist()
    [1.0, 0.37]
    """

    _esm = bundle("saturation")
    element = "attn-saturation"
    title = field(fields.text, "Scale and saturation")
    names = ("draws", "exponent")
    answer_names = ("exponent",)

    draws = field(fields.numbers, [0.1, -0.7, 1.2, 0.4, -1.3, 0.8])
    exponent = field(fields.count, 2)

    def check(self) -> None:
        """Raise ValueError unless the exponent is in its range."""
        if self.exponent > _WIDEST:
            raise ValueError(f"exponent is {self.exponent}; expected 0 to {_WIDEST}")

    def weights(self) -> NDArray[np.float64]:
        """Return the weights without the scale and with it, shape ``(2, num_keys)``."""
        draws = np.array(self.draws)
        return attn.softmax(np.stack([draws * np.sqrt(2.0**self.exponent), draws]))

    def gradients(self) -> NDArray[np.float64]:
        """Return how far both rows' weights move with their scores, shape ``(2,)``.

        This is the norm of the softmax's Jacobian.
        """
        return jacobian_norm(self.weights())

    def query_gradients(self) -> NDArray[np.float64]:
        """Return how far both rows' weights move with the query, shape ``(2,)``.

        The derivative of a score with respect to the query is the key times the scale. A key is
        √d_k long; where keys are independent, the root of the mean square of the norm is the
        Jacobian's times that.
        """
        return self.gradients() * [np.sqrt(2.0**self.exponent), 1]

    def figure(self) -> str:
        """Return weights and gradients as a table of HTML."""
        keys = [f"k{i}" for i in range(1, len(self.draws) + 1)]
        found = zip(NAMES, self.weights(), self.gradients(), self.query_gradients(), strict=True)
        rows = []
        for name, weights, by_scores, by_query in found:
            cells = [cell(float(w), "weights", 1.0, 2, masked=False) for w in weights]
            rows.append((name, [*cells, number(by_scores, 3), number(by_query, 3)]))
        head = [f"d_k = {2**self.exponent}", *keys, "if a score moves", "if the query moves"]
        note = "Weights, and how much they change if a score or the query moves."
        return static_figure([], static_table(head, rows), note=note)
