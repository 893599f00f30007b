"""The layers of a Transformer: attention and a feed-forward network, each with a residual."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import torch
from torch import Tensor, nn

from attn._arguments import check_count
from attn._hints import explain_torch_names
from attn._types import Given, LayerOptions
from attn.torch.multi_head import MultiHeadAttention
from attn.torch.sublayers import (
    Activation,
    DecoderOptions,
    LayerCache,
    NormKind,
    attend,
    feed_forward,
    make_norm,
)


class EncoderLayer(nn.Module):
    r"""Self-attention, then a feed-forward network: :math:`\mathrm{Norm}(x + f(x))` of each.

    Parameters
    ----------
    d_model, num_heads : int
    d_hidden : int, optional
        Width inside the feed-forward network; when not given, 4 * d_model, and two thirds of that
        in a gated one.
    head_dim : int, optional
        See `MultiHeadAttention`.
    dropout : float
        Probability with which a number is dropped from what is added to x, and inside the network.
    norm_first : bool
        :math:`x + f(\mathrm{Norm}(x))` instead ("pre-norm").
    activation : "relu", "gelu" or "swiglu"
        What the feed-forward network does with its hidden features; "swiglu" is a gated network
        without biases (`attn.swiglu`).
    norm : "layer" or "rms"
        Layer normalisation, or `attn.rms_norm` with a learned gain.
    device, dtype : optional
        Of the parameters; torch's usual ones when not given.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", sections 3.1, 3.3 and 5.4; for
    ``norm_first`` Xiong et al. (2020), "On Layer Normalization in the Transformer Architecture".
    For the options of today see `attn.rms_norm` and `attn.swiglu`.

    Examples
    --------
    >>> import torch
    >>> layer = EncoderLayer(d_model=12, num_heads=3)
    >>> layer(torch.ones(2, 5, 12)).shape
    torch.Size([2, 5, 12])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_hidden: int | None = None,
        *,
        head_dim: int | None = None,
        dropout: float = 0.1,
        norm_first: bool = False,
        activation: Activation = "relu",
        norm: NormKind = "layer",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        place: Any = {"device": device, "dtype": dtype}
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, num_heads, head_dim, **place)
        self.feed_forward = feed_forward(d_model, d_hidden, dropout, activation, **place)
        self.norm_attention = make_norm(norm, d_model, **place)
        self.norm_feed_forward = make_norm(norm, d_model, **place)
        self.dropout = nn.Dropout(dropout)

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
    ) -> tuple[Tensor, Tensor]: ...
    @overload
    def forward(
        self,
        x: Tensor,
        *,
        return_weights: bool,
        **options: Unpack[LayerOptions],
    ) -> Tensor | tuple[Tensor, Tensor]: ...

    @explain_torch_names
    def forward(
        self,
        x: Tensor,
        *,
        mask: Given | None = None,
        causal: bool = False,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Return the tokens after the layer, and on request its weights.

        Parameters
        ----------
        x : tensor, shape (batch, tokens, d_model)
        mask : bool tensor, broadcastable to (batch, tokens, tokens), optional
            True = may attend; usually a `attn.padding_mask`.
        causal, return_weights : bool

        Returns
        -------
        output : tensor, shape (batch, tokens, d_model)
        weights : tensor, shape (batch, num_heads, tokens, tokens)
            Only with ``return_weights``.
        """
        read = self.norm_attention(x) if self.norm_first else x
        attended, weights = attend(
            self.attention, read, None, mask=mask, causal=causal, need_weights=return_weights
        )
        x = _add(self, x, attended, self.norm_attention)
        read = self.norm_feed_forward(x) if self.norm_first else x
        x = _add(self, x, self.feed_forward(read), self.norm_feed_forward)
        return (x, weights) if weights is not None else x

    if TYPE_CHECKING:  # nn.Module declares that a call returns anything
        __call__ = forward


def _add(layer: EncoderLayer | DecoderLayer, x: Tensor, change: Tensor, norm: nn.Module) -> Tensor:
    """Return what goes on after a sublayer."""
    x = x + layer.dropout(change)
    normed: Tensor = x if layer.norm_first else norm(x)
    return normed


class DecoderLayer(nn.Module):
    """Causal self-attention, attention to the encoder's output, and a feed-forward network.

    Parameters
    ----------
    d_model, num_heads, d_hidden, head_dim, dropout, norm_first, activation, norm, device, dtype
        As in `EncoderLayer`.
    d_memory : int, optional
        Width of the encoder's output; ``d_model`` when not given. 0: there is no encoder, and the
        layer has no attention to it.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", sections 3.1 and 3.2.3.

    Examples
    --------
    >>> import torch
    >>> layer = DecoderLayer(d_model=12, num_heads=3)
    >>> layer(torch.ones(2, 4, 12), torch.ones(2, 5, 12)).shape
    torch.Size([2, 4, 12])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_hidden: int | None = None,
        *,
        d_memory: int | None = None,
        head_dim: int | None = None,
        dropout: float = 0.1,
        norm_first: bool = False,
        activation: Activation = "relu",
        norm: NormKind = "layer",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        place: Any = {"device": device, "dtype": dtype}
        self.norm_first = norm_first
        self.self_attention = MultiHeadAttention(d_model, num_heads, head_dim, **place)
        self.norm_self = make_norm(norm, d_model, **place)
        d_memory = d_model if d_memory is None else check_count("d_memory", d_memory)
        self.cross_attention, self.norm_cross = None, None
        if d_memory:
            self.cross_attention = MultiHeadAttention(
                d_model, num_heads, head_dim, d_key=d_memory, **place
            )
            self.norm_cross = make_norm(norm, d_model, **place)
        self.feed_forward = feed_forward(d_model, d_hidden, dropout, activation, **place)
        self.norm_feed_forward = make_norm(norm, d_model, **place)
        self.dropout = nn.Dropout(dropout)

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
    ) -> tuple[Tensor, dict[str, Tensor]]: ...
    @overload
    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = ...,
        *,
        return_weights: bool,
        **options: Unpack[DecoderOptions],
    ) -> Tensor | tuple[Tensor, dict[str, Tensor]]: ...

    @explain_torch_names
    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        *,
        mask: Given | None = None,
        memory_mask: Given | None = None,
        cache: LayerCache | None = None,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, dict[str, Tensor]]:
        """Return the target's tokens after the layer, and on request its weights.

        Parameters
        ----------
        x : tensor, shape (batch, target_tokens, d_model)
        memory : tensor, shape (batch, source_tokens, d_memory), optional
            What the encoder returned; needed unless ``d_memory`` is 0.
        mask : bool tensor, broadcastable to (batch, target_tokens, target_tokens), optional
            The future is hidden in any case.
        memory_mask : bool tensor, broadcastable to (batch, target_tokens, source_tokens), optional
            The source's `attn.padding_mask`.
        cache : optional
            Keys and values of the tokens before ``x``; those of ``x`` are added.
        return_weights : bool

        Returns
        -------
        output : tensor, shape (batch, target_tokens, d_model)
        weights : dict of tensor
            Only with ``return_weights``: "self" and, with memory, "cross"; each of shape (batch,
            num_heads, target_tokens, keys).

        Raises
        ------
        ValueError
            If ``memory`` is missing, or given to a layer without attention to it.
        """
        if (memory is None) != (self.cross_attention is None):
            state, expected = ("missing", "given") if memory is None else ("given", "None")
            raise ValueError(f"memory is {state}; expected it {expected}: see d_memory")
        weights: dict[str, Any] = {}
        read = self.norm_self(x) if self.norm_first else x
        options: dict[str, Any] = {"mask": mask, "causal": True, "need_weights": return_weights}
        own, crossed = (None, None) if cache is None else (cache.own, cache.cross)
        attended, weights["self"] = attend(self.self_attention, read, None, cache=own, **options)
        x = _add(self, x, attended, self.norm_self)
        if self.cross_attention is not None and self.norm_cross is not None:
            read = self.norm_cross(x) if self.norm_first else x
            options |= {"mask": memory_mask, "causal": False}
            attended, weights["cross"] = attend(
                self.cross_attention, read, memory, cache=crossed, **options
            )
            x = _add(self, x, attended, self.norm_cross)
        read = self.norm_feed_forward(x) if self.norm_first else x
        x = _add(self, x, self.feed_forward(read), self.norm_feed_forward)
        return (x, weights) if return_weights else x

    if TYPE_CHECKING:  # nn.Module declares that a call returns anything
        __call__ = forward
