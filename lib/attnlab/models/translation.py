"""Build, train and measure the translators of the synthetic grammar."""

from __future__ import annotations

import logging
from collections.abc import Callable

from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from attnlab.data.grammar import Grammar, Sentences
from attnlab.models import training
from attnlab.models.training import tensor
from attnlab.models.transformer import TransformerTranslator
from attnlab.models.translators import AttentionTranslator, FixedVectorTranslator, translate

#: Numbers of phrases in the training sentences.
TRAINED = (0, 1, 2, 3, 4, 5, 6)
WIDTHS = (32, 64, 128)
#: Models with their training steps: the weaker ones get more.
STEPS = {f"vector of {width}": 3000 for width in WIDTHS} | {
    "matched vector of 64": 3000,
    "attention": 2000,
    "Transformer": 2000,
}

log = logging.getLogger(__name__)


def build(name: str, grammar: Grammar) -> nn.Module:
    """Return an untrained model: one of ``STEPS``.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    if name not in STEPS:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(STEPS)}")
    if name == "attention":
        return AttentionTranslator(grammar, 64)
    if name == "Transformer":
        return TransformerTranslator(grammar, 64)
    width = int(name.rpartition(" ")[2])
    return FixedVectorTranslator(grammar, width, matched=name.startswith("matched"))


def train(name: str, seed: int = 0, steps: int | None = None) -> nn.Module:
    """Return a trained model: one of ``STEPS``, by default with as many steps as stand there."""
    grammar = Grammar("french")
    with training.one_thread(seed):
        model = build(name, grammar)
        steps = STEPS[name] if steps is None else steps
        rate = 0.003 if name == "Transformer" else 0.005
        batches = training.sentences(grammar, seed, steps, 64, TRAINED)
        training.fit(model, batches, _loss, learning_rate=rate, decay_steps=steps)
    log.info("%s, seed %s: %s steps", name, seed, steps)
    return model


def accuracy(
    model: Callable[[Tensor, Tensor], Tensor], grammar: Grammar, test: Sentences
) -> dict[str, float]:
    """Return what the model gets right, reading the words that it wrote itself.

    "sentence", "word", "gender" and "verb" are shares of all sentences, words and, the last two,
    sentences: a participle at another place has no gender and no verb. "gender in place" is a
    share of the participles that stand in their place, and "subject" of the same sentences: those
    that begin with the right noun.
    """
    written = translate(model, tensor(test.tokens), test.target.shape[1]).numpy()
    correct = written == test.target
    participle = written[:, -2] - grammar.first_participle
    in_place = participle >= 0
    gender = in_place & (participle % 2 == test.participle % 2)
    verb = participle // 2 == test.participle // 2
    return {
        "sentence": float(correct.all(axis=1).mean()),
        "word": float(correct.mean()),
        "gender": float(gender.mean()),
        "verb": float(verb.mean()),
        "gender in place": float(gender[in_place].mean()) if in_place.any() else 0.0,
        "subject": float(correct[in_place, 0].mean()) if in_place.any() else 0.0,
    }


def _loss(model: nn.Module, batch: Sentences) -> Tensor:
    target = tensor(batch.target)
    return cross_entropy(model(tensor(batch.tokens), target).flatten(0, 1), target.flatten())
