"""Differential attention: what two softmaxes agree on is subtracted."""

from __future__ import annotations

from typing import Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from attn import formulas
from attn._arguments import (
    Array,
    Options,
    Shaped,
    as_bias,
    as_float,
    as_floats,
    as_mask,
    check_attention,
    check_pairs,
    scale_or_default,
    shape_of,
)
from attn._hints import explain_torch_names
from attn.masking import visible_pairs


@overload
def differential_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    lambda_: ArrayLike,
    return_weights: Literal[False] = ...,
    **options: Unpack[Options[ArrayLike]],
) -> Array: ...
@overload
def differential_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    lambda_: ArrayLike,
    return_weights: Literal[True],
    **options: Unpack[Options[ArrayLike]],
) -> tuple[Array, Array]: ...
@overload
def differential_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    lambda_: ArrayLike,
    return_weights: bool,
    **options: Unpack[Options[ArrayLike]],
) -> Array | tuple[Array, Array]: ...


@explain_torch_names
def differential_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    lambda_: ArrayLike,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    return_weights: bool = False,
) -> Array | tuple[Array, Array]:
    r"""Return :math:`(\mathrm{softmax}(Q_1 K_1^\top / \sqrt{d_k}) - \lambda\,
    \mathrm{softmax}(Q_2 K_2^\top / \sqrt{d_k}))\, V`.

    Parameters
    ----------
    query : array_like, shape (..., num_queries, 2 * d_k)
        :math:`Q_1` and :math:`Q_2` side by side.
    key : array_like, shape (..., num_keys, 2 * d_k)
    value : array_like, shape (..., num_keys, d_v)
    lambda_ : array_like, broadcastable to (..., 1, 1)
        How much of the second softmax is subtracted; 0: none.
    mask, bias, is_causal, scale, return_weights
        As in `scaled_dot_product_attention`; ``scale`` is :math:`1 / \sqrt{d_k}` when not given.

    Returns
    -------
    output : array, shape (..., num_queries, d_v)
    weights : array, shape (..., num_queries, num_keys)
        Only with ``return_weights``. Each row sums to ``1 - lambda_``, or is zero when the query
        sees nothing; a weight may be negative.

    Raises
    ------
    ValueError
        If shapes do not fit, or the queries cannot be halved.
    TypeError
        If ``mask`` is not boolean.

    References
    ----------
    Ye et al. (2025), "Differential Transformer", equation 1. There each head's output is then
    normalised (`rms_norm`) and multiplied by a constant: `attn.torch.DifferentialAttention`.

    Examples
    --------
    >>> import numpy as np
    >>> query, key, value = np.ones((1, 4, 6)), np.ones((1, 5, 6)), np.ones((1, 5, 7))
    >>> output, weights = differential_attention(
    ...     query, key, value, lambda_=0.8, return_weights=True
    ... )
    >>> output.shape, weights[0, 0].round(2)
    ((1, 4, 7), array([0.04, 0.04, 0.04, 0.04, 0.04]))
    """
    (query, key, value), result = as_floats(query=query, key=key, value=value)
    pairs = check_attention(query, key, value)
    part = as_float("lambda_", lambda_).astype(query.dtype, copy=False)
    check_halves(query, part, pairs)
    scale = scale_or_default(query[..., ::2], scale)
    mask, bias = as_mask(mask, pairs), as_bias(bias, pairs, query.dtype)
    visible = visible_pairs(pairs, mask, is_causal, bias)
    # What a mask hides may be NaN or overflow; softmax warns about what stays visible.
    with np.errstate(invalid="ignore", over="ignore"):
        output, weights = formulas.differential_attention(
            query, key, value, part, scale, bias, visible
        )
    output = output.astype(result, copy=False)
    return (output, weights.astype(result, copy=False)) if return_weights else output


def check_halves(query: Shaped, lambda_: Shaped, pairs: tuple[int, ...]) -> None:
    """Raise ValueError unless queries can be halved, and ``lambda_`` is one for each head."""
    if query.shape[-1] % 2:
        raise ValueError(f"query has shape {shape_of(query)}; expected an even number of features")
    check_pairs("lambda_", lambda_, (*pairs[:-2], 1, 1))
