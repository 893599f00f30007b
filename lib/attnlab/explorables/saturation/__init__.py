"""What the width of the keys does to the softmax, with and without the scale."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field


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
    """

    draws = field(fields.numbers, [0.1, -0.7, 1.2, 0.4, -1.3, 0.8])
    exponent = field(fields.whole(0, 10), 2)
