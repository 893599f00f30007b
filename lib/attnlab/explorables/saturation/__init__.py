"""What the width of the keys does to the softmax, with and without the scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab import experiments
from attnlab.experiments.scaling import jacobian_norm
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

_WIDEST = 10
_MEASURED = experiments.load("scaling")


class Saturation(Explorable):
    """Weights, the largest of them, and the softmax's gradient, for keys of width 2 ** exponent.

    If components are independent with mean 0 and variance 1, a score has the variance d_k. The
    figure takes draws of a standard normal number, one for each key, times the root of d_k.

    Parameters
    ----------
    draws
        The scores at width 1, shape ``(num_keys,)``.
    exponent
        The width of the keys as a power of two, from 0 to 10.
    widths, unscaled, scaled
        What the experiment "scaling" measured with 64 keys: the median norm of the softmax's
        Jacobian at each width, without the scale and with it.
    task, answers
        As in every explorable.

    Raises
    ------
    ValueError
        If the exponent is not from 0 to 10, or a measured curve lacks points.

    Examples
    --------
    >>> Saturation(exponent=10).weights().max(axis=1).round(2).tolist()
    [1.0, 0.37]
    """

    _esm = bundle("saturation")
    element = "attn-saturation"
    names = ("draws", "exponent", "widths", "unscaled", "scaled")
    answer_names = ("exponent",)

    draws = field(fields.numbers, [0.1, -0.7, 1.2, 0.4, -1.3, 0.8])
    exponent = field(fields.count, 2)
    widths = field(fields.numbers, list(_MEASURED["norm, unscaled"].x))
    unscaled = field(fields.numbers, _MEASURED["norm, unscaled"].mean.round(5).tolist())
    scaled = field(fields.numbers, _MEASURED["norm, scaled"].mean.round(5).tolist())

    def check(self) -> None:
        """Raise ValueError unless the exponent is in its range and the curves fit the widths."""
        if self.exponent > _WIDEST:
            raise ValueError(f"exponent is {self.exponent}; expected 0 to {_WIDEST}")
        counts = len(self.widths), len(self.unscaled), len(self.scaled)
        if len(set(counts)) > 1:
            raise ValueError(
                f"{counts[0]} widths, {counts[1]} and {counts[2]} norms; expected equal"
            )

    def weights(self) -> NDArray[np.float64]:
        """Return the weights without the scale and with it, shape ``(2, num_keys)``."""
        draws = np.array(self.draws)
        return attn.softmax(np.stack([draws * np.sqrt(2.0**self.exponent), draws]))

    def gradients(self) -> NDArray[np.float64]:
        """Return the norm of the Jacobian of both rows of weights, shape ``(2,)``."""
        return jacobian_norm(self.weights())
