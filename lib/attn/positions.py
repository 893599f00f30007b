"""Position encodings that are added to the tokens."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from attn._arguments import Array, check_count, check_float_type


def sinusoidal_positions(num_tokens: int, d_model: int, *, dtype: DTypeLike = np.float64) -> Array:
    r"""Return :math:`P_{t,2i} = \sin(t / 10000^{2i/d})` and :math:`P_{t,2i+1} = \cos(…)`.

    Parameters
    ----------
    num_tokens : int
    d_model : int
        Sines stand at even, cosines at odd features. An odd width ends with a sine.
    dtype : numpy dtype
        The type to return; pass that of the tokens, or a sum with float32 tokens is float64.

    Returns
    -------
    array, shape (num_tokens, d_model)
        Each pair of features turns with its own wavelength, from 2 pi to 20000 pi tokens.

    Raises
    ------
    ValueError, TypeError
        If a count is negative or not an integer, or ``dtype`` is not a floating-point type.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> sinusoidal_positions(2, 4).round(2)
    array([[0.  , 1.  , 0.  , 1.  ],
           [0.84, 0.54, 0.01, 1.  ]])
    """
    tokens = np.arange(check_count("num_tokens", num_tokens))
    width = check_count("d_model", d_model)
    wavelengths = 10000.0 ** (np.arange(0, width, 2) / max(width, 1))
    angles = tokens[:, None] / wavelengths  # (num_tokens, ceil(d_model / 2))
    positions = np.empty((len(tokens), width))
    positions[:, 0::2] = np.sin(angles)
    positions[:, 1::2] = np.cos(angles[:, : width // 2])
    return positions.astype(check_float_type(dtype))
