"""Test whether trained weights lie on the word being translated; the alignment is known."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import LEARNED, NEARLY_ALWAYS, Claim, Trial, each_seed
from attnlab.data.phrasebook import Pairs, Phrasebook
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor, nn

    from attnlab.models.transformer import TransformerTranslator
    from attnlab.models.translators import AttentionTranslator

    Translator: TypeAlias = AttentionTranslator | TransformerTranslator

CLAIM = Claim(
    chapter="self-and-cross",
    sentence="Attention aligns words: while a word is written, the largest weight is on the word "
    "that it translates.",
    source="Bahdanau et al. (2015), section 5.2.1, whose model looks at the noun as well to "
    "translate its article. Against it: Koehn and Knowles (2017), section 3.5.",
    refuted_by="A translator that is right and whose largest weight is on another word in more "
    "than a tenth of the cases.",
    seconds=90,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.005,
        "steps": 800,
        "width": 64,
        "heads": "mean of all",
    },
)
MODELS = ("BiGRU", "Transformer")
#: Kinds of French words. A verb is an auxiliary and a participle, both of one English word.
KINDS = ("noun", "adjective", "preposition", "participle", "auxiliary", "article")
#: Distances between the largest weight and the word translated, in words.
OFF = (-2, -1, 0, 1, 2)

log = logging.getLogger(__name__)


def train(name: str, seed: int = 0, steps: int = 800) -> Translator:
    """Return a trained translator: "BiGRU", with additive attention, or "Transformer".

    Raises
    ------
    ValueError
        If there is no such model.
    """
    from torch.nn.functional import cross_entropy

    from attnlab.models import training
    from attnlab.models.transformer import TransformerTranslator
    from attnlab.models.translators import AttentionTranslator

    if name not in MODELS:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(MODELS)}")
    book = Phrasebook()

    def loss(model: nn.Module, pairs: Pairs) -> Tensor:
        target = training.tensor(pairs.target)
        logits = model(training.tensor(pairs.tokens), target)
        return cross_entropy(logits.flatten(0, 1), target.flatten())

    batches = training.batches(seed, steps, lambda rng: book.sample(rng, 64))

    with training.one_thread(seed):
        kind = AttentionTranslator if name == "BiGRU" else TransformerTranslator
        model: Translator = kind(book, 64)
        training.fit(model, batches, loss, learning_rate=0.005, decay_steps=steps)
    log.info("%s, seed %s", name, seed)
    return model


def weights(model: Translator, pairs: Pairs) -> NDArray[np.float64]:
    """Return the mean weight over heads, shape (batch, num_targets, num_tokens)."""
    import torch

    from attnlab.models import training

    with torch.no_grad():
        _, all_weights = model.forward_with_weights(
            training.tensor(pairs.tokens), training.tensor(pairs.target)
        )
    mean: NDArray[np.float64] = all_weights.mean(dim=1).double().numpy()
    return mean


def offsets(model: Translator, pairs: Pairs) -> NDArray[np.int64]:
    """Return how far right of the aligned word the largest weight is, (batch, num_targets)."""
    largest: NDArray[np.int64] = weights(model, pairs).argmax(axis=-1)
    return largest - pairs.aligned


def measure(model: Translator, size: int = 200) -> dict[str, list[float]]:
    """Return the share of words at each offset of ``OFF``, and that of correct sentences."""
    from attnlab.models import training, translators

    book, rng = Phrasebook(), np.random.default_rng(2)
    measured: dict[str, list[NDArray[np.int64]]] = {kind: [] for kind in KINDS}
    correct = []
    for shape in book.SHAPES:
        pairs = book.sample(rng, size, shape)
        away = offsets(model, pairs)
        for kind in KINDS:
            measured[kind].append(away[pairs.kind == kind])
        tokens = training.tensor(pairs.tokens)
        written = translators.translate(model, tokens, pairs.target.shape[1]).numpy()
        correct.append((written == pairs.target).all(axis=1))
    shares = {
        name: [float((np.concatenate(parts) == off).mean()) for off in OFF]
        for name, parts in measured.items()
    }
    return shares | {"sentences right": [float(np.concatenate(correct).mean())] * len(OFF)}


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each translator with every seed and see where its largest weights are.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    steps, size = (60, 20) if quick else (800, 200)
    curves = {}
    for name in MODELS:
        by_seed = [measure(train(name, seed, steps), size) for seed in seeds]
        for part in by_seed[0]:
            curves[f"{name}: {part}"] = Curve(OFF, [shares[part] for shares in by_seed])
    settings = {"steps": steps, "test sentences": size * len(Phrasebook.SHAPES), "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test each kind of word in both translators."""
    return [
        trial
        for name in MODELS
        for kind in KINDS
        for trial in each_seed(
            result[f"{name}: {kind}"].at(0) >= NEARLY_ALWAYS,
            f"{name}, {_plural(kind)}",
            learned=result[f"{name}: sentences right"].at(0) >= LEARNED,
        )
    ]


def _plural(kind: str) -> str:
    return "auxiliaries" if kind == "auxiliary" else f"{kind}s"


def because(result: Result) -> str:
    """Return the shares of words aligned, seed by seed."""
    parts = []
    for kind in KINDS:
        shares = (
            f"{name} {', '.join(f'{share:.2f}' for share in result[f'{name}: {kind}'].at(0))}"
            for name in MODELS
        )
        parts.append(f"{_plural(kind)[0].upper()}{_plural(kind)[1:]}: {'; '.join(shares)}.")
    return (
        "Share of words written with the largest weight on the word that they translate, seed by "
        "seed. "
        f"{' '.join(parts)} The form of a French article depends on its noun, and "
        "a Transformer attends to the noun."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how far the largest weight is from the word translated."""
    names = ("BiGRU: noun", "Transformer: noun", "Transformer: participle", "Transformer: article")
    return plot_curves(
        {name: result[name] for name in names},
        accent="BiGRU: noun",
        x_label="words to the right of the word translated",
        y_label="share of words",
    )
