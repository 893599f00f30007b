"""Differential attention as an ``nn.Module``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from attn import formulas
from attn._arguments import check_count, check_number
from attn._door import Door, enter_layer
from attn._hints import explain_torch_names
from attn._latent import check_last_axis
from attn._layers import arguments_of, head_width
from attn._types import Given
from attn.differential import differential_attention
from attn.masking import mask_for_heads
from attn.multi_head import project
from attn.norms import rms_norm
from attn.torch._layers import glorot


class DifferentialAttention(nn.Module):
    r"""Self-attention with several heads of `attn.differential_attention`.

    Each head's output is normalised by `attn.rms_norm` and multiplied by
    :math:`1 - \lambda_{init}`; the heads share
    :math:`\lambda = e^{q_1^\top k_1} - e^{q_2^\top k_2} + \lambda_{init}`, with learned vectors q
    and k.

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
    device, dtype : optional
        Of the parameters; torch's usual ones when not given.

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
    >>> attend(torch.ones(2, 5, 24), causal=True).shape
    torch.Size([2, 5, 24])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        head_dim: int | None = None,
        lambda_init: float = 0.8,
        generator: torch.Generator | None = None,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
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
        self.w_query = glorot(self.d_model, wide, generator, device, dtype)
        self.w_key = glorot(self.d_model, wide, generator, device, dtype)
        self.w_value = glorot(self.d_model, wide, generator, device, dtype)
        self.w_output = glorot(wide, self.d_model, generator, device, dtype)
        first = 0.1 * torch.randn(2, 2, self.head_dim, generator=generator)
        first = first.to(device=device, dtype=dtype)
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
    def forward(self, x: Tensor, *, mask: Given | None = None, causal: bool = False) -> Tensor:
        """Return the attention of tokens to each other.

        Parameters
        ----------
        x : tensor, shape (..., tokens, d_model)
        mask : bool tensor, broadcastable to (batch, tokens, tokens), optional
            True = may attend. With four axes, each head has its own.
        causal : bool

        Returns
        -------
        tensor, shape (..., tokens, d_model), in the type of ``x``

        Raises
        ------
        ValueError
            If the width is not ``d_model``, or the mask does not fit.
        """
        door, (tokens,) = enter_layer(self, 0, x=x)
        check_last_axis("x", tokens, self.d_model)
        if mask is not None:
            mask = mask_for_heads(door.boolean("mask", mask), tokens.shape[:-2])
        heads = differential_attention(
            *(self._heads(door, name, tokens) for name in ("query", "key", "value")),
            lambda_=self.lambda_,
            mask=mask,
            causal=causal,
        )  # (..., num_heads, tokens, 2 * head_dim)
        normed = rms_norm(heads) * (1 - self.lambda_init)
        output: Tensor = door.leave(project(door, self, "output", formulas.merge_heads(normed)))
        return output

    if TYPE_CHECKING:  # nn.Module declares that a call returns anything
        __call__ = forward

    def _heads(self, door: Door, name: str, x: Tensor) -> Tensor:
        heads: Tensor = formulas.split_heads(project(door, self, name, x), self.num_heads)
        return heads
