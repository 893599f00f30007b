"""Four small models that read a sentence and name one participle: all that differs is how they look
back.

Each maps tokens of shape (batch, num_tokens) to logits of shape (batch, num_participles).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn.torch import merge_heads, scaled_dot_product_attention, split_heads
from attnlab.experiments.grammar import Grammar

WIDTH = 32


def _answer(width: int, grammar: Grammar) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, grammar.num_participles))


class FixedVector(nn.Module):
    """A GRU that reads from left to right; only its last state, one vector, gives the answer.

    Cho et al. (2014), "Learning Phrase Representations using RNN Encoder-Decoder".
    """

    def __init__(self, grammar: Grammar, width: int = WIDTH) -> None:
        super().__init__()
        self.embed = nn.Embedding(grammar.num_tokens, WIDTH)
        self.read = nn.GRU(WIDTH, width, batch_first=True)
        self.answer = _answer(width, grammar)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits."""
        _, last = self.read(self.embed(tokens))  # (1, batch, width)
        return self.answer(last[0])


class Convolution(nn.Module):
    """Layers of convolutions; the last position sees ``layers * (kernel - 1)`` tokens back."""

    def __init__(self, grammar: Grammar, layers: int = 4, kernel: int = 3) -> None:
        super().__init__()
        self.reach = layers * (kernel - 1)
        self.embed = nn.Embedding(grammar.num_tokens, WIDTH)
        self.layers = nn.ModuleList(nn.Conv1d(WIDTH, WIDTH, kernel) for _ in range(layers))
        self.answer = _answer(WIDTH, grammar)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits."""
        # Only what the last position can see is computed; short sentences are padded in front.
        seen = self.embed(tokens[:, -(self.reach + 1) :])
        x = nn.functional.pad(seen.transpose(1, 2), (self.reach + 1 - seen.shape[1], 0))
        for layer in self.layers:
            new = torch.relu(layer(x))
            x = new + x[..., -new.shape[-1] :]
        return self.answer(x[..., -1])


class OneLayerAttention(nn.Module):
    """One attention from the verb to all words; no layer mixes the words before it.

    The scores get a linear bias, ``slope`` times the distance to the key in tokens, with a learned
    slope (Press et al. 2022 use fixed ones); without ``positions`` the order is invisible.
    """

    def __init__(self, grammar: Grammar, positions: bool = True) -> None:
        super().__init__()
        self.embed = nn.Embedding(grammar.num_tokens, WIDTH)
        # From wider starting points some nouns begin with a score so low that they are never seen.
        nn.init.normal_(self.embed.weight, std=0.6)
        self.to_query = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_value = nn.Linear(WIDTH, WIDTH, bias=False)
        self.slope = nn.Parameter(torch.zeros(1)) if positions else None
        self.answer = _answer(2 * WIDTH, grammar)

    def look(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Return the context, (batch, 1, WIDTH), and the weights, (batch, 1, num_tokens)."""
        words = self.embed(tokens)
        bias = None if self.slope is None else self.slope * _distance(tokens)
        return scaled_dot_product_attention(
            self.to_query(words[:, -1:]),
            self.to_key(words),
            self.to_value(words),
            bias=bias,
            return_weights=True,
        )

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits."""
        context, _ = self.look(tokens)
        verb = self.embed(tokens[:, -1])
        return self.answer(torch.cat([verb, context[:, 0]], dim=-1))


class LearnedQuestion(nn.Module):
    """Heads that ask one learned question each; what they bring back is all the answer gets.

    The verb is not handed on beside them, so they must fetch both the verb and the subject's
    gender. The width is shared out: one head of 32 or two of 16 have equally many parameters, but
    for one slope.

    Parameters
    ----------
    grammar : Grammar
    slopes : tuple of float
        Where the learned slope of each head starts, in nats a token; one head for each.
    """

    def __init__(self, grammar: Grammar, slopes: tuple[float, ...]) -> None:
        super().__init__()
        self.num_heads = len(slopes)
        self.embed = nn.Embedding(grammar.num_tokens, WIDTH)
        self.query = nn.Parameter(torch.randn(1, WIDTH))
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_value = nn.Linear(WIDTH, WIDTH, bias=False)
        self.slopes = nn.Parameter(torch.tensor(slopes))
        self.answer = _answer(WIDTH, grammar)

    def look(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Return the context, (batch, heads, 1, head_dim), and the weights, (…, 1, num_tokens)."""
        words = self.embed(tokens)
        return scaled_dot_product_attention(
            split_heads(self.query, self.num_heads),
            split_heads(self.to_key(words), self.num_heads),
            split_heads(self.to_value(words), self.num_heads),
            bias=self.slopes[:, None, None] * _distance(tokens),
            return_weights=True,
        )

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits."""
        context, _ = self.look(tokens)
        return self.answer(merge_heads(context)[:, 0])


def _distance(tokens: Tensor) -> Tensor:
    """Return how many tokens before the last one each token stands, shape (num_tokens,)."""
    return torch.arange(tokens.shape[1] - 1, -1, -1, dtype=torch.float32)
