"""Build, train and load `attn.torch.Transformer` as a translator of the synthetic grammar.

Unlike `transformer.TransformerTranslator`, which has relative positions, this is the model of the
paper with sinusoidal positions, but for the place of the normalisation.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from attn.torch import Transformer, greedy_decode
from attnlab.data.grammar import Grammar, Sentences
from attnlab.models import training
from attnlab.models.stored_weights import FOLDER, load_weights
from attnlab.models.training import tensor
from attnlab.models.translation import TRAINED
from attnlab.models.translators import shifted

NAME = "encoder-decoder"
LAYERS = 2
STEPS = 3000


def build(grammar: Grammar) -> Transformer:
    """Return an untrained model: two encoder layers and two decoder layers of width 32."""
    return Transformer(
        32,
        4,
        d_hidden=64,
        num_encoder_layers=LAYERS,
        num_decoder_layers=LAYERS,
        src_vocab_size=grammar.num_tokens,
        tgt_vocab_size=grammar.num_targets,
        dropout=0.0,
        norm_first=True,
    )


def train(seed: int = 0, steps: int = STEPS) -> Transformer:
    """Return a model trained to translate English to French with teacher forcing."""
    grammar = Grammar("french")
    with training.one_thread(seed):
        model = build(grammar)
        batches = training.sentences(grammar, seed, steps, 64, TRAINED)
        training.fit(model, batches, _loss, learning_rate=0.005, decay_steps=steps)
    return model


def load(seed: int = 0, folder: Path = FOLDER) -> Transformer:
    """Return the trained model that ships, in evaluation mode."""
    model = build(Grammar("french"))
    load_weights(model, NAME, seed, folder)
    return model.eval()


def translate(model: Transformer, tokens: np.ndarray, max_tokens: int = 32) -> Tensor:
    """Return the French of English sentences, (batch, new tokens), decoded greedily."""
    start = torch.full((len(tokens), 1), Grammar.BEGIN)
    return greedy_decode(model, tensor(tokens), start=start, max_tokens=max_tokens, end=Grammar.END)


def accuracy(model: Transformer, test: Sentences) -> float:
    """Return the share of sentences translated without a mistake."""
    written = translate(model, test.tokens, test.target.shape[1]).numpy()
    right = np.zeros(len(written), dtype=bool)
    if written.shape == test.target.shape:
        right = (written == test.target).all(axis=1)
    return float(right.mean())


def _loss(model: Transformer, batch: Sentences) -> Tensor:
    target = tensor(batch.target)
    scores = model(tensor(batch.tokens), shifted(target))  # (batch, tokens, vocabulary)
    return cross_entropy(scores.flatten(0, 1), target.flatten())
