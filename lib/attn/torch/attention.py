"""Attention with gradients, as in `attn.attention`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, Unpack, overload

import torch
from torch import Tensor

from attn import formulas
from attn._arguments import (
    check_attention,
    check_axis,
    check_scores,
    leading_axes,
    scale_or_default,
    shape_of,
)
from attn._hints import explain_torch_names
from attn._softmax_options import SoftmaxOptions, check_soft_cap, row_shape
from attn.masking import visible_pairs
from attn.torch._tensors import (
    as_bias,
    as_mask,
    as_sink,
    as_tensor,
    as_tensors,
    boolean,
    compute_type,
)
from attn.torch.containment import contain
from attn.torch.fused import fused_attention
from attn.torch.masks import causal_on
from attn.torch.scores import dot_score, scaled_dot_score

Score: TypeAlias = Callable[[Tensor, Tensor], Tensor]


@formulas.softmax.register(Tensor)
def _softmax(scores: Tensor, axis: int = -1) -> Tensor:
    """Return the softmax in which a row of -inf is zero, with zero gradient."""
    # Softmax of a row of -inf is NaN, and so is its gradient: give the row numbers, then clear it.
    empty = (scores == -torch.inf).all(axis, keepdim=True)
    return torch.softmax(scores.masked_fill(empty, 0), axis).masked_fill(empty, 0)


@explain_torch_names
def softmax(scores: Tensor, axis: int = -1, mask: Any = None, *, sink: Any = None) -> Tensor:
    """Return weights that sum to 1, or are 0 where nothing is visible; see `attn.softmax`.

    Parameters
    ----------
    scores : tensor
        In nats; ``-inf`` means weight 0.
    axis : int
    mask : bool tensor, broadcastable to the shape of ``scores``, optional
    sink : tensor, broadcastable to that shape with ``axis`` of length 1, optional
        One score more for each row, whose weight is left out; may be learned.

    Returns
    -------
    tensor, shape and type of ``scores``
        The gradient of a row without a visible score is zero, not NaN.

    Raises
    ------
    ValueError
        If ``mask`` or ``sink`` does not broadcast to the shape of ``scores``, or ``axis`` is not an
        axis of it.
    TypeError
        If ``mask`` is not boolean.

    Examples
    --------
    >>> import torch
    >>> softmax(torch.zeros(2, 4), mask=torch.tensor([[True] * 4, [False] * 4]))
    tensor([[0.2500, 0.2500, 0.2500, 0.2500],
            [0.0000, 0.0000, 0.0000, 0.0000]])
    """
    tensor = as_tensor("scores", scores)
    axis = check_axis(axis, tensor)
    wide = tensor.to(compute_type(tensor.dtype))
    if mask is not None:
        visible = boolean("mask", mask, tensor.device)
        wide = wide.masked_fill(~_broadcast("mask", visible, shape_of(tensor)), -torch.inf)
    if sink is None:
        weights: Tensor = formulas.softmax(wide, axis)
        return weights.to(tensor.dtype)
    one = _broadcast("sink", as_tensor("sink", sink).to(wide), row_shape(shape_of(tensor), axis))
    weights = formulas.softmax_with_sink(wide.swapaxes(axis, -1), one.swapaxes(axis, -1))
    return weights.swapaxes(axis, -1).to(tensor.dtype)


def _broadcast(name: str, tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    try:
        return tensor.expand(shape)
    except RuntimeError:
        raise ValueError(
            f"{name} has shape {shape_of(tensor)}; expected one that broadcasts to {shape}"
        ) from None


@explain_torch_names
def attention_weights(
    query: Tensor,
    key: Tensor,
    *,
    mask: Any = None,
    bias: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    score: Literal["scaled_dot", "dot"] | Score = "scaled_dot",
    sink: Any = None,
    soft_cap: float | None = None,
) -> Tensor:
    """Return the weights, one row for each query; see `attn.attention_weights`.

    Parameters
    ----------
    query : tensor, shape (..., num_queries, d_k)
    key : tensor, shape (..., num_keys, d_k)
    mask : bool tensor, broadcastable to (..., num_queries, num_keys), optional
        True = may attend.
    bias : tensor, broadcastable to (..., num_queries, num_keys), optional
        Added to the scores, in nats; may be learned.
    is_causal : bool
        Hide the future as well; the last query sees the last key.
    scale : float, optional
        Applies to the scaled dot product alone.
    score : "scaled_dot", "dot", or a function or module of (query, key)
    sink : tensor, broadcastable to (..., num_queries, 1), optional
        A score without a value, in nats; may be learned.
    soft_cap : float, optional
        See `attn.attention_weights`.

    Returns
    -------
    tensor, shape (..., num_queries, num_keys)
        Each row sums to 1 (to less with a sink), or is zero when the query sees nothing.

    Raises
    ------
    ValueError
        If shapes do not fit, or ``scale`` is given with another score.
    TypeError
        If ``mask`` is not boolean.

    Examples
    --------
    >>> import torch
    >>> attention_weights(torch.ones(2, 4, 8), torch.ones(2, 6, 8)).shape
    torch.Size([2, 4, 6])
    """
    (query, key), dtype = as_tensors(query=query, key=key)
    query, key = query.to(compute_type(dtype)), key.to(compute_type(dtype))
    pairs = (*leading_axes(query=query, key=key), query.shape[-2], key.shape[-2])
    mask, bias = as_mask(mask, pairs, query.device), as_bias(bias, pairs, query)
    sink, soft_cap = as_sink(sink, pairs, query), check_soft_cap(soft_cap)
    visible = visible_pairs(pairs, mask, is_causal, bias, causal_on(query.device))

    def weigh(query: Tensor, key: Tensor) -> tuple[Tensor, ...]:
        scores = _scores(query, key, score, scale)  # (..., num_queries, num_keys)
        return (formulas.attention_weights(scores, bias, visible, sink, soft_cap),)

    return contain(weigh, (query,), (key,), visible)[0].to(dtype)


@overload
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    return_weights: Literal[False] = ...,
    **options: Unpack[SoftmaxOptions[Any]],
) -> Tensor: ...
@overload
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    return_weights: Literal[True],
    **options: Unpack[SoftmaxOptions[Any]],
) -> tuple[Tensor, Tensor]: ...
@overload
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    return_weights: bool,
    **options: Unpack[SoftmaxOptions[Any]],
) -> Tensor | tuple[Tensor, Tensor]: ...


@explain_torch_names
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    mask: Any = None,
    bias: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    sink: Any = None,
    soft_cap: float | None = None,
    return_weights: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    r"""Return :math:`\mathrm{softmax}(Q K^\top / \sqrt{d_k})\, V`, with gradients.

    Where torch's fused kernel computes the same (no bias, sink or cap, no weights wanted,
    nothing to contain behind a mask), it is called.

    Parameters
    ----------
    query : tensor, shape (..., num_queries, d_k)
    key : tensor, shape (..., num_keys, d_k)
    value : tensor, shape (..., num_keys, d_v)
    mask : bool tensor, broadcastable to (..., num_queries, num_keys), optional
        True = may attend. What it hides changes neither an output nor a gradient.
    bias : tensor, broadcastable to (..., num_queries, num_keys), optional
        Added to the scores, in nats; may be learned.
    is_causal : bool
        Hide the future as well; the last query sees the last key. (The argument of the same name
        in torch lets the *first* query see the first key.)
    scale : float, optional
    sink : tensor, broadcastable to (..., num_queries, 1), optional
        A score without a value, in nats; may be learned.
    soft_cap : float, optional
        See `attn.attention_weights`.
    return_weights : bool

    Returns
    -------
    output : tensor, shape (..., num_queries, d_v)
        Zero, with zero gradient, for a query that sees nothing.
    weights : tensor, shape (..., num_queries, num_keys)
        Only with ``return_weights``.

    Raises
    ------
    ValueError
        If shapes do not fit.
    TypeError
        If ``mask`` is not boolean.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", equation 1.

    Examples
    --------
    >>> import torch
    >>> query, key, value = torch.ones(1, 4, 8), torch.ones(1, 6, 8), torch.ones(1, 6, 10)
    >>> scaled_dot_product_attention(query, key, value).shape
    torch.Size([1, 4, 10])
    """
    (query, key, value), dtype = as_tensors(query=query, key=key, value=value)
    pairs = check_attention(query, key, value)
    scale = scale_or_default(query, scale)
    mask = as_mask(mask, pairs, query.device)
    query_wide, key_wide, value_wide = (t.to(compute_type(dtype)) for t in (query, key, value))
    bias, sink = as_bias(bias, pairs, query_wide), as_sink(sink, pairs, query_wide)
    soft_cap = check_soft_cap(soft_cap)
    if not return_weights and sink is None and soft_cap is None:
        output = fused_attention(query, key, value, scale, mask, is_causal, bias)
        if output is not None:
            return output
    visible = visible_pairs(pairs, mask, is_causal, bias, causal_on(query.device))

    def attend(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
        return formulas.scaled_dot_product_attention(
            query, key, value, scale, bias, visible, sink, soft_cap
        )

    output, weights = contain(attend, (query_wide,), (key_wide, value_wide), visible)
    return (output.to(dtype), weights.to(dtype)) if return_weights else output.to(dtype)


def _scores(query: Tensor, key: Tensor, score: str | Score, scale: float | None) -> Tensor:
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
