"""What the width of the keys does to the softmax, with and without the scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.experiments.scaling import jacobian_norm
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

_WIDEST = 10


class Saturation(Explorable):
    """Weights as bars, and the softmax's gradient as a lamp, for keys of width 2 ** exponent.

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
        """Return the norm of the Jacobian of both rows of weights, shape ``(2,)``."""
        return jacobian_norm(self.weights())
