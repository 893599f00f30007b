"""What does one vector lose of a sentence as it grows? Whole translations, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attnlab.claims import Claim, Verdict
from attnlab.data.grammar import Grammar
from attnlab.data.lexicon import Language
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLAIM = Claim(
    chapter="motivation",
    sentence="A fixed vector loses the content of a sentence as it grows; attention does not.",
    source="Bahdanau et al. (2015), section 1, after Cho et al. (2014), On the Properties.",
    refuted_by="A fixed vector that translates the longest trained sentences as well as attention.",
    seconds=800,
)
PHRASES = (0, 1, 2, 3, 4, 5, 6, 7, 8)
ITALIAN = ("vector of 64", "attention", "Transformer")


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each model with every seed and let it translate sentences of each length.

    ``quick`` shortens training and tests fewer lengths: a smoke test, not a result.
    """
    from attnlab.models import training, translation

    watch = training.Stopwatch()
    phrases, size, steps = ((0, 6), 100, 60) if quick else (PHRASES, 500, None)
    curves = {}
    models_of: dict[Language, tuple[str, ...]] = {
        "french": tuple(translation.STEPS),
        "italian": ITALIAN,
    }
    for language, names in models_of.items():
        grammar = Grammar(language)
        tests = [training.test_set(grammar, n, size) for n in phrases]
        for name in names:
            models = [translation.train(name, seed, language, steps) for seed in seeds]
            measured = [
                [translation.accuracy(model, grammar, test) for test in tests] for model in models
            ]
            label = name if language == "french" else f"{name}, Italian"
            for part in ("sentence", "word", "gender"):
                rows = [[shares[part] for shares in row] for row in measured]
                curves[f"{label}: {part}"] = Curve(phrases, rows)
    settings = {
        "trained on phrases": list(translation.TRAINED),
        "test sentences": size,
        "steps": translation.STEPS if steps is None else steps,
        "quick": quick,
    }
    return Result(curves, list(seeds), settings, watch.seconds)


def verdict(result: Result) -> Verdict:
    """Return whether a vector kept up with attention at the longest trained sentences."""
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
    """Return a figure of how many whole sentences are translated correctly."""
    names = ("attention", "Transformer", *(f"vector of {n}" for n in (128, 64, 32, 16)))
    return plot_curves(
        {name: result[f"{name}: sentence"] for name in names},
        accent="attention",
        trained_to=6,
        x_label="phrases in the sentence",
        y_label="whole sentences right",
    )
