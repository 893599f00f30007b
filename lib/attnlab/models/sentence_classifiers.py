"""Define four small models that read a sentence and predict one participle.

They differ only in how the verb gets information from the words before it.

Each maps tokens of shape (batch, num_tokens) to logits of shape (batch, num_participles).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn import merge_heads, scaled_dot_product_attention, split_heads
from attnlab.data.grammar import Grammar

WIDTH = 32


def _to_logits(width: int, grammar: Grammar) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, grammar.num_participles))


class GRUClassifier(nn.Module):
    """A GRU that reads from left to right; only its last state, one vector, gives the logits.

    Cho et al. (2014), "Learning Phrase Representations using RNN Encoder-Decoder".

    Parameters
    ----------
    grammar : Grammar
    width : int
        Numbers in the state.
    keeping : bool
        Start with update gates that mostly keep the state, see `start_keeping`.
    """

    def __init__(self, grammar: Grammar, width: int = WIDTH, keeping: bool = False) -> None:
        super().__init__()
        self.embed = nn.Embedding(grammar.num_tokens, WIDTH)
        self.encoder = nn.GRU(WIDTH, width, batch_first=True)
        if keeping:
            start_keeping(self.encoder)
        self.to_logits = _to_logits(width, grammar)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits."""
        _, last = self.encoder(self.embed(tokens))  # (1, batch, width)
        return self.to_logits(last[0])


@torch.no_grad()
def start_keeping(gru: nn.GRU, bias: float = 2.0) -> None:
    """Set the bias of the update gates of a GRU, so that at first it mostly keeps its state.

    By PyTorch's formula the new state is ``z`` times the old one plus ``1 - z`` times what the
    word adds. With a bias of 2 a gate starts near ``z = 0.88``, without one near 0.5.
    """
    for name, parameter in gru.named_parameters():
        if name.startswith("bias_ih"):
            parameter[gru.hidden_size : 2 * gru.hidden_size] = bias


class ConvolutionClassifier(nn.Module):
    """Layers of convolutions; the last position sees ``layers * (kernel - 1)`` tokens back."""

    def __init__(
        self, grammar: Grammar, layers: int = 4, kernel: int = 3, width: int = WIDTH
    ) -> None:
        super().__init__()
        self.reach = layers * (kernel - 1)
        self.embed = nn.Embedding(grammar.num_tokens, width)
        self.layers = nn.ModuleList(nn.Conv1d(width, width, kernel) for _ in range(layers))
        self.to_logits = _to_logits(width, grammar)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits."""
        # Only what the last position can see is computed. Short sentences are padded in front.
        visible = self.embed(tokens[:, -(self.reach + 1) :])
        x = nn.functional.pad(visible.transpose(1, 2), (self.reach + 1 - visible.shape[1], 0))
        for layer in self.layers:
            new = torch.relu(layer(x))
            x = new + x[..., -new.shape[-1] :]
        return self.to_logits(x[..., -1])


class AttentionClassifier(nn.Module):
    """One attention from the verb to all words; no layer before it mixes the words.

    The scores get a linear bias, ``slope`` times the distance to the key in tokens, with a learned
    slope (Press et al. 2022 use fixed ones); without ``positions`` the order is invisible.
    """

    def __init__(self, grammar: Grammar, positions: bool = True) -> None:
        super().__init__()
        self.embed = nn.Embedding(grammar.num_tokens, WIDTH)
        # With a larger spread some nouns start with scores so low that they never get weight.
        nn.init.normal_(self.embed.weight, std=0.6)
        self.to_query = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.to_value = nn.Linear(WIDTH, WIDTH, bias=False)
        self.slope = nn.Parameter(torch.zeros(1)) if positions else None
        self.to_logits = _to_logits(2 * WIDTH, grammar)

    def forward_with_weights(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
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
        context, _ = self.forward_with_weights(tokens)
        verb = self.embed(tokens[:, -1])
        return self.to_logits(torch.cat([verb, context[:, 0]], dim=-1))


class LearnedQueryClassifier(nn.Module):
    """Heads with one learned query each; their context is all that the logits depend on.

    The verb is not passed on beside them, so they must fetch both the verb and the subject's
    gender. The heads share the width: one head of 32 or two of 16 have equally many parameters,
    but for one slope.

    Parameters
    ----------
    grammar : Grammar
    slopes : tuple of float
        The initial value of each head's learned slope, in nats per token; one head for each.
    width : int
        The width of all heads together.
    """

    def __init__(self, grammar: Grammar, slopes: tuple[float, ...], width: int = WIDTH) -> None:
        super().__init__()
        self.num_heads = len(slopes)
        self.embed = nn.Embedding(grammar.num_tokens, width)
        self.query = nn.Parameter(torch.randn(1, width))
        self.to_key = nn.Linear(width, width, bias=False)
        self.to_value = nn.Linear(width, width, bias=False)
        self.slopes = nn.Parameter(torch.tensor(slopes))
        self.to_logits = _to_logits(width, grammar)

    def forward_with_weights(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
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
        context, _ = self.forward_with_weights(tokens)
        return self.to_logits(merge_heads(context)[:, 0])


def _distance(tokens: Tensor) -> Tensor:
    """Return how many tokens before the last one each token stands, shape (num_tokens,)."""
    return torch.arange(tokens.shape[1] - 1, -1, -1, dtype=torch.float32)
