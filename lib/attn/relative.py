"""Positions that enter the scores: rotations of queries and keys, and a bias by distance."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from attn import formulas
from attn._arguments import (
    Array,
    as_array,
    as_floats,
    check_count,
    check_float_type,
    check_number,
    check_per_token,
)
from attn.rotary_scaling import RotaryScaling, frequencies

Layout = Literal["interleaved", "half_split"]
_LAYOUTS: tuple[Layout, ...] = ("interleaved", "half_split")


def rotary(
    x: ArrayLike,
    positions: ArrayLike | None = None,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    scaling: RotaryScaling | None = None,
) -> Array:
    r"""Return ``x`` with its i-th pair of features turned by :math:`t\,\mathrm{base}^{-2i/d}`.

    Queries and keys turned like this have dot products that depend on the distance between their
    positions only. Values are not turned.

    Parameters
    ----------
    x : array_like, shape (..., tokens, d)
        ``d`` is even.
    positions : array_like, broadcastable to (..., tokens), optional
        t; ``0, 1, 2, …`` when not given. With a key-value cache, pass the true positions.
    base : float
    layout : "interleaved" or "half_split"
        Which features are a pair: 2i and 2i + 1, as in the paper, or i and i + d/2, as in the
        weights of GPT-NeoX and Llama.
    scaling : RotaryScaling, optional
        Lowers the frequencies for more tokens than in training. With "yarn", ``x`` is also
        multiplied by its ``attention_factor``.

    Returns
    -------
    array, shape and type of ``x``

    Raises
    ------
    ValueError
        If ``d`` is odd, ``positions`` do not fit the tokens, or ``layout`` is unknown.

    References
    ----------
    Su et al. (2024), "RoFormer", section 3.2.2, equations 15 and 34. The two layouts differ by a
    fixed permutation of the features.

    Examples
    --------
    >>> import numpy as np
    >>> rotary(np.ones((2, 4, 6))).shape
    (2, 4, 6)
    >>> x = np.array([[1.0, 0.0, 0.0, 0.0]])
    >>> rotary(x, positions=[np.pi / 2]).round(2)
    array([[0., 1., 0., 0.]])
    >>> rotary(x, positions=[np.pi / 2], layout="half_split").round(2)
    array([[0., 0., 1., 0.]])
    """
    (x,), result = as_floats(x=x)
    cos, sin = (turn.astype(x.dtype) for turn in turns(x.shape, positions, base, scaling))
    return formulas.rotary(x, cos, sin, check_layout(layout)).astype(result, copy=False)


def check_layout(name: str) -> Layout:
    """Return ``name`` if it is a layout, or raise ValueError."""
    for layout in _LAYOUTS:
        if name == layout:
            return layout
    raise ValueError(f"layout is {name!r}; expected 'interleaved' or 'half_split'")


def turns(
    shape: tuple[int, ...],
    positions: ArrayLike | None,
    base: float,
    scaling: RotaryScaling | None = None,
) -> tuple[Array, Array]:
    """Return cosine and sine of every angle, (..., tokens, d / 2), in float64.

    Both are multiplied by the ``attention_factor`` of a scaling.
    """
    tokens, width = shape[-2:]
    if width % 2:
        raise ValueError(f"x has shape {tuple(shape)}; expected an even number of features")
    times = np.arange(tokens) if positions is None else as_array("positions", positions)
    dtype = getattr(positions, "dtype", times.dtype)
    if times.dtype.kind not in "iuf" or str(dtype).endswith("float16"):  # 3001 is no bfloat16
        raise TypeError(f"positions has dtype {dtype}; expected integers, float32 or float64")
    check_per_token("positions", times, shape[:-1])
    if check_number("base", base) <= 0:
        raise ValueError(f"base is {base}; expected a positive number")
    # In float32 the angle of a late token would be off by more than a step.
    if scaling is None:
        angles = times[..., None] * frequencies(width, base)
        return np.cos(angles), np.sin(angles)
    angles = times[..., None] * scaling.frequencies(width, base)
    return np.cos(angles) * scaling.attention_factor, np.sin(angles) * scaling.attention_factor


def alibi_bias(
    num_heads: int, num_queries: int, num_keys: int, *, dtype: DTypeLike = np.float64
) -> Array:
    r"""Return the bias :math:`-m_h\,|i - j|`, to be added to the scores.

    Parameters
    ----------
    num_heads : int
        With a power of two, the slopes are :math:`m_h = 2^{-8h/n}` for :math:`h = 1 … n`.
        Otherwise those of the next smaller power, then every second one of the next larger.
    num_queries, num_keys : int
        Aligned as in `causal_mask`: the last query stands at the last key.
    dtype : numpy dtype

    Returns
    -------
    array, shape (num_heads, num_queries, num_keys), in nats
        The paper is about causal models; with ``is_causal`` only the past's half matters.

    Raises
    ------
    ValueError, TypeError
        If a count is negative or not an integer, or ``dtype`` is not a floating-point type.

    References
    ----------
    Press, Smith and Lewis (2022), "Train Short, Test Long", section 3 (and the code published with
    it, where the number of heads is not a power of two).

    Examples
    --------
    >>> alibi_bias(2, 2, 3)[0]
    array([[-0.0625,  0.    , -0.0625],
           [-0.125 , -0.0625,  0.    ]])
    """
    heads = check_count("num_heads", num_heads, 1)
    queries = np.arange(check_count("num_queries", num_queries))[:, None]
    keys = np.arange(check_count("num_keys", num_keys))
    distance = np.abs(queries + (num_keys - num_queries) - keys)
    return (_slopes(heads)[:, None, None] * -distance).astype(check_float_type(dtype))


def _slopes(num_heads: int) -> Array:
    power = 2 ** math.floor(math.log2(num_heads))
    slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-4 * np.arange(1, 2 * (num_heads - power), 2) / power)
    return np.concatenate([slopes, between])
