"""Measure what models lose beyond the window if most of their layers are local."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from attnlab.claims import LEARNED, MAJORITY, NEARLY_ALWAYS, Claim, Trial, each_seed
from attnlab.data import bindings
from attnlab.data.bindings import NUM_VALUES, NUM_WORDS, Bindings
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor

    from attnlab.models.layer_mixes import LayerMix

CLAIM = Claim(
    chapter="attention-memory",
    sentence="Beyond the window, six layers of which every second or only the last is global look "
    "up values as well as six global ones; six local layers find less than half of them, even as "
    "far as they reach together.",
    source="Gemma Team (2025), section 5, who compare several ratios in large models, by "
    "perplexity. The task and the sizes are ours.",
    refuted_by="In any seed, beyond the window: a mix that looks up fewer than nine tenths as many "
    "values as six global layers do, or six local layers that look up half of the values.",
    seconds=520,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.003,
        "steps": 1500,
        "width": 32,
        "tokens": 64,
        "window": 4,
    },
)
NUM_TOKENS = 64
WINDOW = 4  # tokens that a local layer sees, the newest included
#: A letter for each layer, the first one first: G for global, L for local.
MIXES = {
    "all global": "GGGGGG",
    "1 local : 1 global": "LGLGLG",
    "5 local : 1 global": "LLLLLG",
    "all local": "LLLLLL",
}
#: How many tokens ago the value was written, at most. The first group is in the window, the next
#: two are within reach of six local layers, 18 tokens back, and the last two are not.
DISTANCES = (3, 9, 17, 31, 61)

log = logging.getLogger(__name__)


def loss(model: LayerMix, texts: Bindings) -> Tensor:
    """Return the cross-entropy of the values that can be looked up, in nats."""
    import torch
    from torch.nn.functional import cross_entropy

    tokens, known = (torch.from_numpy(p) for p in (texts.tokens, texts.distances[:, :-1] > 0))
    return cross_entropy(model(tokens)[:, :-1][known], tokens[:, 1:][known])


def train(layers: str, seed: int = 0, steps: int = 1500) -> LayerMix:
    """Return a model with these layers, trained to look values up in texts of 64 tokens."""
    from attnlab.models import training
    from attnlab.models.layer_mixes import LayerMix

    batches = training.batches(seed, steps, lambda rng: bindings.draw(rng, 32, NUM_TOKENS))
    with training.one_thread(seed):
        model = LayerMix(NUM_WORDS, layers, WINDOW)
        # At 0.01 six global layers did not learn the task; the mixes did in a fifth of the steps.
        training.fit(model, batches, loss, learning_rate=0.003, decay_steps=steps)
    log.info("%s, seed %s", layers, seed)
    return model


def by_distance(model: LayerMix, size: int = 1000) -> list[float]:
    """Return the share of values looked up right in each group of ``DISTANCES``."""
    import torch

    from attnlab.models import training

    test = bindings.draw(np.random.default_rng(2), size, NUM_TOKENS)
    with torch.no_grad(), training.one_thread(0):
        guesses = model(torch.from_numpy(test.tokens))[:, :-1].argmax(dim=-1).numpy()
    right, distances = guesses == test.tokens[:, 1:], test.distances[:, :-1]
    groups = zip((0, *DISTANCES), DISTANCES, strict=False)
    return [
        round(float(right[(distances > above) & (distances <= most)].mean()), 3)
        for above, most in groups
    ]


def keys_kept(layers: str) -> int:
    """Return how many keys the caches of these layers hold after a whole text."""
    return sum(NUM_TOKENS if kind == "G" else WINDOW for kind in layers)


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train every mix with every seed; test it by the distance of what is looked up.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    steps, size = (20, 50) if quick else (1500, 1000)
    curves = {
        name: Curve(DISTANCES, [by_distance(train(layers, seed, steps), size) for seed in seeds])
        for name, layers in MIXES.items()
    }
    settings = {
        "steps": steps,
        "tokens": NUM_TOKENS,
        "window": WINDOW,
        "keys kept": {name: keys_kept(layers) for name, layers in MIXES.items()},
        "test texts": size,
        "quick": quick,
    }
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Compare each mix with global layers beyond the window, where those have learned the task."""
    whole, local = result["all global"].array, result["all local"].array
    known = whole.min(axis=1) >= LEARNED
    made = []
    for name in ("1 local : 1 global", "5 local : 1 global"):
        kept = result[name].array[:, 1:] >= NEARLY_ALWAYS * whole[:, 1:]
        made += each_seed(kept.all(axis=1), name, learned=known)
    for condition, groups in (("within their reach", slice(1, 3)), ("beyond it", slice(3, None))):
        lost = (local[:, groups] < MAJORITY).all(axis=1)
        made += each_seed(lost, f"all local, {condition}", learned=known)
    return made


def because(result: Result) -> str:
    """Return what each mix looks up, and how many keys it keeps."""
    kept = result.settings["keys kept"]
    parts = []
    for name in MIXES:
        near, middle, reached, _, far = result[name].mean
        parts.append(
            f"{name} ({kept[name]} keys kept): {near:.2f} within the window, {middle:.2f} at 5 "
            f"to 9 tokens, {reached:.2f} at 11 to 17, {far:.2f} at 33 to 61"
        )
    text = "; ".join(parts)
    return f"Share of values looked up right. {text[0].upper()}{text[1:]}."


def figure(result: Result) -> Figure:
    """Return a figure of how many values are looked up right by their distance."""
    return plot_curves(
        {name: result[name] for name in MIXES},
        accent="5 local : 1 global",
        chance=1 / NUM_VALUES,
        evenly=True,
        x_label="tokens back, at most",
        y_label="values looked up right",
    )
