"""Hard attention, and the estimator that trains it."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

import torch
from torch import Tensor

from attn._arguments import Options, check_tokens, leading_axes, shape_of
from attn._hints import explain_torch_names
from attn.torch._tensors import as_tensors
from attn.torch.attention import Score, attention_weights


@overload
def hard_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    generator: torch.Generator | None = ...,
    score: Literal["scaled_dot", "dot"] | Score = ...,
    return_log_prob: Literal[False] = ...,
    **options: Unpack[Options[Any]],
) -> Tensor: ...
@overload
def hard_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    generator: torch.Generator | None = ...,
    score: Literal["scaled_dot", "dot"] | Score = ...,
    return_log_prob: Literal[True],
    **options: Unpack[Options[Any]],
) -> tuple[Tensor, Tensor]: ...
@overload
def hard_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    generator: torch.Generator | None = ...,
    score: Literal["scaled_dot", "dot"] | Score = ...,
    return_log_prob: bool,
    **options: Unpack[Options[Any]],
) -> Tensor | tuple[Tensor, Tensor]: ...


@explain_torch_names
def hard_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    generator: torch.Generator | None = None,
    mask: Any = None,
    bias: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    score: Literal["scaled_dot", "dot"] | Score = "scaled_dot",
    return_log_prob: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    r"""Return :math:`v_j` with :math:`j` drawn from the attention weights of the query.

    The output has a gradient with respect to the values only: a draw cannot be differentiated. To
    train the scores, give the log probability to `score_function_loss`.

    Parameters
    ----------
    query : tensor, shape (..., num_queries, d_k)
    key : tensor, shape (..., num_keys, d_k)
    value : tensor, shape (..., num_keys, d_v)
    generator : torch.Generator, optional
        Torch's global generator when not given.
    mask, bias, is_causal, scale, score
        As in `attention_weights`.
    return_log_prob : bool
        Return the log probability of each draw as well.

    Returns
    -------
    output : tensor, shape (..., num_queries, d_v)
        Zero for a query that sees nothing; NaN for one whose weights are NaN.
    log_prob : tensor, shape (..., num_queries)
        In nats; 0, without gradient, for a query that sees nothing.

    Raises
    ------
    ValueError, TypeError
        As `attention_weights`, and if there is not one value for each key.

    References
    ----------
    Xu et al. (2015), "Show, Attend and Tell", section 4.1.

    Examples
    --------
    >>> import torch
    >>> output, log_prob = hard_attention(
    ...     torch.ones(4, 8), torch.ones(6, 8), torch.ones(6, 7), return_log_prob=True
    ... )
    >>> output.shape, log_prob.shape
    (torch.Size([4, 7]), torch.Size([4]))
    """
    (query, key, value), dtype = as_tensors(query=query, key=key, value=value)
    check_tokens(key, value)
    leading = leading_axes(query=query, key=key, value=value)
    weights = attention_weights(
        query, key, mask=mask, bias=bias, is_causal=is_causal, scale=scale, score=score
    )
    leading = torch.broadcast_shapes(leading, weights.shape[:-2])
    weights = weights.expand(*leading, *weights.shape[-2:])
    value = value.expand(*leading, *value.shape[-2:])
    if not key.shape[-2]:
        output = value.new_zeros(*weights.shape[:-1], value.shape[-1])
        return (output, output.sum(-1)) if return_log_prob else output
    choice, drawn = _draw(weights.detach(), generator)  # (..., num_queries, 1)
    chosen = value.gather(-2, choice.expand(*choice.shape[:-1], value.shape[-1]))
    output = torch.where(drawn, chosen, 0)
    unclear = weights.detach().isnan().any(-1, keepdim=True)
    output = output.masked_fill(unclear, torch.nan).to(dtype)
    probability = torch.where(drawn, weights.gather(-1, choice), 1)
    return (output, probability.log()[..., 0]) if return_log_prob else output


def score_function_loss(loss: Tensor, log_prob: Tensor, baseline: Tensor | float = 0.0) -> Tensor:
    r"""Return a loss whose gradient estimates that of the expected loss, without bias.

    The gradient is :math:`\nabla L + (L - b)\,\nabla \log p`: the loss's own, and the score
    function's, which makes draws more likely that did better than the baseline.

    Parameters
    ----------
    loss : tensor, any shape
        L, one for each sample, computed from the outputs of `hard_attention`.
    log_prob : tensor, broadcastable to the shape of ``loss``
        The log probability of all draws that the loss depends on: their sum.
    baseline : tensor or float
        b. Any number that does not depend on the draw leaves the mean as it is and changes the
        variance; a running mean of the loss is usual.

    Returns
    -------
    tensor, shape of ``loss``
        Its value is ``loss``; call ``.mean().backward()`` on it.

    Raises
    ------
    ValueError
        If the shapes do not broadcast.

    References
    ----------
    Williams (1992), section 4; Xu et al. (2015), section 4.1, which add a baseline as well.

    Examples
    --------
    >>> import torch
    >>> log_prob = torch.zeros(5, requires_grad=True)
    >>> score_function_loss(torch.arange(5.0), log_prob, baseline=2.0).sum().backward()
    >>> log_prob.grad
    tensor([-2., -1.,  0.,  1.,  2.])
    """
    for name, tensor in (("log_prob", log_prob), ("baseline", torch.as_tensor(baseline))):
        # Broadcast over more samples than there are losses, the gradient would be a multiple.
        try:
            tensor.expand(loss.shape)
        except RuntimeError:
            raise ValueError(
                f"{name} has shape {shape_of(tensor)}; expected one that broadcasts to "
                f"{shape_of(loss)}, the shape of loss"
            ) from None
    advantage = (loss - baseline).detach()
    # Subtracting its own value leaves the gradient only.
    return loss + advantage * (log_prob - log_prob.detach())


def _draw(weights: Tensor, generator: torch.Generator | None) -> tuple[Tensor, Tensor]:
    """Return for each row an index drawn with its weights, and whether the row has any."""
    cumulative = weights.double().cumsum(-1)
    total = cumulative[..., -1:]
    uniform = torch.rand(total.shape, generator=generator, dtype=total.dtype, device=total.device)
    # The first index whose cumulative weight exceeds the draw has a weight of its own: not 0.
    choice = (cumulative <= uniform * total).sum(-1, keepdim=True)
    drawn = total > 0
    return torch.where(drawn, choice, 0), drawn
