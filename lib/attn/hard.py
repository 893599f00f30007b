"""Hard attention: each query takes the value of one key, drawn with its weight."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

import numpy as np

from attn._arguments import check_tokens, leading_axes
from attn._door import enter
from attn._framework import Framework
from attn._hints import explain_torch_names
from attn._types import Given, Nested, Numbers, Options, Rng, Score
from attn.attention import attention_weights


@overload
def hard_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    rng: Rng = ...,
    score: Score = ...,
    return_choice: Literal[False] = ...,
    **options: Unpack[Options],
) -> Numbers: ...
@overload
def hard_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    rng: Rng = ...,
    score: Score = ...,
    return_choice: Literal[True],
    **options: Unpack[Options],
) -> tuple[Numbers, Numbers]: ...
@overload
def hard_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    rng: Rng = ...,
    score: Score = ...,
    return_log_prob: Literal[True],
    **options: Unpack[Options],
) -> tuple[Numbers, Numbers]: ...


@explain_torch_names
def hard_attention(
    query: Any,
    key: Any,
    value: Any,
    *,
    rng: Rng = None,
    mask: Given | None = None,
    bias: Given | None = None,
    causal: bool = False,
    scale: float | None = None,
    score: Score = "scaled_dot",
    return_choice: bool = False,
    return_log_prob: bool = False,
) -> Any:
    r"""Return :math:`v_{j}` with :math:`j` drawn from the attention weights of the query.

    The output has a gradient with respect to the values only: a draw cannot be differentiated. To
    train the scores, give the log probability to `attn.torch.score_function_loss`.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
    value : array_like, shape (..., num_keys, d_v)
    rng : None, int, numpy.random.Generator or torch.Generator
        Draws one uniform number for each query. None: a new draw each time, for tensors by torch's
        global generator.
    mask, bias, causal, scale, score
        As in `attention_weights`.
    return_choice : bool
        Return the chosen keys as well.
    return_log_prob : bool
        Return the log probability of each draw as well.

    Returns
    -------
    output : array, shape (..., num_queries, d_v)
        Its mean over many draws is the output of soft attention. Zero for a query that sees
        nothing; NaN for one whose weights are NaN.
    choice : array of int, shape (..., num_queries)
        Only with ``return_choice``; -1 for a query that sees nothing, or whose weights are NaN.
    log_prob : array, shape (..., num_queries)
        Only with ``return_log_prob``; in nats. 0, without gradient, where ``choice`` is -1.

    Raises
    ------
    ValueError, TypeError
        As `attention_weights`, and if there is not one value for each key.

    References
    ----------
    Xu et al. (2015), "Show, Attend and Tell", section 4.1 (stochastic "hard" attention).

    Examples
    --------
    >>> import numpy as np
    >>> query, key, value = np.ones((4, 8)), np.ones((6, 8)), np.arange(6.0)[:, None]
    >>> output, choice = hard_attention(query, key, value, rng=0, return_choice=True)
    >>> output.shape, choice.tolist() == output[:, 0].tolist()
    ((4, 1), True)
    """
    door, (query, key, value) = enter(query=query, key=key, value=value)
    check_tokens(key, value)
    framework, xp = door.framework, door.framework.xp
    leading = leading_axes(query=query, key=key, value=value)
    weights = attention_weights(
        query, key, mask=mask, bias=bias, causal=causal, scale=scale, score=score
    )
    leading = np.broadcast_shapes(leading, tuple(weights.shape[:-2]))
    weights = framework.expand(weights, (*leading, *weights.shape[-2:]))
    value = framework.expand(value, (*leading, *value.shape[-2:]))
    if not key.shape[-2]:  # as if there were one key, of weight 0
        weights = framework.zeros((*weights.shape[:-1], 1), door.like)
        value = framework.zeros((*leading, 1, value.shape[-1]), door.like)
    choice = _draw(framework, weights, rng)  # (..., num_queries, 1)
    first = xp.where(choice < 0, 0, choice)
    output = xp.where(choice < 0, 0, framework.take(value, first, -2))
    unclear = xp.isnan(weights).any(-1)[..., None]
    results = [door.leave(xp.where(unclear, np.nan, output))]
    if return_choice:
        results.append(choice[..., 0])
    if return_log_prob:
        probability = xp.where(choice < 0, 1, framework.take(weights, first, -1))
        results.append(door.leave(xp.log(probability)[..., 0]))
    return tuple(results) if len(results) > 1 else results[0]


def _draw(framework: Framework, weights: Any, rng: Any) -> Any:
    """Return for each row an index drawn with its weights, or -1 if none has any."""
    xp, still = framework.xp, framework.frozen(weights)
    cumulative = xp.cumsum(framework.cast(still, xp.float64), -1)
    total = cumulative[..., -1:]
    # The first index whose cumulative weight exceeds the draw has a weight of its own: not 0.
    draws = framework.uniform(rng, tuple(total.shape), weights) * total
    return xp.where(total > 0, (cumulative <= draws).sum(-1)[..., None], -1)
