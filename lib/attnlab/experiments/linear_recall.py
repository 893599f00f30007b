"""How many pairs does linear attention recall from its state, which does not grow?"""

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
    source="Of fixed-size states in general: Arora et al. (2024), abstract. The sizes are ours.",
    refuted_by="With 8 pairs, a state of 2 features that answers as much as one of 32, in any "
    "seed; or softmax attention that answers less than nine tenths.",
    seconds=75,
)
PAIRS = (1, 2, 4, 8, 16)
FEATURES = (32, 8, 2)
NAMES = ("softmax", *(f"state of {width} features" for width in FEATURES))

log = logging.getLogger(__name__)


def train(name: str, num_pairs: int, seed: int = 0, steps: int = 800) -> Lookup:
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
        training.fit(model, batches, loss, learning_rate=0.01, decay_steps=steps)
    log.info("%s, %s pairs, seed %s", name, num_pairs, seed)
    return model


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
    settings = {"steps": steps, "words": recall.NUM_WORDS, "test questions": 1000, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Compare the states with each other and with softmax, where all have learned one pair."""
    wide, small = (result[f"state of {width} features"].at(8) for width in (32, 2))
    known = np.min([result[name].at(1) for name in NAMES], axis=0)
    softmax = result["softmax"].at(8)
    agrees = (small < wide) & (softmax >= NEARLY_ALWAYS)
    return each_seed(agrees, learned=known >= LEARNED)


def because(result: Result) -> str:
    """Return how many questions each model answers."""
    parts = (
        f"{name}: " + ", ".join(f"{result[name].at(n).mean():.2f} of {n}" for n in PAIRS[2:])
        for name in NAMES
    )
    return f"Share of questions answered, by the number of pairs. {'; '.join(parts)}."


def figure(result: Result) -> Figure:
    """Return a figure of how many questions are answered."""
    return plot_curves(
        result.curves,
        accent="softmax",
        chance=1 / recall.NUM_WORDS,
        log="x",
        x_label="pairs",
        y_label="questions answered right",
    )
