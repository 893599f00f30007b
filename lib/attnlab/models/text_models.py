"""Define two models of the same text by one class: a masked one and one of the next token.

The text is the French half of the synthetic grammar: *(begin) la pomme sous la lampe avait été
ramassée (end)*, an article and its noun being one token. Both models have the same parameters. The
masked model attends to both sides and is trained to fill gaps, as BERT is; the other attends to
earlier tokens only and is trained to predict the next one, as GPT is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from attn.torch import Transformer
from attnlab.data.grammar import Grammar
from attnlab.models import training
from attnlab.models.stored_weights import FOLDER, load_weights

Objective = Literal["masked", "next token"]

OBJECTIVES: tuple[Objective, ...] = ("masked", "next token")
LAYERS, STEPS, PHRASES = 2, 5000, (0, 1, 2, 3)
#: Share of the tokens that are hidden in training; Devlin et al. (2019), section 3.1.
HIDDEN = 0.15
SUBJECT = 1  # the place of the subject, behind the mark for the beginning


class Text:
    """The French sentences as tokens, with one token more: the gap."""

    def __init__(self) -> None:
        self.grammar = Grammar("french")
        self.gap = self.grammar.num_targets
        self.vocabulary = self.gap + 1

    def sample(self, rng: np.random.Generator, batch: int, num_phrases: int) -> Tensor:
        """Return sentences, (batch, 5 + 2 * num_phrases), from BEGIN to END."""
        target = self.grammar.sample(rng, batch, num_phrases).target
        begin = np.full((batch, 1), Grammar.BEGIN)
        return torch.from_numpy(np.concatenate([begin, target], axis=1))

    def genders(self) -> NDArray[np.int64]:
        """Return for each token whether it is feminine: 0, 1, or -1 for those without gender."""
        genders = np.full(self.vocabulary, -1)
        first, end = Grammar.FIRST_NOUN, Grammar.FIRST_NOUN + len(self.grammar.nouns)
        genders[first:end] = self.grammar.feminine
        participles = np.arange(self.grammar.num_participles)
        genders[self.grammar.first_participle + participles] = participles % 2
        return genders

    def is_sentence(self, tokens: NDArray[np.int64]) -> bool:
        """Return whether the tokens are a sentence of the grammar, from BEGIN to END."""
        inner = list(tokens)
        if len(inner) < 5 or inner[0] != Grammar.BEGIN or inner.count(Grammar.END) != 1:
            return False
        *phrases, auxiliary, participle, end = inner[1:]
        kinds = [self._kind(token) for token in phrases]
        pattern = ["noun"] + ["preposition", "noun"] * (len(phrases) // 2)
        genders = self.genders()
        return (
            end == Grammar.END
            and kinds == pattern
            and self._kind(auxiliary) == "auxiliary"
            and self._kind(participle) == "participle"
            and bool(genders[participle] == genders[phrases[0]])
        )

    def _kind(self, token: int) -> str:
        nouns = Grammar.FIRST_NOUN + len(self.grammar.nouns)
        prepositions = nouns + len(self.grammar.prepositions)
        edges = {"mark": Grammar.FIRST_NOUN, "noun": nouns, "preposition": prepositions}
        edges |= {"auxiliary": self.grammar.first_participle, "participle": self.gap}
        return next((kind for kind, edge in edges.items() if token < edge), "gap")


def build(objective: Objective, text: Text) -> Transformer:
    """Return an untrained model: only the number of layers in each stack differs."""
    masked = objective == "masked"
    return Transformer(
        d_model=32,
        num_heads=4,
        d_hidden=64,
        num_encoder_layers=LAYERS if masked else 0,
        num_decoder_layers=0 if masked else LAYERS,
        src_vocab_size=text.vocabulary if masked else None,
        tgt_vocab_size=text.vocabulary,
        dropout=0.0,
        norm_first=True,
    )


def train(objective: Objective, seed: int = 0, steps: int = STEPS) -> Transformer:
    """Return a trained model, in evaluation mode."""
    text = Text()

    def loss_of(model: Transformer, tokens: Tensor) -> Tensor:
        if objective == "masked":
            return masked_loss(model, tokens, text.gap)
        return next_token_loss(model, tokens)

    with training.one_thread(seed):
        model = build(objective, text)
        batches = training.batches(
            seed, steps, lambda rng: text.sample(rng, 64, int(rng.choice(PHRASES)))
        )
        training.fit(model, batches, loss_of, learning_rate=0.005, decay_steps=steps)
    return model.eval()


def load(objective: Objective, seed: int = 0, folder: Path = FOLDER) -> Transformer:
    """Return the trained model that ships, in evaluation mode."""
    model = build(objective, Text())
    load_weights(model, objective, seed, folder)
    return model.eval()


def next_token_loss(model: Transformer, tokens: Tensor) -> Tensor:
    """Return the mean cross-entropy of each token given those before it, in nats."""
    scores = model(target=tokens[:, :-1])  # (batch, tokens - 1, vocabulary)
    return cross_entropy(scores.flatten(0, 1), tokens[:, 1:].flatten())


def masked_loss(model: Transformer, tokens: Tensor, gap: int) -> Tensor:
    """Return the mean cross-entropy of hidden tokens given all that are not, in nats."""
    hidden = torch.rand(tokens.shape) < HIDDEN
    hidden[0, SUBJECT] = True  # never none
    scores = model(tokens.masked_fill(hidden, gap))  # (batch, tokens, vocabulary)
    return cross_entropy(scores[hidden], tokens[hidden])


@torch.no_grad()
def at_gap(model: Transformer, tokens: Tensor, place: int, gap: int) -> Tensor:
    """Return the probabilities of each token at a place, (batch, vocabulary).

    The masked model reads all other tokens, the model of the next token those before the place.
    """
    if model.encoder is not None:
        read = tokens.clone()
        read[:, place] = gap
        return model(read)[:, place].softmax(-1)
    return model(target=tokens[:, :place])[:, -1].softmax(-1)


@torch.no_grad()
def by_whole_sentences(model: Transformer, tokens: Tensor, place: int) -> Tensor:
    """Return what a model of the next token says of a gap when every filling is tried.

    The probability of a filling is that of the whole sentence with it, divided by the sum over all
    fillings: (batch, vocabulary).
    """
    assert model.embed_target is not None
    logs = []
    for token in range(model.embed_target.num_embeddings):
        tried = tokens.clone()
        tried[:, place] = token
        steps = model(target=tried[:, :-1]).log_softmax(-1)
        logs.append(steps.gather(-1, tried[:, 1:, None]).sum((1, 2)))
    return torch.stack(logs, dim=-1).softmax(-1)


@torch.no_grad()
def write_on(
    model: Transformer, start: Tensor, length: int, gap: int, generator: torch.Generator
) -> Tensor:
    """Return sequences of ``length`` tokens that begin with ``start``, drawn from left to right.

    The masked model gets gaps for all tokens still to come, and so it is told the length.
    """
    batch, first = start.shape
    tokens = torch.cat([start, torch.full((batch, length - first), gap)], dim=1)
    for place in range(first, length):
        probabilities = at_gap(model, tokens, place, gap)
        tokens[:, place] = torch.multinomial(probabilities, 1, generator=generator)[:, 0]
    return tokens
