"""Attention: weights from scores, and the outputs that the weights make of the values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from attn import fast, formulas
from attn._arguments import (
    Array,
    as_bias,
    as_floats,
    as_mask,
    check_attention,
    check_scores,
    scale_or_default,
)
from attn._hints import explain_torch_names
from attn._softmax_options import SoftmaxOptions, as_sink, check_soft_cap
from attn.masking import visible_pairs
from attn.scores import dot_score, scaled_dot_score

Score: TypeAlias = Callable[[Array, Array], Array]


@explain_torch_names
def attention_weights(
    query: ArrayLike,
    key: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    score: Literal["scaled_dot", "dot"] | Score = "scaled_dot",
    sink: ArrayLike | None = None,
    soft_cap: float | None = None,
) -> Array:
    r"""Return the weights :math:`A = \mathrm{softmax}(S + B)`, one row for each query.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
        Leading axes (batch, heads) broadcast.
    mask : array_like of bool, broadcastable to (..., num_queries, num_keys), optional
        True = may attend. What a mask hides has no effect, NaN and inf included.
    bias : array_like, broadcastable to (..., num_queries, num_keys), optional
        Added to the scores, in nats; ``-inf`` hides like a mask.
    is_causal : bool
        Hide the future as well; the last query sees the last key (see `causal_mask`).
    scale : float, optional
        See `scaled_dot_score`, to which alone it applies.
    score : "scaled_dot", "dot", or a function of (query, key)
        A function such as an `AdditiveScore`; it decides which widths are right.
    sink : array_like, broadcastable to (..., num_queries, 1), optional
        A score that competes with the keys', in nats, and brings no value: the weights of a row
        then sum to less than 1. With 0 a query can abstain ("softmax-off-by-one"); an array of
        shape (num_heads, 1, 1) gives each head its own.
    soft_cap : float, optional
        Squeezes each score s, before bias and mask, to ``soft_cap * tanh(s / soft_cap)``.

    Returns
    -------
    array, shape (..., num_queries, num_keys)
        Each row sums to 1 (to less with a sink), or is zero when the query sees nothing. In the
        type of query and key.

    Raises
    ------
    ValueError
        If shapes do not fit, or ``scale`` is given with another score.
    TypeError
        If ``mask`` is not boolean.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", equation 1. A ``sink`` learned by each
    head: OpenAI (2025), "gpt-oss-120b & gpt-oss-20b Model Card", section 2. ``soft_cap``: Gemma
    Team (2024), "Gemma 2", section 2.

    Examples
    --------
    >>> import numpy as np
    >>> weights = attention_weights(np.ones((2, 4, 8)), np.ones((2, 6, 8)), is_causal=True)
    >>> weights.shape
    (2, 4, 6)
    >>> weights[0].round(2)
    array([[0.33, 0.33, 0.33, 0.  , 0.  , 0.  ],
           [0.25, 0.25, 0.25, 0.25, 0.  , 0.  ],
           [0.2 , 0.2 , 0.2 , 0.2 , 0.2 , 0.  ],
           [0.17, 0.17, 0.17, 0.17, 0.17, 0.17]])
    """
    (query, key), result = as_floats(query=query, key=key)
    # What a mask is about to hide may be NaN or overflow; softmax warns about what stays visible.
    with np.errstate(invalid="ignore", over="ignore"):
        scores = _scores(query, key, score, scale)
        bias = as_bias(bias, scores.shape, scores.dtype)
        sink = as_sink(sink, scores.shape, scores.dtype)
        visible = visible_pairs(scores.shape, as_mask(mask, scores.shape), is_causal, bias)
        weights = formulas.attention_weights(scores, bias, visible, sink, check_soft_cap(soft_cap))
        return weights.astype(result, copy=False)


@overload
def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    return_weights: Literal[False] = ...,
    **options: Unpack[SoftmaxOptions[ArrayLike]],
) -> Array: ...
@overload
def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    return_weights: Literal[True],
    **options: Unpack[SoftmaxOptions[ArrayLike]],
) -> tuple[Array, Array]: ...
@overload
def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    return_weights: bool,
    **options: Unpack[SoftmaxOptions[ArrayLike]],
) -> Array | tuple[Array, Array]: ...


@explain_torch_names
def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    sink: ArrayLike | None = None,
    soft_cap: float | None = None,
    return_weights: bool = False,
) -> Array | tuple[Array, Array]:
    r"""Return :math:`\mathrm{softmax}(Q K^\top / \sqrt{d_k})\, V`: a weighted mean of the values.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
    value : array_like, shape (..., num_keys, d_v)
        Leading axes (batch, heads) broadcast.
    mask : array_like of bool, broadcastable to (..., num_queries, num_keys), optional
        True = may attend. What a mask hides has no effect, NaN and inf included.
    bias : array_like, broadcastable to (..., num_queries, num_keys), optional
        Added to the scores, in nats; ``-inf`` hides like a mask.
    is_causal : bool
        Hide the future as well; the last query sees the last key (see `causal_mask`).
    scale : float, optional
        :math:`1 / \sqrt{d_k}` when not given.
    sink : array_like, broadcastable to (..., num_queries, 1), optional
        A score that competes with the keys', in nats, and brings no value: the weights of a row
        then sum to less than 1. With 0 a query can abstain ("softmax-off-by-one"); an array of
        shape (num_heads, 1, 1) gives each head its own.
    soft_cap : float, optional
        Squeezes each score s, before bias and mask, to ``soft_cap * tanh(s / soft_cap)``.
    return_weights : bool
        Return the weights as well.

    Returns
    -------
    output : array, shape (..., num_queries, d_v)
        Zero for a query that sees nothing. In the type of query, key and value.
    weights : array, shape (..., num_queries, num_keys)
        Only with ``return_weights``.

    Raises
    ------
    ValueError
        If shapes do not fit.
    TypeError
        If ``mask`` is not boolean.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", equation 1. A ``sink`` learned by each
    head: OpenAI (2025), "gpt-oss-120b & gpt-oss-20b Model Card", section 2. ``soft_cap``: Gemma
    Team (2024), "Gemma 2", section 2.

    Examples
    --------
    >>> import numpy as np
    >>> query, key, value = np.ones((1, 4, 8)), np.ones((1, 6, 8)), np.ones((1, 6, 10))
    >>> scaled_dot_product_attention(query, key, value).shape
    (1, 4, 10)
    """
    (query, key, value), result = as_floats(query=query, key=key, value=value)
    pairs = check_attention(query, key, value)
    scale = scale_or_default(query, scale)
    mask, bias = as_mask(mask, pairs), as_bias(bias, pairs, query.dtype)
    sink, soft_cap = as_sink(sink, pairs, query.dtype), check_soft_cap(soft_cap)
    if fast.is_faster(pairs, bias, sink, soft_cap, return_weights):
        output = fast.blockwise_attention(query, key, value, scale, mask, is_causal)
        return output.astype(result, copy=False)
    visible = visible_pairs(pairs, mask, is_causal, bias)
    # What a mask hides may be NaN or overflow; softmax warns about what stays visible.
    with np.errstate(invalid="ignore", over="ignore"):
        output, weights = formulas.scaled_dot_product_attention(
            query, key, value, scale, bias, visible, sink, soft_cap
        )
    output = output.astype(result, copy=False)
    return (output, weights.astype(result, copy=False)) if return_weights else output


def _scores(query: Array, key: Array, score: str | Score, scale: float | None) -> Array:
    if scale is not None and score != "scaled_dot":
        raise ValueError(f"scale is {scale}; expected None unless score is 'scaled_dot'")
    if callable(score):
        scores = score(query, key)
        check_scores(scores, query, key)
        return scores
    if score == "scaled_dot":
        return scaled_dot_score(query, key, scale)
    if score == "dot":
        return dot_score(query, key)
    raise ValueError(f"score is {score!r}; expected 'scaled_dot', 'dot' or a function")
