"""Define a Transformer of one encoder and one decoder layer, with relative positions."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn import merge_heads, rotary, scaled_dot_product_attention, split_heads
from attnlab.models.translators import Vocabulary, shifted

HEADS = 4


class RotaryAttention(nn.Module):
    """Multi-head attention whose queries and keys are rotated by their positions.

    Su et al. (2024), "RoFormer": of the positions, the scores depend only on how far apart two
    words stand. Values are not rotated.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.to_query, self.to_key, self.to_value, self.to_output = (
            nn.Linear(width, width) for _ in range(4)
        )

    def forward(
        self, x: Tensor, y: Tensor, *, causal: bool = False, uniform: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Return the attention of the tokens ``x`` to ``y``, and the weights.

        Parameters
        ----------
        x : tensor, shape (batch, num_queries, width)
        y : tensor, shape (batch, num_keys, width)
        causal : bool
        uniform : bool
            Give every key the same weight, whatever was learned.

        Returns
        -------
        output : tensor, shape (batch, num_queries, width)
        weights : tensor, shape (batch, HEADS, num_queries, num_keys)
        """
        query, key = (
            rotary(split_heads(project(tokens), HEADS))
            for project, tokens in ((self.to_query, x), (self.to_key, y))
        )
        value = split_heads(self.to_value(y), HEADS)
        context, weights = scaled_dot_product_attention(
            query, key, value, causal=causal, return_weights=True
        )
        if uniform:
            weights = torch.full_like(weights, 1 / weights.shape[-1])
            context = weights @ value
        return self.to_output(merge_heads(context)), weights


class Block(nn.Module):
    """Self-attention, cross-attention if it is a decoder's, and a feed-forward network.

    Each part is preceded by a layer norm (Xiong et al. 2020), which trains without a warm-up.
    """

    def __init__(self, width: int, is_decoder: bool) -> None:
        super().__init__()
        self.self_attention = RotaryAttention(width)
        self.cross_attention = RotaryAttention(width) if is_decoder else None
        self.feed_forward = nn.Sequential(
            nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))

    def forward(
        self, x: Tensor, memory: Tensor | None = None, uniform: bool = False
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the tokens after the block, and the weights of its attentions by name.

        Those are "self", (batch, HEADS, num_tokens, num_tokens), and in a decoder
        "cross", (batch, HEADS, num_tokens, num_memory).
        """
        normed = self.norms[0](x)
        change, own = self.self_attention(normed, normed, causal=memory is not None)
        weights, x = {"self": own}, x + change
        if self.cross_attention is not None and memory is not None:
            change, weights["cross"] = self.cross_attention(
                self.norms[1](x), memory, uniform=uniform
            )
            x = x + change
        return x + self.feed_forward(self.norms[2](x)), weights


class TransformerTranslator(nn.Module):
    """An encoder of one block and a decoder of one block, without recurrence or absolute positions.

    Vaswani et al. (2017), section 3, but for the positions and the place of the normalisation.
    """

    def __init__(self, vocabulary: Vocabulary, width: int) -> None:
        super().__init__()
        self.embed_source = nn.Embedding(vocabulary.num_tokens, width)
        self.embed_target = nn.Embedding(vocabulary.num_targets, width)
        self.encoder = Block(width, is_decoder=False)
        self.decoder = Block(width, is_decoder=True)
        self.norm_memory, self.norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.to_logits = nn.Linear(width, vocabulary.num_targets)

    def forward_with_weights(
        self, tokens: Tensor, target: Tensor, uniform: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Return logits and cross-attention's weights, (batch, HEADS, num_targets, num_tokens)."""
        logits, weights = self._decode(tokens, target, uniform)
        return logits, weights["cross"]

    def attentions(self, tokens: Tensor, target: Tensor) -> dict[str, Tensor]:
        """Return the weights of every attention of the decoder.

        "cross", (batch, HEADS, num_targets, num_tokens), and "self", (batch, HEADS, num_targets,
        num_targets): its keys are the words written before, the mark for the beginning first.
        """
        return self._decode(tokens, target)[1]

    def _decode(
        self, tokens: Tensor, target: Tensor, uniform: bool = False
    ) -> tuple[Tensor, dict[str, Tensor]]:
        encoded, _ = self.encoder(self.embed_source(tokens))
        words = self.embed_target(shifted(target))
        decoded, weights = self.decoder(words, self.norm_memory(encoded), uniform)
        return self.to_logits(self.norm(decoded)), weights

    def forward(self, tokens: Tensor, target: Tensor, uniform: bool = False) -> Tensor:
        """Return logits; with ``uniform`` every source word gets the same weight."""
        return self.forward_with_weights(tokens, target, uniform)[0]
