"""Splitting features into heads, and merging heads into features: an inverse pair."""

from __future__ import annotations

from numpy.typing import ArrayLike

from attn import formulas
from attn._arguments import Array, as_array, check_count


def split_heads(x: ArrayLike, num_heads: int) -> Array:
    """Return ``x`` with its features divided into heads, each with its own matrix of tokens.

    Parameters
    ----------
    x : array_like, shape (..., tokens, num_heads * head_dim)
        Head h owns the features from ``h * head_dim`` to ``(h + 1) * head_dim``.
    num_heads : int

    Returns
    -------
    array, shape (..., num_heads, tokens, head_dim)

    Raises
    ------
    ValueError
        If the number of features is not a multiple of ``num_heads``.

    Examples
    --------
    >>> import numpy as np
    >>> split_heads(np.zeros((2, 5, 12)), num_heads=3).shape
    (2, 3, 5, 4)
    """
    array = as_array("x", x)
    if array.ndim < 2:
        raise ValueError(f"x has shape {array.shape}; expected (..., tokens, features)")
    num_heads = check_count("num_heads", num_heads, 1)
    if array.shape[-1] % num_heads:
        raise ValueError(
            f"x has shape {array.shape}; expected a last axis that {num_heads} heads divide"
        )
    return formulas.split_heads(array, num_heads)


def merge_heads(x: ArrayLike) -> Array:
    """Return ``x`` with the heads of each token side by side; undoes `split_heads`.

    Parameters
    ----------
    x : array_like, shape (..., num_heads, tokens, head_dim)

    Returns
    -------
    array, shape (..., tokens, num_heads * head_dim)

    Raises
    ------
    ValueError
        If ``x`` has fewer than three axes.

    References
    ----------
    Vaswani et al. (2017), section 3.2.2: the "Concat" of the heads.

    Examples
    --------
    >>> import numpy as np
    >>> merge_heads(np.zeros((2, 3, 5, 4))).shape
    (2, 5, 12)
    """
    array = as_array("x", x)
    if array.ndim < 3:
        raise ValueError(f"x has shape {array.shape}; expected (..., num_heads, tokens, head_dim)")
    return formulas.merge_heads(array)
