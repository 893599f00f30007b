"""Define causal attention layers of which some see all earlier tokens and others a window."""

from __future__ import annotations

from torch import Tensor, nn

from attn import (
    RotaryScaling,
    attention_weights,
    merge_heads,
    rotary,
    scaled_dot_product_attention,
    sliding_window_mask,
    split_heads,
)

WIDTH, NUM_HEADS = 32, 2


class RotaryLayer(nn.Module):
    """Causal self-attention with rotary positions, without biases."""

    def __init__(self) -> None:
        super().__init__()
        self.to_query, self.to_key, self.to_value, self.to_output = (
            nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4)
        )

    def turned(self, x: Tensor, scaling: RotaryScaling | None) -> tuple[Tensor, Tensor]:
        """Return rotated queries and keys, each (batch, NUM_HEADS, num_tokens, head_dim)."""
        query, key = (
            rotary(split_heads(project(x), NUM_HEADS), scaling=scaling)
            for project in (self.to_query, self.to_key)
        )
        return query, key

    def forward(
        self, x: Tensor, mask: Tensor | None = None, scaling: RotaryScaling | None = None
    ) -> Tensor:
        """Return what the layer adds, of the shape of ``x``, (batch, num_tokens, WIDTH)."""
        query, key = self.turned(x, scaling)
        value = split_heads(self.to_value(x), NUM_HEADS)
        return self.to_output(
            merge_heads(scaled_dot_product_attention(query, key, value, mask=mask, causal=True))
        )


class LayerMix(nn.Module):
    """Attention layers, each global or local, with norms and residual connections around them.

    It maps tokens of shape (batch, num_tokens) to logits of the next ones, (batch, num_tokens,
    num_words). All mixes of as many layers have the same parameters.

    Parameters
    ----------
    num_words : int
    layers : str
        A letter for each layer, the first one first: G sees all earlier tokens, L the newest
        ``window``.
    window : int
        Tokens that a local layer sees, the newest included.
    """

    def __init__(self, num_words: int, layers: str, window: int = 1) -> None:
        super().__init__()
        self.kinds, self.window = layers, window
        self.embedding = nn.Embedding(num_words, WIDTH)
        self.layers = nn.ModuleList(RotaryLayer() for _ in layers)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(len(layers) + 1))
        self.to_logits = nn.Linear(WIDTH, num_words)

    def forward(self, tokens: Tensor, scaling: RotaryScaling | None = None) -> Tensor:
        """Return logits; ``scaling`` lowers the frequencies of the rotary positions."""
        num_tokens, x = tokens.shape[-1], self.embedding(tokens)
        near = sliding_window_mask(num_tokens, num_tokens, self.window - 1, like=x)
        for kind, layer, norm in zip(self.kinds, self.layers, self.norms, strict=False):
            x = x + layer(norm(x), near if kind == "L" else None, scaling)
        return self.to_logits(self.norms[-1](x))

    def first_weights(self, tokens: Tensor, scaling: RotaryScaling | None = None) -> Tensor:
        """Return the weights of the first layer, a global one: (batch, NUM_HEADS, keys, keys)."""
        first = self.layers[0]
        assert isinstance(first, RotaryLayer)
        query, key = first.turned(self.norms[0](self.embedding(tokens)), scaling)
        return attention_weights(query, key, causal=True)
