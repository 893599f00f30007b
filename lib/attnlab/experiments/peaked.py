"""Measure what the largest weights hold, over the spread of scores: do only they matter?"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attn import softmax
from attnlab.claims import NEARLY_ALWAYS, Claim, Knobs, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NUM_KEYS = 1024
#: The sizes of Reformer's example: the 64 largest of so many keys.
MANY_KEYS, MANY_LARGEST = 64_000, 64
CLAIM = Claim(
    chapter="hashing",
    sentence="The largest scores dominate the softmax, so a query needs only the few keys that are "
    "nearest to it.",
    source="Kitaev et al. (2020), section 2; their example is the 32 or 64 nearest of 64,000 keys.",
    refuted_by="The largest 32 of 1024 weights, or 64 of 64,000, holding less than nine tenths.",
    seconds=2,
    knobs={"keys": NUM_KEYS, "largest": 32, "distribution": "normal"},
)
SPREADS = (0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4)
LARGEST = (8, 32, 128)
#: Other scores of the same standard deviation, and other numbers of keys, by their curves.
TURNED: Mapping[str, Knobs] = {
    "the largest 32, Laplace": {"distribution": "Laplace"},
    f"the largest {MANY_LARGEST} of {MANY_KEYS:,}": {"keys": MANY_KEYS, "largest": MANY_LARGEST},
}


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
    num_keys = scores.shape[-1]
    weights = np.partition(softmax(scores), num_keys - largest, axis=-1)
    return weights[..., num_keys - largest :].sum(axis=-1)


def mean_shares(scores: NDArray[np.float64], largest: int) -> list[float]:
    """Return the mean share of the largest at each of ``SPREADS`` of these scores."""
    return [float(share_of_largest(spread * scores, largest).mean()) for spread in SPREADS]


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Measure the shares for normal scores; ``quick`` draws few rows."""
    start = time.perf_counter()
    rows = 20 if quick else 400
    drawn = [np.random.default_rng(seed).standard_normal((rows, NUM_KEYS)) for seed in seeds]
    curves = {
        f"the largest {largest}": Curve(SPREADS, [mean_shares(plain, largest) for plain in drawn])
        for largest in LARGEST
    }
    laplace, many = TURNED
    by_seed = [np.random.default_rng((seed, 1)) for seed in seeds]
    drawn = [rng.laplace(scale=0.5**0.5, size=(rows, NUM_KEYS)) for rng in by_seed]
    curves[laplace] = Curve(SPREADS, [mean_shares(scores, 32) for scores in drawn])
    drawn = [rng.standard_normal((2 if quick else 10, MANY_KEYS)) for rng in by_seed]
    curves[many] = Curve(SPREADS, [mean_shares(scores, MANY_LARGEST) for scores in drawn])
    settings = {"keys": NUM_KEYS, "rows": rows, "quick": quick}
    return Result(curves, list(seeds), settings, round(time.perf_counter() - start, 1))


def trials(result: Result) -> list[Trial]:
    """Test the share of the largest at each spread of the scores."""
    return [
        trial
        for name, at in {"the largest 32": {}, **TURNED}.items()
        for spread in SPREADS
        for trial in each_seed(
            result[name].at(spread) >= NEARLY_ALWAYS,
            f"scores have a standard deviation of {spread:g}",
            at=at,
        )
    ]


def because(result: Result) -> str:
    """Return the shares of the largest 32."""
    curve, (laplace, many) = result["the largest 32"], (result[name].at(4) for name in TURNED)
    return (
        f"For normal scores the largest 32 of {NUM_KEYS} weights sum to {curve.at(1).mean():.2f} "
        f"at a standard deviation of 1, {curve.at(2).mean():.2f} at 2, {curve.at(3).mean():.2f} "
        f"at 3 and {curve.at(4).mean():.2f} at 4. At 4 the largest {MANY_LARGEST} of {MANY_KEYS:,} "
        f"sum to {many.mean():.2f}; for Laplace scores the largest 32 of {NUM_KEYS} sum to "
        f"{laplace.mean():.2f}."
    )


def figure(result: Result) -> Figure:
    """Return a figure of the share that the largest weights hold."""
    return plot_curves(
        {name: result[name] for name in (*(f"the largest {n}" for n in LARGEST), *TURNED)},
        accent="the largest 32",
        x_label="standard deviation of the scores",
        y_label="share of the weight",
    )
