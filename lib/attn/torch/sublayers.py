"""Define the parts of layers: attention with or without a cache, a network, and a norm."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

import torch
from torch import Tensor, nn
from torch.nn import functional

from attn._arguments import check_count
from attn.cache import KeyValueCache
from attn.formulas.features import LENGTH_EPSILON
from attn.torch.multi_head import MultiHeadAttention

Activation = Literal["relu", "gelu", "swiglu"]
NormKind = Literal["layer", "rms"]


@dataclass
class LayerCache:
    """Keys and values that a decoder layer keeps between steps, split into heads.

    Parameters
    ----------
    own
        Of the tokens written so far, for causal self-attention.
    cross
        Of the source, for attention to the encoder's output: computed at the first step only.
    """

    own: KeyValueCache = field(default_factory=KeyValueCache)
    cross: KeyValueCache = field(default_factory=KeyValueCache)


class BlockOptions(TypedDict, total=False):
    """Arguments of a layer that its stack and its model hand on."""

    head_dim: int | None
    dropout: float
    norm_first: bool
    activation: Activation
    norm: NormKind
    device: torch.device | str | None
    dtype: torch.dtype | None


class DecoderOptions(TypedDict, total=False):
    """What hides tokens of the target and of the source, and what is kept of earlier steps."""

    mask: Any
    memory_mask: Any
    cache: Any


def feed_forward(
    d_model: int, d_hidden: int | None, dropout: float, activation: Activation, **place: Any
) -> nn.Module:
    """Return the network that is applied to each token by itself."""
    if activation == "swiglu":
        return GatedNetwork(
            d_model, 8 * d_model // 3 if d_hidden is None else d_hidden, dropout, **place
        )
    activations = {"relu": nn.ReLU, "gelu": nn.GELU}
    if activation not in activations:
        raise ValueError(f"activation is {activation!r}; expected 'relu', 'gelu' or 'swiglu'")
    d_hidden = 4 * d_model if d_hidden is None else check_count("d_hidden", d_hidden, 1)
    return nn.Sequential(
        nn.Linear(d_model, d_hidden, **place),
        activations[activation](),
        nn.Dropout(dropout),
        nn.Linear(d_hidden, d_model, **place),
    )


class GatedNetwork(nn.Module):
    """`swiglu` with learned weights, and dropout on its hidden features.

    Parameters
    ----------
    d_model, d_hidden : int
    dropout : float
    place
        Device and dtype.
    """

    def __init__(self, d_model: int, d_hidden: int, dropout: float, **place: Any) -> None:
        super().__init__()
        hidden = check_count("d_hidden", d_hidden, 1)
        self.gate, self.inner = (nn.Linear(d_model, hidden, bias=False, **place) for _ in range(2))
        self.outer = nn.Linear(hidden, d_model, bias=False, **place)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Return the tokens after the network, (batch, tokens, d_model)."""
        hidden = functional.silu(self.gate(x)) * self.inner(x)  # (batch, tokens, d_hidden)
        result: Tensor = self.outer(self.dropout(hidden))
        return result


def make_norm(kind: NormKind, d_model: int, **place: Any) -> nn.Module:
    """Return a normalisation of each token, with what it learns."""
    if kind == "layer":
        return nn.LayerNorm(d_model, **place)
    if kind == "rms":
        return nn.RMSNorm(d_model, eps=LENGTH_EPSILON, **place)
    raise ValueError(f"norm is {kind!r}; expected 'layer' or 'rms'")


def last_norm(d_model: int, **options: Any) -> nn.Module:
    """Return what follows the last layer of a stack, whose options are those of its layers."""
    if not options.get("norm_first", False):
        return nn.Identity()
    place = {name: options[name] for name in ("device", "dtype") if name in options}
    return make_norm(options.get("norm", "layer"), d_model, **place)


def attend(
    attention: MultiHeadAttention,
    query: Tensor,
    key: Tensor | None,
    *,
    mask: Any,
    need_weights: bool,
    causal: bool = False,
    cache: KeyValueCache | None = None,
) -> tuple[Tensor, Tensor | None]:
    """Return the output and, if needed, the weights: without them a fused kernel can serve."""
    if cache is not None and key is not None and cache.num_tokens:
        # The source has not changed since its keys and values were stored.
        key = key[..., :0, :]
    result = attention(
        query, key, cache=cache, mask=mask, causal=causal, return_weights=need_weights
    )
    return result if isinstance(result, tuple) else (result, None)
