"""Object detection: a model is trained on which glyphs a picture has. Does it learn where they are?

One learned query for each glyph attends to all cells, and its context answers "is it there?". The
model is trained on that answer only; where the glyph stands is read from its weights afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from attnlab.claims import LEARNED, NEARLY_ALWAYS, Claim, Knobs, Trial, each_seed
from attnlab.data import glyphs
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result, curves_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from attnlab.models.vision import GlyphDetector

CLAIM = Claim(
    chapter="at-work",
    sentence="Attention highlights where in a picture an object is.",
    source="Lists of applications in many texts on attention.",
    refuted_by="A model that has learned which glyphs are there, and has its largest weight on "
    "another cell for more than a tenth of them.",
    seconds=30,
    knobs={
        "start": "queries drawn with a spread of 1",
        "learning rate": 0.01,
        "steps": 600,
        "width": 32,
    },
)
#: The knobs that are turned, one at a time, and the argument of `train_detector` that turns each.
TURNED: dict[str, tuple[Knobs, dict[str, Any]]] = {
    "queries start small": ({"start": "queries drawn with a spread of 0.1"}, {"spread": 0.1}),
    "learning rate 0.003": ({"learning rate": 0.003}, {"learning_rate": 0.003}),
    "1200 steps": ({"steps": 1200}, {"steps": 1200}),
    "width 16": ({"width": 16}, {"width": 16}),
}
SIDES = (3, 4, 6, 8)
TRAINED_SIDE = 4


def measure(model: GlyphDetector, side: int) -> dict[str, float]:
    """Return the shares of correct answers, and of glyphs on whose cell the largest weight is.

    ``largest weight, absent``: the mean over queries whose glyph is not in the picture.
    """
    import torch

    from attnlab.models.training import tensor
    from attnlab.models.vision import NUM_GLYPHS, there_in

    test = glyphs.draw(np.random.default_rng((side, 2)), 300, NUM_GLYPHS, side)
    with torch.no_grad():
        logits, weights = model.forward_with_weights(tensor(test.cells))
    there = there_in(test)
    rows = np.arange(300)[:, None]
    largest = weights.numpy().argmax(axis=-1)[rows, test.glyphs]  # (batch, num_glyphs)
    strength = weights.numpy().max(axis=-1)  # (batch, num_names)
    return {
        "right": float(((logits.numpy() > 0) == (there > 0)).mean()),
        "found": float((largest == test.places).mean()),
        "largest weight, there": round(float(strength[there > 0].mean()), 4),
        "largest weight, absent": round(float(strength[there == 0].mean()), 4),
    }


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Train with every seed; test on grids of each size.

    ``quick`` shortens training and tests fewer sizes: a smoke test, not a result.
    """
    from attnlab.models.training import Stopwatch
    from attnlab.models.vision import train_detector

    watch = Stopwatch()
    sides, steps = ((4,), 300) if quick else (SIDES, 600)
    models = [train_detector(seed, steps) for seed in seeds]
    measured = [[measure(model, side) for side in sides] for model in models]
    curves = curves_of(sides, measured)
    curves |= turned(seeds, sides, {"steps": steps} if quick else {})
    settings = {"trained on side": TRAINED_SIDE, "steps": steps, "quick": quick}
    return Result(curves, list(seeds), settings, watch.seconds)


def turned(
    seeds: Sequence[int], sides: Sequence[int], always: Mapping[str, Any]
) -> dict[str, Curve]:
    """Return what models find in which one knob was turned: see `TURNED`."""
    from attnlab.models.vision import train_detector

    curves: dict[str, Curve] = {}
    for name, (_, how) in TURNED.items():
        models = [train_detector(seed, **{**how, **always}) for seed in seeds]
        rows = [[measure(model, side) for side in sides] for model in models]
        kept = [[{part: row[part] for part in ("right", "found")} for row in of] for of in rows]
        curves |= curves_of(sides, kept, f"{name}: ")
    return curves


def trials(result: Result) -> list[Trial]:
    """Test whether the largest weight is on the glyph's cell, on grids of each size.

    Models in which a knob was turned are tested on grids as in training.
    """
    made = [_trials_at(result, "", side, {}) for side in result["found"].x]
    made += [_trials_at(result, f"{name}: ", TRAINED_SIDE, at) for name, (at, _) in TURNED.items()]
    return [trial for of_condition in made for trial in of_condition]


def _trials_at(result: Result, prefix: str, side: float, at: Knobs) -> list[Trial]:
    return each_seed(
        result[f"{prefix}found"].at(side) >= NEARLY_ALWAYS,
        f"{side} by {side} cells",
        learned=result[f"{prefix}right"].at(side) >= LEARNED,
        at=at,
    )


def because(result: Result) -> str:
    """Return how many places are found, and how much weight absent glyphs get."""
    correct, located = result["right"].at(TRAINED_SIDE), result["found"].at(TRAINED_SIDE)
    absent = result["largest weight, absent"].at(TRAINED_SIDE)
    return (
        f"Trained only on which glyphs are there, the model is right about {correct.mean():.2f} of "
        f"them, and the largest weight is on the glyph's cell in {located.mean():.2f}. The "
        f"converse does not follow: a query whose glyph is absent puts {absent.mean():.2f} of its "
        "weight on one cell."
    )


def figure(result: Result) -> Figure:
    """Return a figure of the largest weight, for glyphs that are there and that are not."""
    names = ("right", "largest weight, there", "largest weight, absent")
    return plot_curves(
        {name: result[name] for name in names},
        accent="largest weight, there",
        x_label="cells on a side of the picture",
        y_label="share, or weight",
    )
