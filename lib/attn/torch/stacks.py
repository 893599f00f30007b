"""Stacks of layers: an encoder and a decoder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Unpack, overload

from torch import Tensor, nn

from attn._arguments import check_count
from attn._hints import explain_torch_names
from attn._types import Given, LayerOptions
from attn.torch.layers import DecoderLayer, EncoderLayer
from attn.torch.sublayers import BlockOptions, DecoderOptions, LayerCache, last_norm


class Encoder(nn.Module):
    """A stack of `EncoderLayer`: every token may attend to every token.

    Parameters
    ----------
    num_layers, d_model, num_heads : int
    d_hidden, options
        As in `EncoderLayer`. With ``norm_first`` the output is normalised once more.

    Examples
    --------
    >>> import torch
    >>> encode = Encoder(num_layers=2, d_model=12, num_heads=3)
    >>> encode(torch.ones(2, 5, 12)).shape
    torch.Size([2, 5, 12])
    """

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        d_hidden: int | None = None,
        **options: Unpack[BlockOptions],
    ) -> None:
        super().__init__()
        sizes = (d_model, num_heads, d_hidden)
        self.layers = nn.ModuleList(
            EncoderLayer(*sizes, **options) for _ in range(check_count("num_layers", num_layers))
        )
        self.norm = last_norm(d_model, **options)

    @overload
    def forward(
        self,
        x: Tensor,
        *,
        return_weights: Literal[False] = ...,
        **options: Unpack[LayerOptions],
    ) -> Tensor: ...
    @overload
    def forward(
        self,
        x: Tensor,
        *,
        return_weights: Literal[True],
        **options: Unpack[LayerOptions],
    ) -> tuple[Tensor, list[Tensor]]: ...
    @overload
    def forward(
        self,
        x: Tensor,
        *,
        return_weights: bool,
        **options: Unpack[LayerOptions],
    ) -> Tensor | tuple[Tensor, list[Tensor]]: ...

    @explain_torch_names
    def forward(
        self,
        x: Tensor,
        *,
        mask: Given | None = None,
        causal: bool = False,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, list[Tensor]]:
        """Return the encoded tokens, and on request the weights of each layer.

        Parameters
        ----------
        x : tensor, shape (batch, tokens, d_model)
        mask : bool tensor, broadcastable to (batch, tokens, tokens), optional
        causal, return_weights : bool

        Returns
        -------
        output : tensor, shape (batch, tokens, d_model)
        weights : list of tensor, each of shape (batch, num_heads, tokens, tokens)
            Only with ``return_weights``.
        """
        all_weights = []
        for layer in self.layers:
            if return_weights:
                x, weights = layer(x, mask=mask, causal=causal, return_weights=True)
                all_weights.append(weights)
            else:
                x = layer(x, mask=mask, causal=causal)
        return (self.norm(x), all_weights) if return_weights else self.norm(x)

    if TYPE_CHECKING:  # nn.Module declares that a call returns anything
        __call__ = forward


class Decoder(nn.Module):
    """A stack of `DecoderLayer`: tokens attend to earlier ones, and to the encoder's output.

    Parameters
    ----------
    num_layers, d_model, num_heads : int
    d_hidden, d_memory, options
        As in `DecoderLayer`. With ``norm_first`` the output is normalised once more.

    Examples
    --------
    >>> import torch
    >>> decode = Decoder(num_layers=2, d_model=12, num_heads=3)
    >>> decode(torch.ones(2, 4, 12), torch.ones(2, 5, 12)).shape
    torch.Size([2, 4, 12])
    """

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        d_hidden: int | None = None,
        *,
        d_memory: int | None = None,
        **options: Unpack[BlockOptions],
    ) -> None:
        super().__init__()
        sizes = (d_model, num_heads, d_hidden)
        self.layers = nn.ModuleList(
            DecoderLayer(*sizes, d_memory=d_memory, **options)
            for _ in range(check_count("num_layers", num_layers))
        )
        self.norm = last_norm(d_model, **options)

    @overload
    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = ...,
        *,
        return_weights: Literal[False] = ...,
        **options: Unpack[DecoderOptions],
    ) -> Tensor: ...
    @overload
    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = ...,
        *,
        return_weights: Literal[True],
        **options: Unpack[DecoderOptions],
    ) -> tuple[Tensor, list[dict[str, Tensor]]]: ...
    @overload
    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = ...,
        *,
        return_weights: bool,
        **options: Unpack[DecoderOptions],
    ) -> Tensor | tuple[Tensor, list[dict[str, Tensor]]]: ...

    @explain_torch_names
    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        *,
        mask: Given | None = None,
        memory_mask: Given | None = None,
        cache: list[LayerCache] | None = None,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, list[dict[str, Tensor]]]:
        """Return the target's tokens, and on request the weights of each layer.

        Parameters
        ----------
        x : tensor, shape (batch, target_tokens, d_model)
        memory : tensor, shape (batch, source_tokens, d_memory), optional
        mask, memory_mask, return_weights
            As in `DecoderLayer`.
        cache : optional
            Keys and values of the tokens before ``x``, from `new_cache`; those of ``x`` are added.

        Returns
        -------
        output : tensor, shape (batch, target_tokens, d_model)
        weights : list of dict of tensor
            Only with ``return_weights``; see `DecoderLayer`.
        """
        all_weights = []
        options = {"mask": mask, "memory_mask": memory_mask}
        caches = [None] * len(self.layers) if cache is None else cache
        for layer, kept in zip(self.layers, caches, strict=True):
            if return_weights:
                x, weights = layer(x, memory, **options, cache=kept, return_weights=True)
                all_weights.append(weights)
            else:
                x = layer(x, memory, **options, cache=kept)
        return (self.norm(x), all_weights) if return_weights else self.norm(x)

    if TYPE_CHECKING:  # nn.Module declares that a call returns anything
        __call__ = forward

    def new_cache(self) -> list[LayerCache]:
        """Return an empty cache for each layer, to decode token by token."""
        return [LayerCache() for _ in self.layers]
