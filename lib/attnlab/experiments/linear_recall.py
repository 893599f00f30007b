"""Count the pairs that linear attention recalls from its state, which does not grow."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from attnlab.claims import LEARNED, NEARLY_ALWAYS, Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.experiments import recall
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor

    from attnlab.models.lookups import Lookup

CLAIM = Claim(
    chapter="attention-memory",
    sentence="Linear attention recalls fewer pairs the smaller its state; softmax attention, whose "
    "cache grows with the pairs, recalls any of them.",
    source="On fixed-size states in general: Arora et al. (2024), abstract. The sizes are ours.",
    refuted_by="In any seed, with 8 pairs: a state of 2 features that answers as many questions as "
    "one of 32; or softmax attention that answers fewer than nine tenths of them.",
    seconds=135,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.01,
        "steps": 800,
        "width": 32,
        "features": "elu(x) + 1",
        "different keys": 16,
    },
)
PAIRS = (1, 2, 4, 8, 16)
FEATURES = (32, 8, 2)
#: Slower and longer training, of the models and numbers of pairs that the claim compares.
SLOW = {"learning rate": 0.003, "steps": 1600}
SLOW_PAIRS, SLOW_NAMES = (1, 8), ("softmax", "state of 32 features", "state of 2 features")
NAMES = ("softmax", *(f"state of {width} features" for width in FEATURES))

log = logging.getLogger(__name__)


def train(name: str, num_pairs: int, seed: int = 0, steps: int = 800, rate: float = 0.01) -> Lookup:
    """Return one of ``NAMES``, trained on questions of ``num_pairs`` pairs."""
    from torch.nn.functional import cross_entropy

    from attnlab.models import training
    from attnlab.models.lookups import LinearLookup, Lookup

    def loss(model: Lookup, questions: recall.Questions) -> Tensor:
        return cross_entropy(model(*questions[:3]), questions.answer)

    batches = training.batches(seed, steps, lambda rng: recall.draw(rng, 128, num_pairs))
    with training.one_thread(seed):
        if name == "softmax":
            model = Lookup(recall.NUM_WORDS, num_heads=1)
        else:
            model = LinearLookup(recall.NUM_WORDS, int(name.split()[2]))
        training.fit(model, batches, loss, learning_rate=rate, decay_steps=steps)
    log.info("%s, %s pairs, seed %s", name, num_pairs, seed)
    return model


def slowly(name: str, seeds: Sequence[int], steps: int) -> Curve:
    """Train one of ``SLOW_NAMES`` at a lower rate; return what it answers."""
    rows = [
        [recall.accuracy(train(name, n, seed, steps, SLOW["learning rate"]), n) for n in SLOW_PAIRS]
        for seed in seeds
    ]
    return Curve(SLOW_PAIRS, rows)


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train every model for each number of pairs with every seed, and test it with as many.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    pairs, steps = ((1, 8), 60) if quick else (PAIRS, 800)
    curves = {}
    for name in NAMES:
        rows = [[recall.accuracy(train(name, n, seed, steps), n) for n in pairs] for seed in seeds]
        curves[name] = Curve(pairs, rows)
    for name in SLOW_NAMES:
        curves[f"{name}, slowly"] = slowly(name, seeds, 90 if quick else int(SLOW["steps"]))
    settings = {"steps": steps, "words": recall.NUM_WORDS, "test questions": 1000, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Compare the states with each other and with softmax, where all have learned one pair."""
    made = []
    for suffix, at in {"": {}, ", slowly": SLOW}.items():
        curves = [result[name + suffix] for name in SLOW_NAMES]
        softmax, wide, small = (curve.at(8) for curve in curves)
        known = np.min([curve.at(1) for curve in curves], axis=0)
        agrees = (small < wide) & (softmax >= NEARLY_ALWAYS)
        made += each_seed(agrees, learned=known >= LEARNED, at=at)
    return made


def because(result: Result) -> str:
    """Return how many questions each model answers."""
    parts = (
        f"{name} " + ", ".join(f"{result[name].at(n).mean():.2f} with {n}" for n in PAIRS[2:])
        for name in NAMES
    )
    slow = ", ".join(f"{result[f'{n}, slowly'].at(8).mean():.2f} for {n}" for n in SLOW_NAMES)
    return (
        f"Share of questions answered right, by the number of pairs: {'; '.join(parts)}. With 8 "
        f"pairs, after slower and longer training: {slow}."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many questions are answered."""
    return plot_curves(
        {name: result[name] for name in NAMES},
        accent="softmax",
        chance=1 / recall.NUM_WORDS,
        log="x",
        x_label="pairs",
        y_label="questions answered right",
    )
