"""Do only the biggest scores matter? What the largest weights hold, over the spread of scores."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attn import softmax
from attnlab.claims import NEARLY_ALWAYS, Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLAIM = Claim(
    chapter="hashing",
    sentence="The largest scores dominate the softmax, so a query needs only the few keys that are "
    "nearest to it.",
    source="Kitaev et al. (2020), section 2; their example is the 32 or 64 nearest of 64,000 keys.",
    refuted_by="The largest 32 of 1024 weights holding less than nine tenths.",
    seconds=1,
)
SPREADS = (0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4)
LARGEST = (8, 32, 128)
NUM_KEYS = 1024


def share_of_largest(scores: NDArray[np.float64], largest: int) -> NDArray[np.float64]:
    """Return what the largest weights of each row hold together, shape (...).

    Parameters
    ----------
    scores : array, shape (..., num_keys), in nats
    largest : int

    Examples
    --------
    >>> share_of_largest(np.zeros(8), 2)
    np.float64(0.25)
    """
    weights = np.sort(softmax(scores), axis=-1)
    return weights[..., weights.shape[-1] - largest :].sum(axis=-1)


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Measure the shares for normal scores; ``quick`` draws few rows."""
    start = time.perf_counter()
    rows = 20 if quick else 400
    curves = {}
    for largest in LARGEST:
        values = []
        for seed in seeds:
            plain = np.random.default_rng(seed).standard_normal((rows, NUM_KEYS))
            shares = (share_of_largest(spread * plain, largest).mean() for spread in SPREADS)
            values.append([float(share) for share in shares])
        curves[f"the largest {largest}"] = Curve(SPREADS, values)
    settings = {"keys": NUM_KEYS, "rows": rows, "quick": quick}
    return Result(curves, list(seeds), settings, round(time.perf_counter() - start, 1))


def trials(result: Result) -> list[Trial]:
    """Test the share of the largest 32 at each spread of the scores."""
    curve = result["the largest 32"]
    return [
        trial
        for spread in curve.x
        for trial in each_seed(
            curve.at(spread) >= NEARLY_ALWAYS, f"scores have a standard deviation of {spread:g}"
        )
    ]


def because(result: Result) -> str:
    """Return the shares of the largest 32."""
    curve = result["the largest 32"]
    return (
        f"For normal scores the largest 32 of {NUM_KEYS} weights hold {curve.at(1).mean():.2f} at "
        f"a standard deviation of 1, {curve.at(2).mean():.2f} at 2, {curve.at(3).mean():.2f} at 3 "
        f"and {curve.at(4).mean():.2f} at 4."
    )


def figure(result: Result) -> Figure:
    """Return a figure of the share that the largest weights hold."""
    return plot_curves(
        result.curves,
        accent="the largest 32",
        x_label="standard deviation of the scores",
        y_label="share of the weight",
    )
