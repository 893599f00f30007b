"""What does one vector lose of a sentence as it grows? Whole translations, word by word."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from attnlab.claims import LEARNED, MAJORITY, NEARLY_ALWAYS, Claim, Knobs, Trial, each_seed
from attnlab.data.grammar import Grammar, Sentences
from attnlab.data.lexicon import Language
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import nn

CLAIM = Claim(
    chapter="motivation",
    sentence="A fixed vector loses the content of a sentence as it grows; attention does not.",
    source="Bahdanau et al. (2015): section 1 conjectures it of the fixed vector, after Cho et al. "
    "(2014), On the Properties; section 5.1 reports that attention copes with 50 words and more.",
    refuted_by="A fixed vector that still translates most of the longest sentences; or attention "
    "that does not translate nearly all of them.",
    seconds=920,
    knobs={
        "counterpart": "encoder reads once, vector starts the decoder",
        "width": 64,
        "start": "as PyTorch starts it",
        "learning rate": 0.005,
        "steps": "3000, with attention 2000",
    },
)
PHRASES = (0, 1, 2, 3, 4, 5, 6, 7, 8)
TESTED = 500
ITALIAN = ("vector of 64", "attention", "Transformer")
MATCHED = "matched vector of 64"
#: The models without attention that are compared with it, each with the knobs it turns.
VECTORS: dict[str, Knobs] = {
    "vector of 64": {},
    MATCHED: {"counterpart": "encoder reads both ways, vector at every step"},
    "vector of 128": {"width": 128},
}
#: Of these it is stored how often the subject is right, and the gender where there is a participle.
KEEPING = ("vector of 32", MATCHED)


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each model with every seed and let it translate sentences of each length.

    ``quick`` shortens training and tests fewer lengths: a smoke test, not a result.
    """
    from attnlab.models import training, translation

    watch = training.Stopwatch()
    phrases, size, steps = ((0, 6), 100, 60) if quick else (PHRASES, TESTED, None)
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
            kept = ("gender in place", "subject") if label in KEEPING else ()
            for part in ("sentence", "word", "gender", *kept):
                rows = [[shares[part] for shares in row] for row in measured]
                curves[f"{label}: {part}"] = Curve(phrases, rows)
            if label == MATCHED:
                example = written(models[-1])
    settings = {
        "trained on phrases": list(translation.TRAINED),
        "test sentences": size,
        "steps": translation.STEPS if steps is None else steps,
        "example": example,
        "quick": quick,
    }
    return Result(curves, list(seeds), settings, watch.seconds)


def sentence() -> Sentences:
    """Return the first test sentence of six phrases with a feminine subject and no noun twice."""
    from attnlab.models import training

    tests = training.held_out(Grammar("french"), 6, TESTED)
    nouns = np.sort(tests.tokens[:, :-2:2], axis=1)
    fits = (tests.participle % 2 == 1) & (np.diff(nouns, axis=1) > 0).all(axis=1)
    first = int(np.argmax(fits))
    return Sentences(*(part[first : first + 1] for part in vars(tests).values()))


def written(model: nn.Module) -> list[str]:
    """Return what a model makes of `sentence`, in words."""
    from attnlab.models.training import tensor
    from attnlab.models.translators import translate

    one = sentence()
    words = translate(model, tensor(one.tokens), one.target.shape[1])
    return Grammar("french").translation(words[0].numpy())


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
    """Compare vectors with attention at the longest trained sentences, and at longer ones."""
    attention = result["attention: sentence"]
    longest, beyond = max(result.settings["trained on phrases"]), attention.x[-1]
    shortest = attention.x[0]
    made = []
    for name, at in VECTORS.items():
        vector = result[f"{name}: sentence"]
        for phrases, condition in (
            (longest, f"{longest} phrases, the most in training"),
            (beyond, f"{beyond} phrases, more than in training"),
        ):
            agrees = (vector.at(phrases) < MAJORITY) & (attention.at(phrases) >= NEARLY_ALWAYS)
            learned = np.minimum(vector.at(shortest), attention.at(shortest)) >= LEARNED
            made += each_seed(agrees, condition, learned, at)
    return made


def because(result: Result) -> str:
    """Return how many sentences each translates, and what the loss does not show."""
    attention = result["attention: sentence"]
    longest, beyond = max(result.settings["trained on phrases"]), attention.x[-1]
    plain, matched, wide = (
        result[f"{name}: sentence"].at(longest)
        for name in ("vector of 64", MATCHED, "vector of 128")
    )
    steps = result.settings["steps"]["vector of 64"]
    return (
        f"With {longest} phrases attention translates {attention.at(longest).mean():.2f} of the "
        f"sentences. A vector of 64 numbers translates {plain.mean():.2f}; given to the decoder at "
        f"every step, by an encoder that reads both ways as in the model with attention, "
        f"{matched.mean():.2f}; a vector of 128 numbers {wide.min():.2f} to {wide.max():.2f}, at "
        f"least half of them with {(wide >= MAJORITY).sum()} of {len(wide)} seeds. With {beyond} "
        f"phrases attention translates {attention.at(beyond).mean():.2f}. This does not show how "
        f"much of the loss is for want of room and how much for want of training: a sentence of "
        f"{longest} phrases is about {bits(longest):.0f} bits, 64 numbers could hold them, and no "
        f"model was trained for longer than {steps} steps."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many whole sentences are translated correctly."""
    names = ("attention", "Transformer", MATCHED, "vector of 128", "vector of 64", "vector of 32")
    return plot_curves(
        {name: result[f"{name}: sentence"] for name in names},
        accent="attention",
        trained_to=6,
        x_label="phrases in the sentence",
        y_label="whole sentences right",
    )
