"""Define a causal model of two attention layers alone, whose heads can be removed.

Elhage et al. (2021), "A Mathematical Framework for Transformer Circuits", study this kind. Ours has
layer norms, and its queries and keys are rotated by their positions.
"""

from __future__ import annotations

from collections.abc import Collection

import torch
from torch import Tensor, nn

from attn import merge_heads, rotary, scaled_dot_product_attention, split_heads

WIDTH, NUM_LAYERS, NUM_HEADS = 32, 2, 2

#: A layer and a head, both counted from 1, as in the book.
Head = tuple[int, int]
#: All of them, in the order of the layers.
HEADS: tuple[Head, ...] = tuple(
    (layer + 1, head + 1) for layer in range(NUM_LAYERS) for head in range(NUM_HEADS)
)
#: What a layer computes from its input.
PARTS = ("query", "key", "value")


class CausalLayer(nn.Module):
    """Causal self-attention with rotary positions, without biases."""

    def __init__(self) -> None:
        super().__init__()
        self.to_query, self.to_key, self.to_value, self.to_output = (
            nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4)
        )

    def forward(
        self, for_query: Tensor, for_key: Tensor, for_value: Tensor, ablated: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return what the layer adds, and the weights of its heads.

        Parameters
        ----------
        for_query, for_key, for_value : tensor, shape (batch, num_tokens, WIDTH)
            What queries, keys and values are made of: the same, unless one of them is to miss
            something.
        ablated : bool tensor, shape (NUM_HEADS,)
            Heads whose output is replaced by its mean over the batch, at each position.

        Returns
        -------
        change : tensor, shape (batch, num_tokens, WIDTH)
        weights : tensor, shape (batch, NUM_HEADS, num_tokens, num_tokens)
        """
        query = rotary(split_heads(self.to_query(for_query), NUM_HEADS))
        key = rotary(split_heads(self.to_key(for_key), NUM_HEADS))
        value = split_heads(self.to_value(for_value), NUM_HEADS)
        contexts, weights = scaled_dot_product_attention(
            query, key, value, causal=True, return_weights=True
        )  # (batch, NUM_HEADS, num_tokens, head_dim)
        mean = contexts.mean(dim=0, keepdim=True)
        contexts = torch.where(ablated[:, None, None], mean, contexts)
        return self.to_output(merge_heads(contexts)), weights


class AttentionOnlyModel(nn.Module):
    """Two layers of causal attention, which predict the next token.

    It maps tokens of shape (batch, num_tokens) to logits of shape (batch, num_tokens, num_words).
    """

    def __init__(self, num_words: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(num_words, WIDTH)
        self.layers = nn.ModuleList(CausalLayer() for _ in range(NUM_LAYERS))
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(NUM_LAYERS + 1))
        self.to_logits = nn.Linear(WIDTH, num_words)

    def forward(
        self, tokens: Tensor, without: Collection[Head] = (), unread: Collection[str] = ()
    ) -> Tensor:
        """Return logits; see `forward_with_weights`."""
        return self.forward_with_weights(tokens, without, unread)[0]

    def forward_with_weights(
        self, tokens: Tensor, without: Collection[Head] = (), unread: Collection[str] = ()
    ) -> tuple[Tensor, Tensor]:
        """Return logits, and the weights of every head.

        Parameters
        ----------
        tokens : tensor of int, shape (batch, num_tokens)
        without : collection of (int, int)
            Heads to take out, as (layer, head) from 1: at each position, each gives the mean of its
            outputs over the batch instead ("mean ablation"). It no longer says anything about this
            text, and what it adds to every text stays.
        unread : collection of str, out of `PARTS`
            What layer 2 computes as if layer 1 were taken out, in the same way. Everything else,
            the way past layer 2 included, gets layer 1's output.

        Returns
        -------
        logits : tensor, shape (batch, num_tokens, num_words)
        weights : tensor, shape (batch, NUM_LAYERS, NUM_HEADS, num_tokens, num_tokens)

        Raises
        ------
        ValueError
            If there is no such head or part.
        """
        unknown = sorted(set(without) - set(HEADS))
        if unknown:
            raise ValueError(f"without has {unknown[0]}; expected heads out of {HEADS}")
        if strange := sorted(set(unread) - set(PARTS)):
            raise ValueError(f"unread has {strange[0]!r}; expected parts out of {PARTS}")
        x, all_weights = self.embedding(tokens), []
        blind = x  # what x would be with the layer before taken out
        for number, (layer, norm) in enumerate(zip(self.layers, self.norms, strict=False), start=1):
            ablated = torch.tensor([(number, head + 1) in without for head in range(NUM_HEADS)])
            read = (norm(blind if part in unread else x) for part in PARTS)
            change, weights = layer(*read, ablated)
            blind = x + change.mean(dim=0)
            x = x + change
            all_weights.append(weights)
        return self.to_logits(self.norms[-1](x)), torch.stack(all_weights, dim=1)
