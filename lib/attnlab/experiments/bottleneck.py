"""What does one vector lose of a sentence as it grows? Whole translations, word by word."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from attnlab.claims import LEARNED, MAJORITY, NEARLY_ALWAYS, Claim, Trial, each_seed
from attnlab.data.grammar import Grammar
from attnlab.data.lexicon import Language
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLAIM = Claim(
    chapter="motivation",
    sentence="A fixed vector loses the content of a sentence as it grows; attention does not.",
    source="Bahdanau et al. (2015): section 1 conjectures it of the fixed vector, after Cho et al. "
    "(2014), On the Properties; section 5.1 reports that attention copes with 50 words and more.",
    refuted_by="A fixed vector that still translates most of the longest sentences; or attention "
    "that does not translate nearly all of them.",
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
        tests = [training.held_out(grammar, n, size) for n in phrases]
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


def bits(num_phrases: int) -> float:
    """Return how many bits tell one sentence of this length from all others.

    Examples
    --------
    >>> round(bits(6))
    56
    """
    grammar = Grammar("french")
    nouns, prepositions = len(grammar.nouns), len(grammar.prepositions)
    phrases = num_phrases * math.log2(nouns * prepositions)
    return math.log2(nouns) + phrases + math.log2(len(grammar.verbs))


def trials(result: Result) -> list[Trial]:
    """Compare a vector with attention at the longest trained sentences, and at longer ones."""
    vector, attention = (result[f"{name}: sentence"] for name in ("vector of 64", "attention"))
    longest, beyond = max(result.settings["trained on phrases"]), attention.x[-1]
    shortest = attention.x[0]
    learned = np.minimum(vector.at(shortest), attention.at(shortest)) >= LEARNED
    return [
        trial
        for phrases, condition in (
            (longest, f"{longest} phrases, the most in training"),
            (beyond, f"{beyond} phrases, more than in training"),
        )
        for trial in each_seed(
            (vector.at(phrases) < MAJORITY) & (attention.at(phrases) >= NEARLY_ALWAYS),
            condition,
            learned,
        )
    ]


def because(result: Result) -> str:
    """Return how many sentences each translates, and what the loss does not show."""
    vector, attention = (result[f"{name}: sentence"] for name in ("vector of 64", "attention"))
    longest, beyond = max(result.settings["trained on phrases"]), attention.x[-1]
    steps = result.settings["steps"]["vector of 64"]
    return (
        f"With {longest} phrases a vector of 64 numbers translates {vector.at(longest).mean():.2f} "
        f"of the sentences and attention {attention.at(longest).mean():.2f}; with {beyond} phrases "
        f"attention translates {attention.at(beyond).mean():.2f}. This does not show how much of "
        f"the loss is for want of room and how much for want of training: a sentence of {longest} "
        f"phrases is about {bits(longest):.0f} bits, 64 numbers could hold them, and no model was "
        f"trained for longer than {steps} steps."
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
