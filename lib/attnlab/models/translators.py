"""Define two recurrent encoder-decoders that differ in what the decoder gets.

Both map source tokens, (batch, num_tokens), and the target, (batch, num_targets), to logits of
shape (batch, num_targets, vocabulary); each step sees the right word before it (teacher forcing).
The third translator, without recurrence, is in `transformer`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import torch
from torch import Tensor, nn

from attn import attention_weights
from attn.torch import AdditiveScore

EMBEDDING = 32
BEGIN = 0


class Vocabulary(Protocol):
    """The vocabulary sizes of a language pair; target token `BEGIN` starts a sentence."""

    @property
    def num_tokens(self) -> int:
        """Size of the source vocabulary."""

    @property
    def num_targets(self) -> int:
        """Size of the target vocabulary."""


class FixedVectorTranslator(nn.Module):
    """One vector, the encoder's last state, is all that the decoder gets.

    Sutskever et al. (2014), "Sequence to Sequence Learning with Neural Networks", with GRUs of one
    layer.

    Parameters
    ----------
    vocabulary : Vocabulary
    width : int
    matched : bool
        Give this model what `AttentionTranslator` has besides attention: an encoder that reads in
        both directions, with half the width each, and the vector at every step, in the decoder's
        input and beside its state. Otherwise the encoder reads once, and the decoder only starts
        with the vector.
    """

    def __init__(self, vocabulary: Vocabulary, width: int, matched: bool = False) -> None:
        super().__init__()
        self.matched = matched
        self.embed_source = nn.Embedding(vocabulary.num_tokens, EMBEDDING)
        self.embed_target = nn.Embedding(vocabulary.num_targets, EMBEDDING)
        each = width // 2 if matched else width
        self.encoder = nn.GRU(EMBEDDING, each, batch_first=True, bidirectional=matched)
        self.decoder = nn.GRU(EMBEDDING + width * matched, width, batch_first=True)
        self.to_logits = nn.Linear(width + width * matched, vocabulary.num_targets)

    def forward(self, tokens: Tensor, target: Tensor) -> Tensor:
        """Return logits."""
        _, last = self.encoder(self.embed_source(tokens))  # (directions, batch, width of each)
        vector = torch.cat(last.unbind(), dim=-1)  # (batch, width)
        words = self.embed_target(shifted(target))
        at_every_step = vector[:, None].expand(-1, words.shape[1], -1)
        if self.matched:
            words = torch.cat([words, at_every_step], dim=-1)
        states, _ = self.decoder(words, vector[None])
        if self.matched:
            states = torch.cat([states, at_every_step], dim=-1)
        return self.to_logits(states)


class AttentionTranslator(nn.Module):
    """At each step the decoder attends to every state of the encoder, by additive attention.

    Bahdanau et al. (2015), "Neural Machine Translation by Jointly Learning to Align and
    Translate", section 3: the encoder reads in both directions, with half the width each, and the
    decoder's state before a word is the query for that word. Their maxout layer is linear here.
    """

    def __init__(self, vocabulary: Vocabulary, width: int) -> None:
        super().__init__()
        self.embed_source = nn.Embedding(vocabulary.num_tokens, EMBEDDING)
        self.embed_target = nn.Embedding(vocabulary.num_targets, EMBEDDING)
        self.encoder = nn.GRU(EMBEDDING, width // 2, batch_first=True, bidirectional=True)
        self.score = AdditiveScore(width, width, width // 2)
        self.decoder = nn.GRUCell(EMBEDDING + width, width)
        self.to_logits = nn.Linear(2 * width, vocabulary.num_targets)

    def encode(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Return a vector for each word, (batch, num_tokens, width), and the decoder's start."""
        encoded, last = self.encoder(self.embed_source(tokens))
        return encoded, torch.cat([last[0], last[1]], dim=-1)  # (batch, width)

    def decode(
        self, encoded: Tensor, state: Tensor, target: Tensor, uniform: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Return logits and weights of the decoder, which starts from ``state``.

        Parameters
        ----------
        encoded : tensor, shape (batch, num_tokens, width)
        state : tensor, shape (batch, width)
        target : tensor, shape (batch, num_targets)
        uniform : bool
            Give every word the same weight, whatever was learned.

        Returns
        -------
        logits : tensor, shape (batch, num_targets, num_target_words)
        weights : tensor, shape (batch, 1, num_targets, num_tokens)
        """
        steps, all_weights = [], []
        for word in self.embed_target(shifted(target)).unbind(dim=1):
            weights = attention_weights(state[:, None], encoded, score=self.score)
            if uniform:
                weights = torch.full_like(weights, 1 / weights.shape[-1])
            context = (weights @ encoded)[:, 0]  # (batch, width)
            state = self.decoder(torch.cat([word, context], dim=-1), state)
            steps.append(torch.cat([state, context], dim=-1))
            all_weights.append(weights)
        return self.to_logits(torch.stack(steps, dim=1)), torch.stack(all_weights, dim=2)

    def forward_with_weights(
        self, tokens: Tensor, target: Tensor, uniform: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Return logits and weights, (batch, 1, num_targets, num_tokens); see `forward`."""
        return self.decode(*self.encode(tokens), target, uniform)

    def attentions(self, tokens: Tensor, target: Tensor) -> dict[str, Tensor]:
        """Return the weights of every attention of the decoder: one, "cross"."""
        return {"cross": self.forward_with_weights(tokens, target)[1]}

    def forward(self, tokens: Tensor, target: Tensor, uniform: bool = False) -> Tensor:
        """Return logits; with ``uniform`` every word gets the same weight, whatever was learned."""
        return self.forward_with_weights(tokens, target, uniform)[0]


@torch.no_grad()
def translate(
    model: Callable[[Tensor, Tensor], Tensor], tokens: Tensor, num_targets: int
) -> Tensor:
    """Return the model's own translation, word by word the likeliest, (batch, num_targets)."""
    target = torch.zeros(len(tokens), num_targets, dtype=torch.long)
    for step in range(num_targets):
        target[:, step] = model(tokens, target)[:, step].argmax(dim=-1)
    return target


def shifted(target: Tensor) -> Tensor:
    """Return the decoder's input at each step, the word before: BEGIN first."""
    begin = torch.full_like(target[:, :1], BEGIN)
    return torch.cat([begin, target[:, :-1]], dim=1)
