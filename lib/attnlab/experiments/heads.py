"""One head against two: can one distribution of weights fetch two words?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from attnlab.claims import LEARNED, NEARLY_ALWAYS, Claim, Trial, each_seed
from attnlab.data.grammar import Grammar
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from attnlab.models.sentence_classifiers import LearnedQueryClassifier

CLAIM = Claim(
    chapter="multi-head",
    sentence="Two heads fetch two words; in one head of twice the width averaging prevents it.",
    source="Vaswani et al. (2017), section 3.2.2, who say that averaging hinders a single head.",
    refuted_by="One head that gets gender and verb right in nine tenths of the sentences; or two "
    "that do not.",
    seconds=15,
)
PHRASES = (0, 1, 2, 3, 4, 6, 8, 12)

#: Name of a model: the initial slope of each of its heads, in nats per token.
SLOPES = {
    "two heads": (0.5, -0.5),
    "one head, from the start": (0.5,),
    "one head, from the end": (-0.5,),
}


def train(name: str, seed: int = 0, steps: int = 800) -> LearnedQueryClassifier:
    """Return a trained model: one of ``SLOPES``.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    from attnlab.models import sentence_classifiers, training

    if name not in SLOPES:
        raise ValueError(f"model is {name!r}; expected one of {', '.join(SLOPES)}")
    grammar = Grammar("french")
    with training.one_thread(seed):
        model = sentence_classifiers.LearnedQueryClassifier(grammar, SLOPES[name])
        batches = training.sentences(grammar, seed, steps, batch=128)
        training.fit(
            model, batches, training.participle_loss, learning_rate=0.01, decay_steps=steps
        )
    return model


def weights(model: LearnedQueryClassifier, num_phrases: int) -> np.ndarray:
    """Return each head's mean weight on each token, shape (num_heads, num_tokens)."""
    import torch

    from attnlab.models import training

    test = training.held_out(Grammar("french"), num_phrases)
    with torch.no_grad():
        _, all_weights = model.forward_with_weights(
            training.tensor(test.tokens)
        )  # (batch, heads, 1, num_tokens)
    return all_weights[:, :, 0].mean(dim=0).numpy()


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each model with every seed; measure gender, verb and the whole participle.

    ``quick`` shortens training and tests fewer lengths: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    phrases = (0, 4, 8) if quick else PHRASES
    tests = [training.held_out(Grammar("french"), n) for n in phrases]
    curves: dict[str, Curve] = {}
    for name in SLOPES:
        models = [train(name, seed, 300 if quick else 800) for seed in seeds]
        measured = [[training.accuracy(model, test) for test in tests] for model in models]
        curves |= curves_of(phrases, measured, f"{name}: ")
    settings = {"trained on phrases": [0, 1, 2, 3, 4], "test sentences": 1000, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Compare two heads with the better single head, at a trained length and beyond."""
    two, *single = (result[f"{name}: participle"] for name in SLOPES)
    longest, beyond = max(result.settings["trained on phrases"]), two.x[-1]
    return [
        trial
        for phrases, condition in (
            (longest, f"{longest} phrases, the most in training"),
            (beyond, f"{beyond} phrases, more than in training"),
        )
        for trial in each_seed(
            (two.at(phrases) >= NEARLY_ALWAYS)
            & (np.max([one.at(phrases) for one in single], axis=0) < NEARLY_ALWAYS),
            condition,
            learned=two.at(longest) >= LEARNED,
        )
    ]


def because(result: Result) -> str:
    """Return the shares of participles that are right."""
    longest = PHRASES[-1]
    two, start, end = (result[f"{name}: participle"] for name in SLOPES)
    return (
        f"At {longest} phrases two heads get {two.at(longest).mean():.2f} of the participles "
        f"right, one head {start.at(longest).mean():.2f} or {end.at(longest).mean():.2f}, by where "
        f"it starts. But at 4 phrases, a trained length, the head that starts at the subject gets "
        f"{start.at(4).mean():.2f}: one head can compromise where it was trained."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many participles are correct."""
    names = ("two heads", "one head, from the start", "one head, from the end")
    return plot_curves(
        {name: result[f"{name}: participle"] for name in names},
        accent="two heads",
        trained_to=4,
        y_label="participles right",
    )
