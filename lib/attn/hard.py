"""Hard attention: each query takes the value of one key, drawn with its weight."""

from __future__ import annotations

from typing import Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from attn._arguments import Array, Options, as_floats, check_tokens, leading_axes
from attn._hints import explain_torch_names
from attn.attention import Score, attention_weights


@overload
def hard_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    return_choice: Literal[False] = ...,
    rng: int | np.random.Generator,
    score: Literal["scaled_dot", "dot"] | Score = ...,
    **options: Unpack[Options[ArrayLike]],
) -> Array: ...
@overload
def hard_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    return_choice: Literal[True],
    rng: int | np.random.Generator,
    score: Literal["scaled_dot", "dot"] | Score = ...,
    **options: Unpack[Options[ArrayLike]],
) -> tuple[Array, Array]: ...
@overload
def hard_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    return_choice: bool,
    rng: int | np.random.Generator,
    score: Literal["scaled_dot", "dot"] | Score = ...,
    **options: Unpack[Options[ArrayLike]],
) -> Array | tuple[Array, Array]: ...


@explain_torch_names
def hard_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    rng: int | np.random.Generator,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    score: Literal["scaled_dot", "dot"] | Score = "scaled_dot",
    return_choice: bool = False,
) -> Array | tuple[Array, Array]:
    r"""Return :math:`v_{j}` with :math:`j` drawn from the attention weights of the query.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, d_k)
    key : array_like, shape (..., num_keys, d_k)
    value : array_like, shape (..., num_keys, d_v)
    rng : int or numpy.random.Generator
        Draws one uniform number for each query.
    mask, bias, is_causal, scale, score
        As in `attention_weights`.
    return_choice : bool
        Return the chosen keys as well.

    Returns
    -------
    output : array, shape (..., num_queries, d_v)
        Its mean over many draws is the output of soft attention. Zero for a query that sees
        nothing.
    choice : array of int, shape (..., num_queries)
        Only with ``return_choice``; -1 for a query that sees nothing, or whose weights are NaN.

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
    (query, key, value), result = as_floats(query=query, key=key, value=value)
    check_tokens(key, value)
    leading = leading_axes(query=query, key=key, value=value)
    weights = attention_weights(
        query, key, mask=mask, bias=bias, is_causal=is_causal, scale=scale, score=score
    )
    leading = np.broadcast_shapes(leading, weights.shape[:-2])
    weights = np.broadcast_to(weights, leading + weights.shape[-2:])
    choice = _draw(weights, np.random.default_rng(rng))
    output = _take(np.broadcast_to(value, leading + value.shape[-2:]), choice)
    output[np.isnan(weights).any(axis=-1)] = np.nan
    output = output.astype(result, copy=False)
    return (output, choice) if return_choice else output


def _draw(weights: Array, rng: np.random.Generator) -> Array:
    """Return for each row an index drawn with its weights, or -1 if none has any."""
    cumulative = weights.cumsum(axis=-1, dtype=np.float64)
    total = cumulative[..., -1:] if weights.shape[-1] else np.zeros((*weights.shape[:-1], 1))
    # The first index whose cumulative weight exceeds the draw has a weight of its own: not 0.
    draws = rng.random(total.shape) * total
    choice = (cumulative <= draws).sum(axis=-1)
    return np.where(total[..., 0] > 0, choice, -1)


def _take(value: Array, choice: Array) -> Array:
    if value.shape[-2] == 0:
        return np.zeros((*choice.shape, value.shape[-1]), dtype=value.dtype)
    chosen = np.take_along_axis(value, np.maximum(choice, 0)[..., None], axis=-2)
    return np.where(choice[..., None] < 0, value.dtype.type(0), chosen)
