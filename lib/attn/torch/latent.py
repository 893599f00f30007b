"""Multi-head latent attention as an ``nn.Module``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

import attn
from attn import formulas
from attn._arguments import Array, as_array, leading_axes
from attn._hints import explain_torch_names
from attn._latent import SIZES, check_cache, check_last_axis, query_positions, sizes
from attn._layers import arguments_of
from attn.masking import mask_for_heads
from attn.torch._layers import affine, glorot
from attn.torch._tensors import as_tensor, boolean, compute_type
from attn.torch.attention import scaled_dot_product_attention
from attn.torch.norms import rms_norm
from attn.torch.positions import rotary


class MultiHeadLatentAttention(nn.Module):
    """Self-attention whose cache is one latent for each token; see `attn.MultiHeadLatentAttention`.

    Parameters
    ----------
    d_model, num_heads, d_latent, head_dim, rotary_dim, base
        As in `attn.MultiHeadLatentAttention`.
    generator : torch.Generator, optional
        Draws the parameters; torch's global generator when not given.

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
    >>> attend(torch.ones(2, 5, 48), is_causal=True).shape
    torch.Size([2, 5, 48])
    """

    w_query: nn.Parameter
    g_latent: nn.Parameter
    w_key: nn.Parameter
    w_value: nn.Parameter

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
    ) -> None:
        super().__init__()
        # The NumPy layer checks the sizes and knows the shapes.
        like = attn.MultiHeadLatentAttention(
            d_model, num_heads, d_latent, head_dim, rotary_dim, 0, base=base
        )
        self.d_model, self.num_heads, self.d_latent = like.d_model, like.num_heads, like.d_latent
        self.head_dim, self.rotary_dim, self.base = like.head_dim, like.rotary_dim, base
        for name, array in like.parameters().items():
            rows, columns = array.shape if array.ndim == 2 else (0, 0)
            first = glorot(rows, columns, generator) if rows else torch.ones(len(array))
            self.register_parameter(name, nn.Parameter(first))

    def extra_repr(self) -> str:
        """Return the sizes."""
        return arguments_of(self, *SIZES)

    @classmethod
    def from_parameters(
        cls, parameters: Mapping[str, ArrayLike], num_heads: int, *, base: float = 10000.0
    ) -> MultiHeadLatentAttention:
        """Return the layer with copies of the parameters by name, arrays or tensors."""
        tensors = {name: as_tensor(name, array).detach() for name, array in parameters.items()}
        layer = cls(**sizes(tensors, num_heads), base=base).to(tensors["w_query"].dtype)
        layer.load_state_dict(tensors)
        return layer

    def to_numpy(self) -> dict[str, Array]:
        """Return copies of the parameters as arrays, for `attn.MultiHeadLatentAttention`."""
        return {n: as_array(n, p.detach().cpu()).copy() for n, p in self.named_parameters()}

    @explain_torch_names
    def forward(
        self, x: Tensor, *, mask: Any = None, is_causal: bool = False, absorbed: bool = False
    ) -> Tensor:
        """Return the attention of tokens to each other: `compress`, then `attend`.

        Parameters
        ----------
        x : tensor, shape (..., tokens, d_model)
        mask, is_causal, absorbed
            As in `attend`.

        Returns
        -------
        tensor, shape (..., tokens, d_model), in the type of ``x``
        """
        x = self._tokens(x)
        wide = x.to(self._wide(x))  # or latents of 16 bits were rounded
        output = self.attend(
            wide, *self.compress(wide), mask=mask, is_causal=is_causal, absorbed=absorbed
        )
        return output.to(x.dtype)

    if TYPE_CHECKING:  # nn.Module declares that a call returns anything
        __call__ = forward

    def compress(self, x: Tensor, positions: Any = None) -> tuple[Tensor, Tensor]:
        """Return what a cache stores of the tokens.

        Parameters
        ----------
        x : tensor, shape (..., tokens, d_model)
        positions : tensor or array_like, broadcastable to (..., tokens), optional

        Returns
        -------
        latent : tensor, shape (..., tokens, d_latent)
        rotary_key : tensor, shape (..., tokens, rotary_dim)
        """
        x = self._tokens(x)
        latent = rms_norm(self._project(x, "w_latent"), self.g_latent)
        key = rotary(self._project(x, "w_rotary_key"), positions, base=self.base)
        return latent.to(x.dtype), key.to(x.dtype)

    @explain_torch_names
    def attend(
        self,
        x: Tensor,
        latent: Tensor,
        rotary_key: Tensor,
        *,
        positions: Any = None,
        mask: Any = None,
        is_causal: bool = False,
        absorbed: bool = False,
    ) -> Tensor:
        """Return the attention of tokens to a cache.

        Parameters
        ----------
        x : tensor, shape (..., num_queries, d_model)
        latent : tensor, shape (..., num_keys, d_latent)
        rotary_key : tensor, shape (..., num_keys, rotary_dim)
        positions, mask, is_causal, absorbed
            As in `attn.MultiHeadLatentAttention.attend`.

        Returns
        -------
        tensor, shape (..., num_queries, d_model), in the type of ``x``

        Raises
        ------
        ValueError
            If a width is not that of the layer, or shapes do not broadcast.
        """
        x, latent = self._tokens(x), as_tensor("latent", latent)
        rotary_key = as_tensor("rotary_key", rotary_key)
        check_cache(latent, rotary_key, self.d_latent, self.rotary_dim)
        wide = self._wide(x)
        w_key, w_value = self.w_key.to(wide), self.w_value.to(wide)
        parts = self._query(x, positions, latent.shape[-2]), latent.to(wide), rotary_key.to(wide)
        if mask is not None:
            leading = leading_axes(x=x, latent=latent)
            mask = mask_for_heads(boolean("mask", mask, x.device), leading)
        scale = (self.head_dim + self.rotary_dim) ** -0.5
        attend = partial(scaled_dot_product_attention, mask=mask, is_causal=is_causal, scale=scale)
        heads = formulas.latent_attention(*parts, w_key, w_value, attend, absorbed, affine)
        return self._project(heads, "w_output").to(x.dtype)

    def _query(self, x: Tensor, positions: Any, num_keys: int) -> Tensor:
        """Return the queries of each head, (..., num_heads, tokens, head_dim + rotary_dim)."""
        places = query_positions(positions, x.shape[-2], num_keys)
        rotate = partial(rotary, positions=places, base=self.base)
        projected = self._project(x, "w_query")
        return formulas.latent_queries(projected, self.num_heads, self.head_dim, rotate)

    def _tokens(self, x: Tensor) -> Tensor:
        tokens = as_tensor("x", x)
        check_last_axis("x", tokens, self.d_model)
        return tokens

    def _wide(self, x: Tensor) -> torch.dtype:
        return compute_type(torch.promote_types(x.dtype, self.w_query.dtype))

    def _project(self, x: Tensor, name: str) -> Tensor:
        wide = self._wide(x)
        return affine(x.to(wide), getattr(self, name).to(wide))
