"""The formulas, each written once: for NumPy arrays and for torch tensors.

Arguments have been checked before they come here. A formula calls what NumPy and torch name alike,
in the library that `namespace` returns. The softmax alone has two forms: `attn.torch` registers
torch's own kernel, which takes one pass and stores less for the gradient.
"""

from __future__ import annotations

import math
import sys
import warnings
from functools import singledispatch
from typing import Any, TypeVar

import numpy as np

#: An array or a tensor.
Numbers = TypeVar("Numbers", bound=Any)

#: Added to the mean square before dividing by the length, as in the implementation of Reformer in
#: Hugging Face transformers: a zero vector stays zero.
LENGTH_EPSILON = 1e-6


def namespace(numbers: Any) -> Any:
    """Return the library that the numbers belong to, `numpy` or `torch`."""
    return np if isinstance(numbers, np.ndarray) else sys.modules["torch"]


def attention(
    query: Numbers,  # (..., num_queries, d_k)
    key: Numbers,  # (..., num_keys, d_k)
    value: Numbers,  # (..., num_keys, d_v)
    scale: float,
    bias: Numbers | None = None,  # broadcasts to (..., num_queries, num_keys)
    visible: Numbers | None = None,  # likewise; True where a query may attend
) -> tuple[Numbers, Numbers]:
    """Return the outputs and the weights of scaled dot-product attention."""
    scores = (query * scale) @ key.mT  # (..., num_queries, num_keys)
    weights = attention_weights(scores, bias, visible)  # (..., num_queries, num_keys)
    output = weighted_sum(weights, value, visible)  # (..., num_queries, d_v)
    return output, weights


def attention_weights(
    scores: Numbers, bias: Numbers | None = None, visible: Numbers | None = None
) -> Numbers:
    """Return the weights, (..., num_queries, num_keys), each row of which sums to 1 or is zero."""
    if bias is not None:
        scores = scores + bias
    if visible is not None:
        scores = namespace(scores).where(visible, scores, -math.inf)
    return softmax(scores)


@singledispatch
def softmax(scores: Any, axis: int = -1) -> Any:
    """Return the exponentials divided by their sum; zeros where every score is -inf."""
    # `initial` gives a row without keys the maximum of a row in which nothing is visible.
    largest = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    warn_if_infinite(largest)
    weights = scores - np.where(np.isneginf(largest), 0, largest)  # at most 0: nothing overflows
    np.exp(weights, out=weights)
    total = weights.sum(axis=axis, keepdims=True)
    weights /= np.where(total == 0, 1, total)
    return weights


def weighted_sum(weights: Numbers, value: Numbers, visible: Numbers | None = None) -> Numbers:
    """Return ``weights @ value``; a value that is NaN or inf reaches only queries that see it."""
    xp = namespace(value)
    if visible is None or bool(xp.isfinite(value.sum())):
        return weights @ value  # (..., num_queries, d_v)
    # 0 * NaN is NaN: sum the finite values, then say which outputs the others reach.
    output = weights @ xp.where(xp.isfinite(value), value, 0)
    one = xp.ones((), dtype=value.dtype)
    sees = xp.broadcast_to(visible, weights.shape) * one  # (..., num_queries, num_keys)
    for number, marks in (
        (math.nan, xp.isnan(value)),
        (math.inf, value == math.inf),
        (-math.inf, value == -math.inf),
    ):
        output = xp.where(sees @ (marks * one) > 0, output + number, output)
    return output


def warn_if_infinite(largest: Any) -> None:
    """Warn if the largest score of a row is inf."""
    if np.isposinf(largest).any():
        message = "a score is inf, so its row of weights is NaN: the scores overflowed"
        warnings.warn(message, RuntimeWarning, stacklevel=4)


def additive_scores(hidden_query: Numbers, hidden_key: Numbers, w_score: Numbers) -> Numbers:
    r"""Return :math:`v^\top \tanh(a_i + b_j)`, with an array d_hidden times as large on the way.

    Parameters
    ----------
    hidden_query : array or tensor, shape (..., num_queries, d_hidden)
    hidden_key : array or tensor, shape (..., num_keys, d_hidden)
    w_score : array or tensor, shape (d_hidden,)

    Returns
    -------
    array or tensor, shape (..., num_queries, num_keys)

    Examples
    --------
    >>> additive_scores(np.zeros((4, 3)), np.zeros((6, 3)), np.ones(3)).shape
    (4, 6)
    """
    pairs = hidden_query[..., :, None, :] + hidden_key[..., None, :, :]
    return namespace(pairs).tanh(pairs) @ w_score  # (..., num_queries, num_keys)


def split_heads(x: Numbers, num_heads: int) -> Numbers:
    """Return ``x``, (..., tokens, features), as (..., num_heads, tokens, head_dim)."""
    *leading, tokens, features = x.shape
    split = x.reshape(*leading, tokens, num_heads, features // num_heads)
    # A reshape alone would mix tokens: the heads must come before them.
    return split.swapaxes(-2, -3)  # (..., num_heads, tokens, head_dim)


def merge_heads(x: Numbers) -> Numbers:
    """Return ``x``, (..., num_heads, tokens, head_dim), as (..., tokens, num_heads * head_dim)."""
    *leading, num_heads, tokens, head_dim = x.shape
    return x.swapaxes(-2, -3).reshape(*leading, tokens, num_heads * head_dim)


def rotary(x: Numbers, cos: Numbers, sin: Numbers, layout: str) -> Numbers:
    """Return ``x``, (..., tokens, d), its pairs turned; cos and sin are (..., tokens, d / 2)."""
    xp, half = namespace(x), x.shape[-1] // 2
    if layout == "interleaved":
        first, second = x[..., 0::2], x[..., 1::2]  # (..., tokens, d / 2)
    else:
        first, second = x[..., :half], x[..., half:]
    turned = first * cos - second * sin, first * sin + second * cos
    if layout == "interleaved":
        pairs = xp.stack(turned, -1)  # (..., tokens, d / 2, 2)
        return pairs.reshape(*pairs.shape[:-2], 2 * half)
    return xp.concatenate(turned, -1)


def gaussian(distance: Numbers, sigma: float) -> Numbers:
    r"""Return :math:`e^{-d^2 / 2 \sigma^2}` for each distance."""
    return namespace(distance).exp(-0.5 * (distance / sigma) ** 2)


def unit_length(x: Numbers) -> Numbers:
    """Return the vectors of ``x``, (..., tokens, d), divided by their lengths."""
    xp = namespace(x)
    squares = (x * x).sum(-1, keepdims=True)  # (..., tokens, 1)
    if bool((squares == math.inf).any()):  # of finite numbers too: bring those near 1 first
        largest = xp.amax(abs(x), -1, keepdims=True)
        x = x / xp.where((squares == math.inf) & xp.isfinite(largest), largest, 1)
        squares = (x * x).sum(-1, keepdims=True)
    return x / xp.sqrt(squares + x.shape[-1] * LENGTH_EPSILON)
