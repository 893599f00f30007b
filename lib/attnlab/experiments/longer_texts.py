"""Test whether scaled rotary positions let a model read texts longer than in training."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attn import RotaryScaling
from attnlab.claims import LEARNED, Claim, Trial, each_seed
from attnlab.data import bindings
from attnlab.data.bindings import NUM_VALUES, NUM_WORDS, Bindings
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from torch import Tensor

    from attnlab.models.layer_mixes import LayerMix

CLAIM = Claim(
    chapter="attention-today",
    sentence="With the frequencies of its rotary positions lowered, a model looks up values that "
    "are further back than any text of its training was long better than without, before any "
    "further training.",
    source="Chen et al. (2023) on linear scaling, followed by some training; Peng et al. (2024), "
    "section 3, on the other two. The task and the sizes are ours.",
    refuted_by="In any seed, a scaling with which no more of these values are right than without.",
    seconds=70,
    knobs={
        "start": "as PyTorch starts it",
        "learning rate": 0.01,
        "steps": 1000,
        "width": 32,
        "tokens in training": 32,
    },
)
TRAINED = 32  # tokens
LENGTHS = (32, 64, 128)
WAYS = ("none", "linear", "NTK-aware", "YaRN")
#: Further training at the greatest length, in steps.
MORE = (0, 50, 200)

log = logging.getLogger(__name__)


def scaling(way: str, num_tokens: int) -> RotaryScaling | None:
    """Return one of ``WAYS`` so that ``num_tokens`` fit where ``TRAINED`` did."""
    factor = num_tokens / TRAINED
    if way == "linear":
        return RotaryScaling("linear", factor)
    if way == "NTK-aware":
        return RotaryScaling("ntk", factor)
    return RotaryScaling("yarn", factor, TRAINED) if way == "YaRN" else None


def loss(way: str, num_tokens: int) -> Callable[[LayerMix, Bindings], Tensor]:
    """Return the cross-entropy of the values that can be looked up, in nats, as a function."""
    import torch
    from torch.nn.functional import cross_entropy

    def of(model: LayerMix, texts: Bindings) -> Tensor:
        tokens, known = (torch.from_numpy(p) for p in (texts.tokens, texts.distances[:, :-1] > 0))
        logits = model(tokens, scaling(way, num_tokens))
        return cross_entropy(logits[:, :-1][known], tokens[:, 1:][known])

    return of


def train(seed: int = 0, steps: int = 1000) -> LayerMix:
    """Return a model of two global layers, trained on texts of ``TRAINED`` tokens."""
    from attnlab.models import training
    from attnlab.models.layer_mixes import LayerMix

    batches = training.batches(seed, steps, lambda rng: bindings.draw(rng, 64, TRAINED))
    with training.one_thread(seed):
        model = LayerMix(NUM_WORDS, "GG")
        training.fit(model, batches, loss("none", TRAINED), learning_rate=0.01, decay_steps=steps)
    log.info("seed %s", seed)
    return model


def train_on(model: LayerMix, way: str, seed: int, steps: int) -> LayerMix:
    """Return a copy that has been trained on with scaling, on texts of the greatest length."""
    from attnlab.models import training

    longest, model = LENGTHS[-1], copy.deepcopy(model)
    batches = training.batches(seed + 100, steps, lambda rng: bindings.draw(rng, 16, longest))
    with training.one_thread(seed):
        training.fit(model, batches, loss(way, longest), learning_rate=0.001)
    log.info("%s, %s steps more, seed %s", way, steps, seed)
    return model


def shares(model: LayerMix, way: str, num_tokens: int, size: int = 500) -> tuple[float, float]:
    """Return the shares of values looked up right: at most ``TRAINED`` tokens back, and further.

    In texts of ``TRAINED`` tokens there are none further back, and the second share is NaN.
    """
    import torch

    from attnlab.models import training

    test = bindings.draw(np.random.default_rng((num_tokens, 2)), size, num_tokens)
    with torch.no_grad(), training.one_thread(0):
        logits = model(torch.from_numpy(test.tokens), scaling(way, num_tokens))
    right = logits[:, :-1].argmax(dim=-1).numpy() == test.tokens[:, 1:]
    back = test.distances[:, :-1]
    groups = (right[(back > 0) & (back <= TRAINED)], right[back > TRAINED])
    near, far = (round(float(group.mean()), 3) if group.size else np.nan for group in groups)
    return near, far


def weight_before(model: LayerMix, way: str, size: int = 100) -> float:
    """Return what weight a value gives to the name before it, in the head that gives the most.

    Mean over texts of the greatest length, in the first layer.
    """
    import torch

    longest = LENGTHS[-1]
    tokens = torch.from_numpy(bindings.draw(np.random.default_rng(9), size, longest).tokens)
    with torch.no_grad():
        weights = model.first_weights(tokens, scaling(way, longest))
    before = torch.diagonal(weights, -1, dim1=-2, dim2=-1)[..., ::2]  # names stand at even places
    return round(float(before.mean(dim=(0, 2)).max()), 3)


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train with every seed; test each way at each length, and after some further training.

    ``quick`` shortens training: a smoke test, not a result.
    """
    from attnlab.models import training

    watch = training.Stopwatch()
    steps, more, size = (30, (0, 2, 4), 40) if quick else (1000, MORE, 500)
    longest, curves = LENGTHS[-1], {}
    models = [train(seed, steps) for seed in seeds]
    for way in WAYS:
        by_length = [[shares(model, way, n, size) for n in LENGTHS] for model in models]
        curves[f"{way}: near"] = Curve(LENGTHS, [[near for near, _ in row] for row in by_length])
        curves[f"{way}: far"] = Curve(LENGTHS[1:], [[f for _, f in row[1:]] for row in by_length])
        after = [
            [far, *(shares(train_on(m, way, seed, n), way, longest, size)[1] for n in more[1:])]
            for seed, m, far in zip(seeds, models, curves[f"{way}: far"].at(longest), strict=True)
        ]
        curves[f"{way}: far, trained on"] = Curve(more, after)
        before = [[weight_before(model, way)] for model in models]
        curves[f"{way}: weight on the token before"] = Curve([longest], before)
    settings = {"steps": steps, "trained": TRAINED, "test texts": size, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def trials(result: Result) -> list[Trial]:
    """Test each way at two and at four times the trained length."""
    known: NDArray[np.bool_] = result["none: near"].at(TRAINED) >= LEARNED
    return [
        trial
        for way in WAYS[1:]
        for length in LENGTHS[1:]
        for trial in each_seed(
            result[f"{way}: far"].at(length) > result["none: far"].at(length),
            f"{way}, {length // TRAINED} times the length",
            learned=known,
        )
    ]


def because(result: Result) -> str:
    """Return what each way looks up beyond the trained length, at once and after more training."""
    longest, more = LENGTHS[-1], result["none: far, trained on"].x[-1]
    parts = []
    for way in WAYS:
        far = result[f"{way}: far"]
        at = " and ".join(f"{far.at(n).mean():.2f} in texts of {n} tokens" for n in LENGTHS[1:])
        later = result[f"{way}: far, trained on"].at(more).mean()
        before = result[f"{way}: weight on the token before"].mean[0]
        name = "no scaling" if way == "none" else way
        parts.append(
            f"{name}: {at}, {later:.2f} after {more} further steps on texts of {longest}; a head "
            f"gives {before:.2f} of its weight to the token before"
        )
    text = ". ".join(f"{part[0].upper()}{part[1:]}" for part in parts)
    return f"Share of the values more than {TRAINED} tokens back that are right. {text}."


def figure(result: Result) -> Figure:
    """Return a figure of how many values beyond the trained length are right, by training."""
    return plot_curves(
        {way: result[f"{way}: far, trained on"] for way in WAYS},
        accent="linear",
        chance=1 / NUM_VALUES,
        evenly=True,
        x_label=f"further steps on texts of {LENGTHS[-1]} tokens",
        y_label="values looked up right",
    )
