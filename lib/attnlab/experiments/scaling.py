"""Why scores are divided by the root of d_k: their variance, and what a softmax lets through."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attn import attention_weights
from attnlab.claims import Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLAIM = Claim(
    chapter="scaled-dot-product",
    sentence="Without the division by sqrt(d_k) the scores spread with the width of the keys, "
    "until the softmax passes hardly any gradient.",
    source="Vaswani et al. (2017): footnote 4 derives the spread; section 3.2.1 suspects that the "
    "gradients become very small.",
    refuted_by="A variance of the unscaled scores that does not grow with d_k; or, at d_k = 1024, "
    "a Jacobian of the softmax that is a tenth as large without the division as with it, or more.",
    seconds=6,
)
WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
NUM_KEYS = 64
#: Share of the scaled Jacobian below which the unscaled one has vanished.
VANISHED = 0.1

Draw = Callable[[np.random.Generator, tuple[int, ...]], NDArray[np.float64]]


def standard(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return independent components of mean 0 and variance 1: what the argument assumes."""
    return rng.standard_normal(shape)


def positive(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return independent components, uniform between 0 and 1: their mean is not 0."""
    return rng.random(shape)


def scores(
    d_k: int,
    rng: np.random.Generator,
    draw: Draw = standard,
    *,
    num_pairs: int = 4000,
    same: bool = False,
) -> NDArray[np.float64]:
    """Return unscaled scores of ``num_pairs`` pairs of a query and a key, shape (num_pairs,).

    With ``same`` each query is compared with itself, as when query and key are one vector.
    """
    query = draw(rng, (num_pairs, d_k))
    key = query if same else draw(rng, (num_pairs, d_k))
    return np.einsum("pd,pd->p", query, key)


def softmax_jacobian(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Return :math:`\partial w_i / \partial s_j = w_i (\delta_{ij} - w_j)` of each row.

    Parameters
    ----------
    weights : array, shape (..., num_keys)

    Returns
    -------
    array, shape (..., num_keys, num_keys)

    Examples
    --------
    >>> softmax_jacobian(np.array([0.5, 0.5]))
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    outer = weights[..., :, None] * weights[..., None, :]
    return weights[..., :, None] * np.eye(weights.shape[-1]) - outer


def jacobian_norm(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Frobenius norm of `softmax_jacobian`, shape (...): how far weights can be moved.

    In closed form, so that the Jacobian of many rows is never stored.
    """
    squares, cubes = (weights**2).sum(axis=-1), (weights**3).sum(axis=-1)
    # Rounding may take the difference just below 0 where one weight is 1.
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0))


def typical_norm(
    d_k: int, rng: np.random.Generator, scale: float | None, num_queries: int = 300
) -> float:
    """Return the median of `jacobian_norm` over queries, each with NUM_KEYS keys of its own."""
    norms = []
    for _ in range(num_queries):
        query, keys = standard(rng, (1, d_k)), standard(rng, (NUM_KEYS, d_k))
        norms.append(jacobian_norm(attention_weights(query, keys, scale=scale))[0])
    return float(np.median(norms))


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Measure variances and norms over d_k; ``quick`` takes few widths and few samples."""
    start = time.perf_counter()
    widths, pairs, queries = ((4, 64), 300, 20) if quick else (WIDTHS, 4000, 300)

    def curve(measure: Callable[[int, np.random.Generator], float], label: str) -> Curve:
        rows = [[measure(d, np.random.default_rng((seed, d))) for d in widths] for seed in seeds]
        return Curve(widths, rows, label)

    def variance(d_k: int, rng: np.random.Generator) -> float:
        return float(scores(d_k, rng, num_pairs=pairs).var())

    curves = {
        "variance, unscaled": curve(variance, "q · k"),
        "variance, scaled": curve(lambda d, rng: variance(d, rng) / d, "q · k / √d_k"),
        "norm, unscaled": curve(lambda d, rng: typical_norm(d, rng, 1.0, queries), "q · k"),
        "norm, scaled": curve(lambda d, rng: typical_norm(d, rng, None, queries), "q · k / √d_k"),
    }
    settings = {"pairs": pairs, "queries": queries, "keys": NUM_KEYS, "quick": quick}
    seconds = round(time.perf_counter() - start, 1)
    return Result(curves, list(seeds), settings, seconds)


def trials(result: Result) -> list[Trial]:
    """Test whether the variance grows with d_k, and what gradient is left at the widest."""
    norm, scaled = result["norm, unscaled"], result["norm, scaled"]
    grows = (np.diff(result["variance, unscaled"].array) > 0).all(axis=1)
    widest = norm.x[-1]
    return each_seed(grows & (norm.at(widest) < VANISHED * scaled.at(widest)))


def because(result: Result) -> str:
    """Return the variances and the norms of the Jacobian."""
    variance = result["variance, unscaled"]
    norm, scaled = result["norm, unscaled"], result["norm, scaled"]
    widest = variance.x[-1]
    return (
        f"The variance of unscaled scores is {variance.at(4).mean():.1f} at d_k = 4 and "
        f"{variance.at(widest).mean():.0f} at {widest:g}. The norm of the softmax's Jacobian is "
        f"{norm.at(4).mean():.2f} at 4, {norm.at(16).mean():.2f} at 16 and "
        f"{norm.at(widest).mean():.4f} at {widest:g}; scaled {scaled.at(widest).mean():.2f}: the "
        f"division matters for wide keys, and not from the first width on."
    )


def figure(result: Result) -> Figure:
    """Return a figure of the softmax's gradient over the width of the keys."""
    return plot_curves(
        {name: result[f"norm, {name}"] for name in ("scaled", "unscaled")},
        accent="scaled",
        log="xy",
        x_label="width of the keys, d_k",
        y_label="norm of the softmax's Jacobian",
    )
