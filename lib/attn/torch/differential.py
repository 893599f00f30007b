"""Differential attention with gradients, and as an ``nn.Module``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import torch
from torch import Tensor, nn

from attn import formulas
from attn._arguments import Options, check_attention, check_count, check_number, scale_or_default
from attn._hints import explain_torch_names
from attn._latent import check_last_axis
from attn._layers import arguments_of, head_width
from attn.differential import check_halves
from attn.masking import mask_for_heads, visible_pairs
from attn.torch._layers import affine, glorot
from attn.torch._tensors import as_bias, as_mask, as_tensor, as_tensors, boolean, compute_type
from attn.torch.containment import contain
from attn.torch.masks import causal_on
from attn.torch.norms import rms_norm


@overload
def differential_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    lambda_: Any,
    return_weights: Literal[False] = ...,
    **options: Unpack[Options[Any]],
) -> Tensor: ...
@overload
def differential_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    lambda_: Any,
    return_weights: Literal[True],
    **options: Unpack[Options[Any]],
) -> tuple[Tensor, Tensor]: ...
@overload
def differential_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    lambda_: Any,
    return_weights: bool,
    **options: Unpack[Options[Any]],
) -> Tensor | tuple[Tensor, Tensor]: ...


@explain_torch_names
def differential_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    lambda_: Any,
    mask: Any = None,
    bias: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    return_weights: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the difference of two softmaxes times the values; see `attn.differential_attention`.

    Parameters
    ----------
    query : tensor, shape (..., num_queries, 2 * d_k)
    key : tensor, shape (..., num_keys, 2 * d_k)
    value : tensor, shape (..., num_keys, d_v)
    lambda_ : tensor or number, broadcastable to (..., 1, 1)
        May be learned.
    mask, bias, is_causal, scale, return_weights
        As in `scaled_dot_product_attention`.

    Returns
    -------
    output : tensor, shape (..., num_queries, d_v)
    weights : tensor, shape (..., num_queries, num_keys)
        Only with ``return_weights``.

    Raises
    ------
    ValueError
        If shapes do not fit, or the queries cannot be halved.

    Examples
    --------
    >>> import torch
    >>> x = torch.ones(2, 4, 8)
    >>> differential_attention(x, x, x, lambda_=0.8).shape
    torch.Size([2, 4, 8])
    """
    (query, key, value), dtype = as_tensors(query=query, key=key, value=value)
    pairs = check_attention(query, key, value)
    query, key, value = (t.to(compute_type(dtype)) for t in (query, key, value))
    part = as_tensor("lambda_", lambda_).to(query)
    check_halves(query, part, pairs)
    width = scale_or_default(query[..., ::2], scale)
    mask, bias = as_mask(mask, pairs, query.device), as_bias(bias, pairs, query)
    visible = visible_pairs(pairs, mask, is_causal, bias, causal_on(query.device))

    def attend(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
        return formulas.differential_attention(query, key, value, part, width, bias, visible)

    output, weights = contain(attend, (query,), (key, value), visible)
    return (output.to(dtype), weights.to(dtype)) if return_weights else output.to(dtype)


class DifferentialAttention(nn.Module):
    r"""Self-attention with several heads of `differential_attention`.

    Each head's output is normalised by `rms_norm` and multiplied by :math:`1 - \lambda_{init}`; the
    heads share :math:`\lambda = e^{q_1^\top k_1} - e^{q_2^\top k_2} + \lambda_{init}`, with learned
    vectors q and k.

    Parameters
    ----------
    d_model, num_heads : int
    head_dim : int, optional
        Width of each of a head's two queries; ``d_model / (2 * num_heads)`` when not given. A value
        is twice as wide.
    lambda_init : float
        0.8 at first; the paper has :math:`0.8 - 0.6\,e^{-0.3 (l - 1)}` in layer l = 1, 2, ….
    generator : torch.Generator, optional
        Draws the parameters; torch's global generator when not given.

    Attributes
    ----------
    w_query, w_key, w_value : nn.Parameter, shape (d_model, 2 * num_heads * head_dim)
    w_output : nn.Parameter, shape (2 * num_heads * head_dim, d_model)
    lambda_query, lambda_key : nn.Parameter, shape (2, head_dim)
        Normal, with a standard deviation of 0.1.

    Raises
    ------
    ValueError
        If ``head_dim`` is not given and ``2 * num_heads`` does not divide ``d_model``.

    References
    ----------
    Ye et al. (2025), "Differential Transformer", sections 2.1 and 2.2.

    Examples
    --------
    >>> import torch
    >>> attend = DifferentialAttention(d_model=24, num_heads=3)
    >>> attend(torch.ones(2, 5, 24), is_causal=True).shape
    torch.Size([2, 5, 24])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        head_dim: int | None = None,
        lambda_init: float = 0.8,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.d_model = check_count("d_model", d_model, 1)
        self.num_heads = check_count("num_heads", num_heads, 1)
        if head_dim is None and self.d_model % (2 * self.num_heads):
            raise ValueError(
                f"2 * num_heads = {2 * self.num_heads} does not divide d_model={self.d_model}: "
                "pass head_dim"
            )
        self.head_dim = head_width(self.d_model, 2 * self.num_heads, head_dim)
        self.lambda_init = check_number("lambda_init", lambda_init)
        wide = 2 * self.num_heads * self.head_dim
        self.w_query = nn.Parameter(glorot(self.d_model, wide, generator))
        self.w_key = nn.Parameter(glorot(self.d_model, wide, generator))
        self.w_value = nn.Parameter(glorot(self.d_model, wide, generator))
        self.w_output = nn.Parameter(glorot(wide, self.d_model, generator))
        first = 0.1 * torch.randn(2, 2, self.head_dim, generator=generator)
        self.lambda_query, self.lambda_key = (nn.Parameter(vectors) for vectors in first)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return arguments_of(self, "d_model", "num_heads", "head_dim", "lambda_init")

    @property
    def lambda_(self) -> Tensor:
        """How much of the second softmax is subtracted now; a scalar."""
        first, second = (self.lambda_query * self.lambda_key).sum(-1).exp()
        return first - second + self.lambda_init

    @explain_torch_names
    def forward(self, x: Tensor, *, mask: Any = None, is_causal: bool = False) -> Tensor:
        """Return the attention of tokens to each other.

        Parameters
        ----------
        x : tensor, shape (..., tokens, d_model)
        mask : bool tensor, broadcastable to (batch, tokens, tokens), optional
            True = may attend. With four axes, each head has its own.
        is_causal : bool

        Returns
        -------
        tensor, shape (..., tokens, d_model), in the type of ``x``

        Raises
        ------
        ValueError
            If the width is not ``d_model``, or the mask does not fit.
        """
        x = as_tensor("x", x)
        check_last_axis("x", x, self.d_model)
        wide = x.to(compute_type(torch.promote_types(x.dtype, self.w_query.dtype)))
        if mask is not None:
            mask = mask_for_heads(boolean("mask", mask, x.device), x.shape[:-2])
        heads = differential_attention(
            *(self._heads(wide, w) for w in (self.w_query, self.w_key, self.w_value)),
            lambda_=self.lambda_,
            mask=mask,
            is_causal=is_causal,
        )  # (..., num_heads, tokens, 2 * head_dim)
        normed = rms_norm(heads) * (1 - self.lambda_init)
        return affine(formulas.merge_heads(normed), self.w_output.to(wide)).to(x.dtype)

    if TYPE_CHECKING:  # nn.Module declares that a call returns anything
        __call__ = forward

    def _heads(self, x: Tensor, weight: Tensor) -> Tensor:
        return formulas.split_heads(affine(x, weight.to(x)), self.num_heads)
