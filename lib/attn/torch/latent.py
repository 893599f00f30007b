"""Multi-head latent attention as an ``nn.Module``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

import attn
from attn._hints import explain_torch_names
from attn._latent import SIZES, LatentAttention, sizes
from attn._layers import arguments_of
from attn._types import Array, ArrayLike, Given
from attn.torch._layers import copied, register


class MultiHeadLatentAttention(LatentAttention, nn.Module):
    """Self-attention whose cache is one latent for each token; see `attn.MultiHeadLatentAttention`.

    Parameters
    ----------
    d_model, num_heads, d_latent, head_dim, rotary_dim, base
        As in `attn.MultiHeadLatentAttention`.
    generator : torch.Generator, optional
        Draws the parameters; torch's global generator when not given.
    device, dtype : optional
        Of the parameters; torch's usual ones when not given.

    Attributes
    ----------
    w_query, w_latent, g_latent, w_rotary_key, w_key, w_value, w_output : nn.Parameter

    Raises
    ------
    ValueError
        If ``rotary_dim`` is odd, or ``head_dim`` is not given and ``num_heads`` does not divide
        ``d_model``.

    References
    ----------
    DeepSeek-AI (2024), "DeepSeek-V2", section 2.1.

    Examples
    --------
    >>> import torch
    >>> attend = MultiHeadLatentAttention(d_model=48, num_heads=6, d_latent=10, rotary_dim=4)
    >>> attend(torch.ones(2, 5, 48), causal=True).shape
    torch.Size([2, 5, 48])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_latent: int,
        head_dim: int | None = None,
        rotary_dim: int = 0,
        generator: torch.Generator | None = None,
        *,
        base: float = 10000.0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        # The NumPy layer checks the sizes and knows the shapes.
        like = attn.MultiHeadLatentAttention(
            d_model, num_heads, d_latent, head_dim, rotary_dim, 0, base=base
        )
        self.d_model, self.num_heads, self.d_latent = like.d_model, like.num_heads, like.d_latent
        self.head_dim, self.rotary_dim, self.base = like.head_dim, like.rotary_dim, base
        for name, array in like.parameters().items():
            register(self, name, array, generator, device, dtype)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return arguments_of(self, *SIZES)

    @classmethod
    def from_parameters(
        cls, parameters: Mapping[str, ArrayLike], num_heads: int, *, base: float = 10000.0
    ) -> MultiHeadLatentAttention:
        """Return the layer with copies of the parameters by name, arrays or tensors."""
        tensors = copied(parameters)
        dtype = tensors["w_query"].dtype
        layer = cls(**sizes(tensors, num_heads), base=base, dtype=dtype)
        layer.load_state_dict(tensors)
        return layer

    def to_numpy(self) -> dict[str, Array]:
        """Return copies of the parameters as arrays, for `attn.MultiHeadLatentAttention`."""
        return {n: p.detach().cpu().numpy().copy() for n, p in self.named_parameters()}

    @explain_torch_names
    def forward(
        self, x: Tensor, *, mask: Given | None = None, causal: bool = False, absorbed: bool = False
    ) -> Tensor:
        """Return the attention of tokens to each other: `compress`, then `attend`.

        Parameters
        ----------
        x : tensor, shape (..., tokens, d_model)
        mask, causal, absorbed
            As in `attend`.

        Returns
        -------
        tensor, shape (..., tokens, d_model), in the type of ``x``
        """
        result: Tensor = self.attend_to_itself(x, mask=mask, causal=causal, absorbed=absorbed)
        return result

    if TYPE_CHECKING:  # nn.Module declares that a call returns anything
        __call__ = forward
