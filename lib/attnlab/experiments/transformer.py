"""A Transformer of one encoder layer and one decoder layer, with relative positions."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn.torch import merge_heads, rotary, scaled_dot_product_attention, split_heads
from attnlab.experiments.translators import Vocabulary, shifted

HEADS = 4


class RotaryAttention(nn.Module):
    """Multi-head attention whose queries and keys are turned by their positions.

    Su et al. (2024), "RoFormer": the scores see how far apart two words stand, and nothing else of
    their positions. Values are not turned.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.to_query, self.to_key, self.to_value, self.output = (
            nn.Linear(width, width) for _ in range(4)
        )

    def forward(
        self, x: Tensor, y: Tensor, *, is_causal: bool = False, uniform: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Return what the tokens ``x`` take from ``y``, and the weights.

        Parameters
        ----------
        x : tensor, shape (batch, num_queries, width)
        y : tensor, shape (batch, num_keys, width)
        is_causal : bool
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
        taken, weights = scaled_dot_product_attention(
            query, key, value, is_causal=is_causal, return_weights=True
        )
        if uniform:
            weights = torch.full_like(weights, 1 / weights.shape[-1])
            taken = weights @ value
        return self.output(merge_heads(taken)), weights


class Block(nn.Module):
    """Self-attention, attention to ``memory`` where there is one, and a feed-forward network.

    Normalised before each part (Xiong et al. 2020), which trains without a warm-up.
    """

    def __init__(self, width: int, looks_at_memory: bool) -> None:
        super().__init__()
        self.attend = RotaryAttention(width)
        self.look_back = RotaryAttention(width) if looks_at_memory else None
        self.think = nn.Sequential(
            nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))

    def forward(
        self, x: Tensor, memory: Tensor | None = None, uniform: bool = False
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the tokens after the block, and the weights of its attentions by name.

        Those are "self", (batch, HEADS, num_tokens, num_tokens), and where the block looks at
        ``memory`` "cross", (batch, HEADS, num_tokens, num_memory).
        """
        read = self.norms[0](x)
        taken, own = self.attend(read, read, is_causal=memory is not None)
        weights, x = {"self": own}, x + taken
        if self.look_back is not None and memory is not None:
            taken, weights["cross"] = self.look_back(self.norms[1](x), memory, uniform=uniform)
            x = x + taken
        return x + self.think(self.norms[2](x)), weights


class TransformerTranslator(nn.Module):
    """Reads with one block and writes with another; no recurrence, no absolute positions.

    Vaswani et al. (2017), section 3, but for the positions and the place of the normalisation.
    """

    def __init__(self, vocabulary: Vocabulary, width: int) -> None:
        super().__init__()
        self.embed_source = nn.Embedding(vocabulary.num_tokens, width)
        self.embed_target = nn.Embedding(vocabulary.num_targets, width)
        self.encoder = Block(width, looks_at_memory=False)
        self.decoder = Block(width, looks_at_memory=True)
        self.norm_memory, self.norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.answer = nn.Linear(width, vocabulary.num_targets)

    def look(self, tokens: Tensor, target: Tensor, uniform: bool = False) -> tuple[Tensor, Tensor]:
        """Return logits and cross-attention's weights, (batch, HEADS, num_targets, num_tokens)."""
        logits, weights = self._write(tokens, target, uniform)
        return logits, weights["cross"]

    def attentions(self, tokens: Tensor, target: Tensor) -> dict[str, Tensor]:
        """Return the weights of every attention of the decoder.

        "cross", (batch, HEADS, num_targets, num_tokens), and "self", (batch, HEADS, num_targets,
        num_targets): its keys are the words written before, the mark for the beginning first.
        """
        return self._write(tokens, target)[1]

    def _write(
        self, tokens: Tensor, target: Tensor, uniform: bool = False
    ) -> tuple[Tensor, dict[str, Tensor]]:
        read, _ = self.encoder(self.embed_source(tokens))
        words = self.embed_target(shifted(target))
        written, weights = self.decoder(words, self.norm_memory(read), uniform)
        return self.answer(self.norm(written)), weights

    def forward(self, tokens: Tensor, target: Tensor, uniform: bool = False) -> Tensor:
        """Return logits; with ``uniform`` every source word gets the same weight."""
        return self.look(tokens, target, uniform)[0]
