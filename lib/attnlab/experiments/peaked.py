"""Do only the biggest scores matter? What the largest weights hold, over the spread of scores."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attn import softmax
from attnlab.claims import Claim, Verdict
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLAIM = Claim(
    chapter="hashing",
    sentence="A few keys hold nearly all weight only where scores are spread out: the largest 32 "
    "of 1024 weights hold a fifth at a standard deviation of 1, and over nine tenths at 4.",
    source="Kitaev et al. (2020), section 2, where the largest elements dominate the softmax.",
    refuted_by="A share of the largest 32 that exceeds one half at a standard deviation of 1, or "
    "falls below it at 3.",
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


def verdict(result: Result) -> Verdict:
    """Return whether the largest 32 hold little at a spread of 1 and nearly all at 4."""
    curve = result["the largest 32"]
    flat, steep = curve.at(1), curve.at(4)
    because = (
        f"The largest 32 of {NUM_KEYS} hold {flat.mean():.2f} at a standard deviation of 1, "
        f"{curve.at(2).mean():.2f} at 2, {curve.at(3).mean():.2f} at 3 and {steep.mean():.2f} at 4."
    )
    as_claimed = flat.max() < 0.5 < curve.at(3).min() and steep.min() > 0.9
    return Verdict("holds" if as_claimed else "does not hold", because)


def figure(result: Result) -> Figure:
    """Return a figure of the share that the largest weights hold."""
    return plot_curves(
        result.curves,
        accent="the largest 32",
        x_label="standard deviation of the scores",
        y_label="share of the weight",
    )
