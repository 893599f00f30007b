"""Measure what a state of fixed size gains if it forgets by a fixed factor or a computed one."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from attnlab.claims import MAJORITY, Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.experiments import recall
from attnlab.experiments.recall import NUM_WORDS, Questions
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor

    from attnlab.models.lookups import DecayedLookup

CLAIM = Claim(
    chapter="attention-memory",
    sentence="A state of linear attention that decays by a fixed factor recalls the latest pairs "
    "better than one that keeps all, and old ones worse; with a factor that each token computes it "
    "forgets an earlier text and still recalls old pairs of the same one.",
    source="Made for this course, after Sun et al. (2023), section 2.1, for a fixed factor, and "
    "Dao and Gu (2024) for a computed one.",
    refuted_by="In any seed: with a fixed factor, answers that are no better than without decay on "
    "the latest pair, or no worse on the 16th last; with a computed one, answers that are worse "
    "than without decay by a tenth or more on the 16th last, or no better than with one of the "
    "others on the second text.",
    seconds=105,
    knobs={
        "start": "as PyTorch starts it, a computed factor near 1",
        "learning rate": 0.01,
        "steps": 800,
        "width": 32,
        "features": 8,
        "factor": 0.8,
        "pairs": 16,
    },
)
FEATURES, MANY_FEATURES = 8, 32
FACTOR = 0.8
#: The factor of each kind of state; None: computed.
KINDS: dict[str, float | None] = {"no decay": 1.0, f"decay of {FACTOR}": FACTOR, "computed": None}
TASKS = ("one text", "two texts")
#: How many pairs ago the pair was read that is asked for; the last one is 1.
AGES = (1, 2, 4, 8, 12, 16)
PAIRS, NEW_PAIRS = 16, 8
#: The key and the value of the pair that ends a text.
END = NUM_WORDS
#: Less by at most this much is as good.
NOTABLE = 0.1

log = logging.getLogger(__name__)


def draw(task: str, rng: np.random.Generator, batch: int, age: int | None = None) -> Questions:
    """Return questions; ``age`` says how many pairs ago the answer was read; any if not given.

    *one text*: 16 pairs with different keys. *two texts*: eight pairs, the end of a text, eight
    pairs with values of their own, often for the same keys; the second text is asked about.
    """
    import torch

    if task == "one text":
        keys, values, *_ = (part.numpy() for part in recall.draw(rng, batch, PAIRS))
    else:
        first, second = (recall.draw(rng, batch, NEW_PAIRS) for _ in range(2))
        end = np.full((batch, 1), END)
        keys, values = (
            np.concatenate([first[part].numpy(), end, second[part].numpy()], axis=1)
            for part in (0, 1)
        )
    youngest = PAIRS if task == "one text" else NEW_PAIRS
    ages = rng.integers(1, youngest + 1, size=batch) if age is None else np.full(batch, age)
    rows, at = np.arange(batch), keys.shape[1] - ages
    parts = (keys, values, keys[rows, at], values[rows, at])
    return Questions(*(torch.from_numpy(np.ascontiguousarray(part)) for part in parts))


def train(
    kind: str, task: str, seed: int = 0, steps: int = 800, features: int = FEATURES
) -> DecayedLookup:
    """Return a model with one of ``KINDS`` of state, trained on one of ``TASKS``."""
    from torch.nn.functional import cross_entropy

    from attnlab.models import training
    from attnlab.models.lookups import DecayedLookup

    def loss(model: DecayedLookup, questions: Questions) -> Tensor:
        return cross_entropy(model(*questions[:3]), questions.answer)

    batches = training.batches(seed, steps, lambda rng: draw(task, rng, 128))
    with training.one_thread(seed):
        model = DecayedLookup(NUM_WORDS + 1, features, KINDS[kind])
        training.fit(model, batches, loss, learning_rate=0.01, decay_steps=steps)
    log.info("%s, %s, seed %s", kind, task, seed)
    return model


def accuracy(model: DecayedLookup, task: str, age: int | None = None, size: int = 1000) -> float:
    """Return the share of right answers; see `draw`."""
    import torch

    test = draw(task, np.random.default_rng((age or 0, 2)), size, age)
    with torch.no_grad():
        predicted = model(*test[:3]).argmax(dim=-1)
    return round(float((predicted == test.answer).float().mean()), 3)


def named(kind: str, features: int) -> str:
    """Return the name of a kind's curves: its own with the usual number of features."""
    return kind if features == FEATURES else f"{kind}, {features} features"


def curves_of(kind: str, features: int, seeds: Sequence[int], steps: int) -> dict[str, Curve]:
    """Train one of ``KINDS`` on each task with every seed; test it by the age of the pair."""
    name = named(kind, features)
    one, two = ([train(kind, task, seed, steps, features) for seed in seeds] for task in TASKS)
    return {
        name: Curve(AGES, [[accuracy(m, TASKS[0], age) for age in AGES] for m in one]),
        f"{name}: second text": Curve([NEW_PAIRS], [[accuracy(m, TASKS[1])] for m in two]),
    }


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train each kind of state on each task, with few features and with many.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    steps = 60 if quick else 800
    curves: dict[str, Curve] = {}
    for features in (FEATURES, MANY_FEATURES):
        for kind in KINDS:
            curves |= curves_of(kind, features, seeds, steps)
    settings = {"steps": steps, "features": FEATURES, "test questions": 1000, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test the fixed factor by age, and the computed one by age and on the second text."""
    made = []
    last, oldest = AGES[0], AGES[-1]
    for features in (FEATURES, MANY_FEATURES):
        at = {} if features == FEATURES else {"features": features}
        kinds = [named(kind, features) for kind in KINDS]
        whole, fixed, computed = (result[kind] for kind in kinds)
        second = [result[f"{kind}: second text"].at(NEW_PAIRS) for kind in kinds]
        trades = (fixed.at(last) > whole.at(last)) & (fixed.at(oldest) < whole.at(oldest))
        keeps = computed.at(oldest) > whole.at(oldest) - NOTABLE
        forgets = (second[2] > second[0]) & (second[2] > second[1])
        known = whole.at(last) >= MAJORITY
        made += [
            *each_seed(trades, "a fixed factor, one text", learned=known, at=at),
            *each_seed(keeps, "a computed factor, one text", learned=known, at=at),
            *each_seed(forgets, "a computed factor, two texts", learned=known, at=at),
        ]
    return made


def because(result: Result) -> str:
    """Return how many questions each state answers."""
    parts = []
    for kind in KINDS:
        last, middle, oldest = (result[kind].at(age).mean() for age in (1, 8, 16))
        second = result[f"{kind}: second text"].at(NEW_PAIRS).mean()
        parts.append(
            f"{kind}: {last:.2f} on the last pair, {middle:.2f} on the 8th last, {oldest:.2f} on "
            f"the 16th last, and {second:.2f} on the second of two texts"
        )
    many = [named(kind, MANY_FEATURES) for kind in KINDS]
    last = ", ".join(f"{result[kind].at(1).mean():.2f}" for kind in many)
    second = ", ".join(f"{result[f'{k}: second text'].at(NEW_PAIRS).mean():.2f}" for k in many)
    return (
        f"Share of questions answered right. {'. '.join(p[0].upper() + p[1:] for p in parts)}. "
        f"With {MANY_FEATURES} features, in the same order: {last} on the last pair, and {second} "
        "on the second of two texts."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many questions are answered by the age of the pair."""
    return plot_curves(
        {kind: result[kind] for kind in KINDS},
        accent="computed",
        chance=1 / NUM_WORDS,
        evenly=True,
        x_label="pairs ago, of 16",
        y_label="questions answered right",
    )
