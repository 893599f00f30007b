"""Attention: weights from scores, and the outputs that the weights make of the values."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

from attn import formulas
from attn._arguments import check_attention, check_soft_cap, scale_or_default, shape_of_scores
from attn._door import Door, enter
from attn._hints import explain_torch_names
from attn._types import Given, Nested, Numbers, Score, SoftmaxOptions, Strict
from attn.masking import combine_masks
from attn.scores import scores_of


@explain_torch_names
def attention_weights(
    query: Numbers | Nested,
    key: Numbers | Nested,
    *,
    mask: Given | None = None,
    bias: Given | None = None,
    causal: bool = False,
    scale: float | None = None,
    score: Score = "scaled_dot",
    sink: Given | None = None,
    soft_cap: float | None = None,
) -> Numbers:
    r"""Return the weights :math:`A = \mathrm{softmax}(S + B)`, one row for each query.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
        Leading axes (batch, heads) broadcast.
    mask : array_like of bool, broadcastable to (..., num_queries, num_keys), optional
        True = may attend. What a mask hides has no effect, NaN and inf included, on an output or a
        gradient.
    bias : array_like, broadcastable to (..., num_queries, num_keys), optional
        Added to the scores, in nats; ``-inf`` hides like a mask.
    causal : bool
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
    >>> weights = attention_weights(np.ones((2, 4, 8)), np.ones((2, 6, 8)), causal=True)
    >>> weights.shape
    (2, 4, 6)
    >>> weights[0].round(2)
    array([[0.33, 0.33, 0.33, 0.  , 0.  , 0.  ],
           [0.25, 0.25, 0.25, 0.25, 0.  , 0.  ],
           [0.2 , 0.2 , 0.2 , 0.2 , 0.2 , 0.  ],
           [0.17, 0.17, 0.17, 0.17, 0.17, 0.17]])
    """
    door, (query, key) = enter(query=query, key=key)
    shape = shape_of_scores(query, key)
    mask, bias, sink = (
        door.mask(mask, shape),
        door.added("bias", bias, shape),
        door.sink(sink, shape),
    )
    soft_cap, visible = check_soft_cap(soft_cap), combine_masks(door, shape, mask, causal, bias)

    def weigh(query: Any, key: Any) -> Any:
        scores = scores_of(query, key, score, scale)  # (..., num_queries, num_keys)
        return (formulas.attention_weights(scores, bias, visible, sink, soft_cap),)

    with door.framework.quiet():
        return door.leave(door.framework.nan_safe(weigh, (query,), (key,), visible)[0])


@overload
def scaled_dot_product_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    return_weights: Literal[False] = ...,
    **options: Unpack[SoftmaxOptions],
) -> Numbers: ...
@overload
def scaled_dot_product_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    return_weights: Literal[True],
    **options: Unpack[SoftmaxOptions],
) -> tuple[Numbers, Numbers]: ...
@overload
def scaled_dot_product_attention(
    query: Strict,
    key: Strict,
    value: Strict,
    *,
    return_weights: bool,
    **options: Unpack[SoftmaxOptions],
) -> Strict | tuple[Strict, Strict]: ...


@explain_torch_names
def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    *,
    mask: Given | None = None,
    bias: Given | None = None,
    causal: bool = False,
    scale: float | None = None,
    sink: Given | None = None,
    soft_cap: float | None = None,
    return_weights: bool = False,
) -> Any:
    r"""Return :math:`\mathrm{softmax}(Q K^\top / \sqrt{d_k})\, V`: a weighted mean of the values.

    Many pairs are computed in blocks, or by torch's fused kernel where it gives the same.

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
    causal : bool
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
    door, (query, key, value) = enter(query=query, key=key, value=value)
    shape = check_attention(query, key, value)
    output, weights = attend(
        *(door, query, key, value, shape, scale_or_default(query, scale)),
        mask=door.mask(mask, shape),
        causal=causal,
        bias=door.added("bias", bias, shape),
        sink=door.sink(sink, shape),
        soft_cap=check_soft_cap(soft_cap),
        return_weights=return_weights,
    )
    return (door.leave(output), door.leave(weights)) if return_weights else door.leave(output)


def attend(
    door: Door,
    query: Any,
    key: Any,
    value: Any,
    scores_shape: tuple[int, ...],
    scale: float,
    *,
    mask: Any = None,
    causal: bool = False,
    bias: Any = None,
    sink: Any = None,
    soft_cap: float | None = None,
    return_weights: bool = False,
) -> tuple[Any, Any]:
    """Return `scaled_dot_product_attention` of arguments that have been checked, and the weights.

    The weights are None where a fast path needs none.
    """
    framework = door.framework
    is_plain = not return_weights and bias is None and sink is None and soft_cap is None
    if is_plain and framework.fast.is_faster(scores_shape):
        output = framework.fast.attention(query, key, value, scores_shape, scale, mask, causal)
        if output is not None:
            return output, None
    visible = combine_masks(door, scores_shape, mask, causal, bias)

    def formula(query: Any, key: Any, value: Any) -> Any:
        return formulas.scaled_dot_product_attention(
            query, key, value, scale, bias, visible, sink, soft_cap
        )

    with framework.quiet():
        found: tuple[Any, Any] = framework.nan_safe(formula, (query,), (key, value), visible)
    return found
