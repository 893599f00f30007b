"""What does one vector lose of a sentence as it grows? Whole translations, word by word."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from attnlab.experiments import plots
from attnlab.experiments.grammar import Grammar, Sentences
from attnlab.experiments.lexicon import Language
from attnlab.experiments.results import Claim, Curve, Result, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor, nn

CLAIM = Claim(
    name="bottleneck",
    claim="A fixed vector loses the content of a sentence as it grows; attention does not.",
    source="Bahdanau et al. (2015), section 1, after Cho et al. (2014), On the Properties.",
    refuted_by="A fixed vector that translates the longest trained sentences as well as attention.",
    seconds=800,
)
TRAINED = (0, 1, 2, 3, 4, 5, 6)
PHRASES = (0, 1, 2, 3, 4, 5, 6, 7, 8)
WIDTHS = (8, 16, 32, 64, 128)
#: Models with their training steps: those that lose get more of them.
STEPS = {f"vector of {width}": 3000 for width in WIDTHS} | {"attention": 2000, "Transformer": 2000}
ITALIAN = ("vector of 64", "attention", "Transformer")

log = logging.getLogger(__name__)


def build(name: str, grammar: Grammar) -> nn.Module:
    """Return an untrained model: one of ``STEPS``.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    from attnlab.experiments.transformer import TransformerTranslator
    from attnlab.experiments.translators import AttentionTranslator, FixedVectorTranslator

    if name not in STEPS:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(STEPS)}")
    if name == "attention":
        return AttentionTranslator(grammar, 64)
    if name == "Transformer":
        return TransformerTranslator(grammar, 64)
    return FixedVectorTranslator(grammar, int(name.rpartition(" ")[2]))


def train(
    name: str, seed: int = 0, language: Language = "french", steps: int | None = None
) -> nn.Module:
    """Return a trained model: one of ``STEPS``, in as many steps when ``steps`` is not given."""
    from attnlab.experiments import training

    grammar = Grammar(language)
    with training.one_thread(seed):
        model = build(name, grammar)
        steps = STEPS[name] if steps is None else steps
        rate = 0.003 if name == "Transformer" else 0.005
        batches = training.sentences(grammar, seed, steps, 64, TRAINED)
        training.fit(model, batches, _loss, learning_rate=rate, decay_steps=steps)
    log.info("%s, %s, seed %s: %s steps", name, language, seed, steps)
    return model


def right(
    model: Callable[[Tensor, Tensor], Tensor], grammar: Grammar, test: Sentences
) -> dict[str, float]:
    """Return the shares of sentences, words, and genders and verbs of participles that are right.

    The model sees its own words, not the right ones.
    """
    from attnlab.experiments import training, translators

    given = translators.translate(model, training.tensor(test.tokens), test.target.shape[1])
    same = given.numpy() == test.target
    participle = given[:, -2].numpy() - grammar.first_participle
    gender = (participle >= 0) & (participle % 2 == test.participle % 2)
    verb = participle // 2 == test.participle // 2
    return {
        "sentence": float(same.all(axis=1).mean()),
        "word": float(same.mean()),
        "gender": float(gender.mean()),
        "verb": float(verb.mean()),
    }


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each model with every seed and let it translate sentences of each length.

    ``quick`` shortens training and tests fewer lengths: a smoke test, not a result.
    """
    from attnlab.experiments import training

    watch = training.Stopwatch()
    phrases, size, steps = ((0, 6), 100, 60) if quick else (PHRASES, 500, None)
    curves = {}
    asked: dict[Language, tuple[str, ...]] = {"french": tuple(STEPS), "italian": ITALIAN}
    for language, names in asked.items():
        grammar = Grammar(language)
        tests = [training.exam(grammar, n, size) for n in phrases]
        for name in names:
            models = [train(name, seed, language, steps) for seed in seeds]
            found = [[right(model, grammar, test) for test in tests] for model in models]
            label = name if language == "french" else f"{name}, Italian"
            for part in ("sentence", "word", "gender"):
                rows = [[shares[part] for shares in row] for row in found]
                curves[f"{label}: {part}"] = Curve(phrases, rows)
    settings = {
        "trained on phrases": list(TRAINED),
        "test sentences": size,
        "steps": STEPS if steps is None else steps,
        "quick": quick,
    }
    return Result(CLAIM, curves, list(seeds), settings, watch.seconds)


def verdict(result: Result) -> Verdict:
    """Say whether a vector kept up with attention at the longest trained sentences."""
    longest = max(result.settings["trained on phrases"])
    vector, attention = (
        result[f"{name}: sentence"].at(longest) for name in ("vector of 64", "attention")
    )
    beyond = result["attention: sentence"].at(PHRASES[-1])
    return Verdict(
        "holds when" if attention.min() > 0.95 > 0.5 > vector.max() else "does not hold",
        f"With {longest} phrases a vector of 64 numbers translates {vector.mean():.2f} of the "
        f"sentences and attention {attention.mean():.2f}; but only at lengths that were trained: "
        f"with {PHRASES[-1]} phrases attention translates {beyond.mean():.2f}.",
    )


def figure(result: Result) -> Figure:
    """Return how many whole sentences are translated right, as a figure."""
    names = ("attention", "Transformer", *(f"vector of {n}" for n in (128, 64, 32, 16)))
    return plots.curves(
        {name: result[f"{name}: sentence"] for name in names},
        accent="attention",
        trained_to=6,
        x_label="phrases in the sentence",
        y_label="whole sentences right",
    )


def _loss(model: nn.Module, batch: Sentences) -> Tensor:
    from torch.nn.functional import cross_entropy

    from attnlab.experiments.training import tensor

    target = tensor(batch.target)
    return cross_entropy(model(tensor(batch.tokens), target).flatten(0, 1), target.flatten())


if __name__ == "__main__":
    from attnlab.experiments.registry import main

    raise SystemExit(main([CLAIM.name]))
