"""`attn.torch.Transformer` as a translator of the synthetic grammar: built, trained, loaded.

Unlike `transformer.TransformerTranslator`, which has relative positions, this is the model of the
paper with sinusoidal positions, but for the place of the normalisation.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


def inside(model: Any, tokens: np.ndarray, target: np.ndarray) -> dict[str, np.ndarray]:
    """Return what one sentence and the beginning of its translation become inside the model.

    Parameters
    ----------
    model : Transformer
        With both stacks, and the norm first.
    tokens, target : array of int, shape (1, source tokens) and (1, target tokens)

    Returns
    -------
    dict of str to array
        ``encoder.self``, ``decoder.self`` and ``decoder.cross``, weights of shape (layers,
        num_heads, num_queries, num_keys); ``encoder.streams`` and ``decoder.streams``, the
        residual stream from the embedding up, after each sublayer, (1 + sublayers, tokens,
        d_model); ``encoder.output``, (source tokens, d_model), and ``decoder.scores``, (target
        tokens, vocabulary).
    """
    streams: dict[str, list[Tensor]] = {"encoder": [], "decoder": []}
    hooks = [
        # With the norm first, every norm is given the stream as it is there.
        module.register_forward_pre_hook(lambda _, inputs, kept=kept: kept.append(inputs[0][0]))
        for stack, kept in streams.items()
        for name, module in getattr(model, stack).named_modules()
        if name.split(".")[-1].startswith("norm")
    ]
    with torch.no_grad():
        x = model.embed(tensor(tokens), model.embed_source, "source")
        memory, own = model.encoder(x, return_weights=True)
        y = model.embed(tensor(target), model.embed_target, "target")
        output, weights = model.decoder(y, memory, return_weights=True)
        scores = model.to_scores(output)
    for hook in hooks:
        hook.remove()
    found = {f"{stack}.streams": torch.stack(kept) for stack, kept in streams.items()}
    found["encoder.self"] = torch.stack(own)[:, 0]
    for kind in ("self", "cross"):
        found[f"decoder.{kind}"] = torch.stack([layer[kind][0] for layer in weights])
    found |= {"encoder.output": memory[0], "decoder.scores": scores[0]}
    return {name: array.numpy() for name, array in found.items()}


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
