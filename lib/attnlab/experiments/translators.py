"""Two recurrent encoder-decoders that differ in one thing: what the decoder gets of the sentence.

Both map English tokens, (batch, num_tokens), and the target, (batch, num_targets), to logits of
shape (batch, num_targets, vocabulary); each step sees the right word before it (teacher forcing).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from attn.torch import scaled_dot_product_attention
from attnlab.experiments.grammar import Grammar

EMBEDDING = 32


class FixedVectorTranslator(nn.Module):
    """The encoder's last state, one vector, is all that the decoder gets.

    Sutskever et al. (2014), "Sequence to Sequence Learning with Neural Networks", with GRUs of one
    layer.
    """

    def __init__(self, grammar: Grammar, width: int) -> None:
        super().__init__()
        self.embed_source = nn.Embedding(grammar.num_tokens, EMBEDDING)
        self.embed_target = nn.Embedding(grammar.num_targets, EMBEDDING)
        self.encoder = nn.GRU(EMBEDDING, width, batch_first=True)
        self.decoder = nn.GRU(EMBEDDING, width, batch_first=True)
        self.answer = nn.Linear(width, grammar.num_targets)

    def forward(self, tokens: Tensor, target: Tensor) -> Tensor:
        """Return logits."""
        _, state = self.encoder(self.embed_source(tokens))  # (1, batch, width)
        states, _ = self.decoder(self.embed_target(_shifted(target)), state)
        return self.answer(states)


class AttentionTranslator(nn.Module):
    """At each step the decoder looks back at every state of the encoder.

    After Bahdanau et al. (2015), "Neural Machine Translation by Jointly Learning to Align and
    Translate", with scaled dot products in place of their additive scores. The encoder reads in
    both directions, half the width each.
    """

    def __init__(self, grammar: Grammar, width: int) -> None:
        super().__init__()
        self.embed_source = nn.Embedding(grammar.num_tokens, EMBEDDING)
        self.embed_target = nn.Embedding(grammar.num_targets, EMBEDDING)
        self.encoder = nn.GRU(EMBEDDING, width // 2, batch_first=True, bidirectional=True)
        self.to_query = nn.Linear(width, width, bias=False)
        self.to_key = nn.Linear(width, width, bias=False)
        self.decoder = nn.GRUCell(EMBEDDING + width, width)
        self.answer = nn.Linear(2 * width, grammar.num_targets)

    def forward(self, tokens: Tensor, target: Tensor) -> Tensor:
        """Return logits."""
        read, last = self.encoder(self.embed_source(tokens))  # (batch, num_tokens, width)
        key = self.to_key(read)
        state = torch.cat([last[0], last[1]], dim=-1)  # (batch, width)
        steps = []
        for word in self.embed_target(_shifted(target)).unbind(dim=1):
            query = self.to_query(state)[:, None]
            context = scaled_dot_product_attention(query, key, read)[:, 0]  # (batch, width)
            state = self.decoder(torch.cat([word, context], dim=-1), state)
            steps.append(torch.cat([state, context], dim=-1))
        return self.answer(torch.stack(steps, dim=1))


@torch.no_grad()
def translate(model: nn.Module, tokens: Tensor, num_targets: int) -> Tensor:
    """Return the model's own translation, word by word the likeliest, (batch, num_targets)."""
    target = torch.zeros(len(tokens), num_targets, dtype=torch.long)
    for step in range(num_targets):
        target[:, step] = model(tokens, target)[:, step].argmax(dim=-1)
    return target


def _shifted(target: Tensor) -> Tensor:
    """Return what the decoder has read before each step: BEGIN, then the words so far."""
    begin = torch.full_like(target[:, :1], Grammar.BEGIN)
    return torch.cat([begin, target[:, :-1]], dim=1)
