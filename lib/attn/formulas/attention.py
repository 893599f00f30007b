"""Attention: scores, weights, outputs."""

from __future__ import annotations

import math
import warnings
from functools import singledispatch
from typing import Any

import numpy as np

from attn.formulas.namespace import Numbers, namespace, says


def scaled_dot_product_attention(
    query: Numbers,  # (..., num_queries, d_k)
    key: Numbers,  # (..., num_keys, d_k)
    value: Numbers,  # (..., num_keys, d_v)
    scale: float,
    bias: Numbers | None = None,  # broadcasts to (..., num_queries, num_keys)
    visible: Numbers | None = None,  # likewise; True where a query may attend
    sink: Numbers | None = None,  # broadcasts to (..., num_queries, 1)
    soft_cap: float | None = None,
) -> tuple[Numbers, Numbers]:
    """Return the outputs and the weights of scaled dot-product attention."""
    scores = (query * scale) @ key.mT  # (..., num_queries, num_keys)
    weights = attention_weights(scores, bias, visible, sink, soft_cap)
    output = weighted_sum(weights, value, visible)  # (..., num_queries, d_v)
    return output, weights


def differential_attention(
    query: Numbers,  # (..., num_queries, 2 * d_k): two queries side by side
    key: Numbers,  # (..., num_keys, 2 * d_k)
    value: Numbers,  # (..., num_keys, d_v)
    lambda_: Numbers,  # broadcasts to (..., 1, 1)
    scale: float,
    bias: Numbers | None = None,
    visible: Numbers | None = None,
) -> tuple[Numbers, Numbers]:
    """Return the outputs and the weights of differential attention."""
    d_k = query.shape[-1] // 2
    first, second = (
        attention_weights((query[..., half] * scale) @ key[..., half].mT, bias, visible)
        for half in (slice(None, d_k), slice(d_k, None))
    )
    weights = first - lambda_ * second  # (..., num_queries, num_keys)
    return weighted_sum(weights, value, visible), weights


def attention_weights(
    scores: Numbers,
    bias: Numbers | None = None,
    visible: Numbers | None = None,
    sink: Numbers | None = None,
    soft_cap: float | None = None,
) -> Numbers:
    """Return the weights, (..., num_queries, num_keys), each row of which sums to 1 or is zero.

    With a sink, a row sums to less: what the sink takes is nobody's weight.
    """
    xp = namespace(scores)
    if soft_cap is not None:
        if visible is not None:  # what is hidden may be NaN, and so would be its slope
            scores = xp.where(visible, scores, 0)
        scores = soft_cap * xp.tanh(scores / soft_cap)
    if bias is not None:
        scores = scores + bias
    if visible is not None:
        scores = xp.where(visible, scores, -math.inf)
    return softmax(scores) if sink is None else softmax_with_sink(scores, sink)


def softmax_with_sink(scores: Numbers, sink: Numbers) -> Numbers:
    """Return the softmax along the last axis with one score more, whose weight is left out."""
    xp = namespace(scores)
    column = xp.broadcast_to(sink, (*scores.shape[:-1], 1))
    return softmax(xp.concatenate([scores, column], -1))[..., :-1]


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
    if visible is None or says(xp.isfinite(value.sum()), False):
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
