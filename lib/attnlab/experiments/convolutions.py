"""Measure how far stacked convolutions see, and what they know of what lies beyond."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnlab.claims import LEARNED, NEAR_CHANCE, Claim, Knobs, Trial, each_seed
from attnlab.data.grammar import Grammar
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from attnlab.models.sentence_classifiers import ConvolutionClassifier

CLAIM = Claim(
    chapter="motivation",
    sentence="A convolution's reach is limited: L layers of kernel k know nothing of a word that "
    "stands more than L (k - 1) words back.",
    source="Arithmetic. Vaswani et al. (2017), section 4, say that it takes about n / k layers, or "
    "log n / log k dilated ones, to connect all pairs of n positions.",
    refuted_by="A stack that gets the gender of a subject beyond its reach right more often than a "
    "coin does.",
    seconds=80,
    background="The limit of the alternative that attention is compared with.",
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.005,
        "steps": 800,
        "width": 32,
    },
)
PHRASES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
#: Layers and kernel.
SHAPES = ((2, 3), (4, 3), (2, 5), (4, 5))
#: Knobs turned in a stack of 4 layers of kernel 3, one at a time.
TURNED: tuple[Knobs, ...] = (
    {"start": "half as large"},
    {"learning rate": 0.01},
    {"steps": 1200},
    {"width": 16},
)

log = logging.getLogger(__name__)


def label(layers: int, kernel: int) -> str:
    """Return the name of a stack's curve.

    Examples
    --------
    >>> label(4, 3)
    '4 layers of kernel 3'
    """
    return f"{layers} layers of kernel {kernel}"


def distance(num_phrases: int) -> int:
    """Return how many words before the verb the subject stands.

    Examples
    --------
    >>> distance(0), distance(4)
    (2, 10)
    """
    return 2 + 2 * num_phrases


def train(
    layers: int, kernel: int, seed: int = 0, steps: int = 800, at: Knobs | None = None
) -> ConvolutionClassifier:
    """Return a stack trained on all lengths within its reach, and on one beyond it.

    ``at`` are knobs that are turned.
    """
    import torch

    from attnlab.models import sentence_classifiers, training

    grammar, knobs = Grammar("french"), {**CLAIM.knobs, "steps": steps, **(at or {})}
    rate, steps, width = float(knobs["learning rate"]), int(knobs["steps"]), int(knobs["width"])
    with training.one_thread(seed):
        model = sentence_classifiers.ConvolutionClassifier(grammar, layers, kernel, width)
        if knobs["start"] != CLAIM.knobs["start"]:
            with torch.no_grad():
                for parameter in model.parameters():
                    parameter.mul_(0.5)
        trained = [number for number in PHRASES if distance(number) <= model.reach + 2]
        batches = training.sentences(grammar, seed, steps, 128, trained)
        training.fit(
            model, batches, training.participle_loss, learning_rate=rate, decay_steps=steps
        )
    log.info("%s, seed %s", label(layers, kernel), seed)
    return model


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each stack with every seed; measure the gender of the participle at each distance.

    ``quick`` shortens training and tests fewer distances: a smoke test, not a result.
    """
    from attnlab.experiments import agreement
    from attnlab.models import training

    watch = training.Stopwatch()
    phrases, steps = ((0, 4, 10), 200) if quick else (PHRASES, 800)
    x = [distance(number) for number in phrases]
    curves = {}
    for layers, kernel in SHAPES:
        models = [train(layers, kernel, seed, steps) for seed in seeds]
        rows = [agreement.measure(model, phrases=phrases) for model in models]
        curves[label(layers, kernel)] = Curve(x, rows)
    for at in TURNED:
        short = {"steps": steps} if quick else {}
        models = [train(4, 3, seed, steps, {**at, **short}) for seed in seeds]
        rows = [agreement.measure(model, phrases=phrases) for model in models]
        curves[agreement.named(label(4, 3), at)] = Curve(x, rows)
    reach = {label(layers, kernel): layers * (kernel - 1) for layers, kernel in SHAPES}
    settings = {"reach": reach, "steps": steps, "test sentences": 1000, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test each stack at every distance beyond its reach, if it has learned those within."""
    from attnlab.experiments.agreement import named

    turned = [(label(4, 3), at) for at in TURNED]
    made = []
    for name, at in [*((name, {}) for name in result.settings["reach"]), *turned]:
        within, beyond = _either_side(result, named(name, at), result.settings["reach"][name])
        agrees = beyond.max(axis=1) <= 0.5 + NEAR_CHANCE
        made += each_seed(agrees, name, within.min(axis=1) >= LEARNED, at)
    return made


def because(result: Result) -> str:
    """Return the worst share within reach and the best beyond it."""
    reach = result.settings["reach"]
    sides = [_either_side(result, name, reach[name.partition(",")[0]]) for name in result.curves]
    learned = [near.min(axis=1) >= LEARNED for near, _ in sides]
    beyond = max(float(far[known].max()) for (_, far), known in zip(sides, learned, strict=True))
    return (
        f"{np.sum(learned)} of {np.size(learned)} stacks learn the task at every distance within "
        f"their reach. Beyond it the best of them names {beyond:.2f} of the genders, where a coin "
        f"names 0.50."
    )


def _either_side(
    result: Result, name: str, reach: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the shares within a stack's reach and beyond, (num_seeds, num_distances) each."""
    near = np.asarray(result[name].x) <= reach
    return result[name].array[:, near], result[name].array[:, ~near]


def figure(result: Result) -> Figure:
    """Return a figure of how many genders are named within reach and beyond it."""
    return plot_curves(
        {name: result[name] for name in result.settings["reach"]},
        accent="4 layers of kernel 5",
        chance=0.5,
        x_label="distance from subject to verb, in words",
        y_label="genders right",
    )
