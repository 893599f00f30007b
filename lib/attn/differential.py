"""Differential attention: what two softmaxes agree on is subtracted."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

from attn import formulas
from attn._arguments import check_attention, scale_or_default, shape_of
from attn._door import enter
from attn._hints import explain_torch_names
from attn._types import Given, Nested, Numbers, Options, Strict
from attn.masking import combine_masks


@overload
def differential_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    lambda_: Given,
    return_weights: Literal[False] = ...,
    **options: Unpack[Options],
) -> Numbers: ...
@overload
def differential_attention(
    query: Numbers | Nested,
    key: Numbers | Nested,
    value: Numbers | Nested,
    *,
    lambda_: Given,
    return_weights: Literal[True],
    **options: Unpack[Options],
) -> tuple[Numbers, Numbers]: ...
@overload
def differential_attention(
    query: Strict,
    key: Strict,
    value: Strict,
    *,
    lambda_: Given,
    return_weights: bool,
    **options: Unpack[Options],
) -> Strict | tuple[Strict, Strict]: ...


@explain_torch_names
def differential_attention(
    query: Any,
    key: Any,
    value: Any,
    *,
    lambda_: Given,
    mask: Given | None = None,
    bias: Given | None = None,
    causal: bool = False,
    scale: float | None = None,
    return_weights: bool = False,
) -> Any:
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
    mask, bias, causal, scale, return_weights
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
    door, (query, key, value) = enter(query=query, key=key, value=value)
    shape = check_attention(query, key, value)
    if query.shape[-1] % 2:
        raise ValueError(f"query has shape {shape_of(query)}; expected an even number of features")
    part = door.added("lambda_", lambda_, (*shape[:-2], 1, 1))
    factor = scale_or_default(query[..., ::2], scale)
    mask, bias = door.mask(mask, shape), door.added("bias", bias, shape)
    visible = combine_masks(door, shape, mask, causal, bias)

    def formula(query: Any, key: Any, value: Any) -> Any:
        return formulas.differential_attention(query, key, value, part, factor, bias, visible)

    with door.framework.quiet():
        results = door.framework.nan_safe(formula, (query,), (key, value), visible)
    output, weights = (door.leave(result) for result in results)
    return (output, weights) if return_weights else output
