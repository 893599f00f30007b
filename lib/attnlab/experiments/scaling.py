"""Why scores are divided by the root of d_k: their variance, and what a softmax lets through."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from attn import attention_weights
from attnlab.claims import Claim, Knobs, Trial, each_seed
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
    "derivatives of the weights that are a tenth as large without the division as with it, or "
    "more.",
    seconds=9,
    knobs={
        "derivatives by": "scores",
        "over the queries": "median",
        "keys": 64,
        "components": "normal",
    },
)
WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
NUM_KEYS = 64
#: Share of the scaled Jacobian below which the unscaled one has vanished.
VANISHED = 0.1

#: Knobs that are turned, each with the end of its curves' names.
TURNED: dict[str, Knobs] = {
    "": {},
    ", mean": {"over the queries": "mean"},
    ", by queries": {"derivatives by": "queries"},
    ", by queries, mean": {"derivatives by": "queries", "over the queries": "mean"},
    ", 16 keys": {"keys": 16},
    ", uniform": {"components": "uniform"},
}

Draw = Callable[[np.random.Generator, tuple[int, ...]], NDArray[np.float64]]


def standard(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return independent components of mean 0 and variance 1: what the argument assumes."""
    return rng.standard_normal(shape)


def uniform(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return independent components of mean 0 and variance 1 that are not normal."""
    return rng.uniform(-np.sqrt(3), np.sqrt(3), shape)


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


def jacobian_norm(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Return the Frobenius norm of each row's Jacobian, shape (...): how far weights can be moved.

    In closed form, so that the Jacobians, :math:`w_i (\delta_{ij} - w_j)`, are never stored.
    """
    squares, cubes = (weights**2).sum(axis=-1), (weights**3).sum(axis=-1)
    # Rounding may take the difference just below 0 where one weight is 1.
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0))


def query_jacobian_norm(
    weights: NDArray[np.float64], keys: NDArray[np.float64], scale: float = 1.0
) -> NDArray[np.float64]:
    r"""Return the norm of :math:`\partial w_i / \partial q`, how far a query can move its weights.

    By the chain rule it is the Jacobian of the softmax times the keys, times the scale. Row i of it
    is :math:`w_i` times the difference of key i and the weighted mean of the keys.

    Parameters
    ----------
    weights : array, shape (num_keys,)
    keys : array, shape (num_keys, d_k)
    scale : float
        The factor of the scores.
    """
    rows = weights[:, None] * (keys - weights @ keys)  # (num_keys, d_k)
    return scale * np.sqrt((rows**2).sum())


def norms(
    d_k: int,
    rng: np.random.Generator,
    scale: float | None,
    *,
    num_queries: int = 300,
    num_keys: int = NUM_KEYS,
    draw: Draw = standard,
) -> NDArray[np.float64]:
    """Return the norms of the derivatives by the scores and by the query, (2, num_queries).

    Each query has keys of its own.
    """
    found = []
    for _ in range(num_queries):
        query, keys = draw(rng, (1, d_k)), draw(rng, (num_keys, d_k))
        weights = attention_weights(query, keys, scale=scale)[0]
        factor = d_k**-0.5 if scale is None else scale
        found.append((jacobian_norm(weights), query_jacobian_norm(weights, keys, factor)))
    return np.array(found).T


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Measure variances and norms over d_k; ``quick`` takes few widths and few samples."""
    start = time.process_time()
    widths, pairs, queries = ((4, 64), 300, 20) if quick else (WIDTHS, 4000, 300)

    def drawn(measure: Callable[[int, np.random.Generator], Any]) -> NDArray[np.float64]:
        """Return what was measured with every seed at every width, (num_seeds, widths, …)."""
        rows = [[measure(d, np.random.default_rng((seed, d))) for d in widths] for seed in seeds]
        return np.array(rows)

    variance = drawn(lambda d, rng: scores(d, rng, num_pairs=pairs).var())
    curves = {
        "variance, unscaled": Curve(widths, variance.tolist(), "q · k"),
        "variance, scaled": Curve(widths, (variance / widths).tolist(), "q · k / √d_k"),
    }
    for name, scale, label in (("unscaled", 1.0, "q · k"), ("scaled", None, "q · k / √d_k")):

        def measured(scale: float | None = scale, **options: Any) -> NDArray[np.float64]:
            return drawn(lambda d, rng: norms(d, rng, scale, num_queries=queries, **options))

        found = measured()  # (num_seeds, widths, 2, queries)
        by = {
            "": np.median(found[:, :, 0], axis=-1),
            ", mean": found[:, :, 0].mean(axis=-1),
            ", by queries": np.median(found[:, :, 1], axis=-1),
            ", by queries, mean": found[:, :, 1].mean(axis=-1),
            ", 16 keys": np.median(measured(num_keys=16)[:, :, 0], axis=-1),
            ", uniform": np.median(measured(draw=uniform)[:, :, 0], axis=-1),
        }
        curves |= {f"norm, {name}{end}": Curve(widths, by[end].tolist(), label) for end in TURNED}
    settings = {"pairs": pairs, "queries": queries, "keys": NUM_KEYS, "quick": quick}
    seconds = round(time.process_time() - start, 1)
    return Result(curves, list(seeds), settings, seconds)


def ratio(result: Result, end: str = "") -> Curve:
    """Return the norms without the scale divided by those with it, of the curves that end so."""
    plain, scaled = result[f"norm, unscaled{end}"], result[f"norm, scaled{end}"]
    return Curve(plain.x, (plain.array / scaled.array).tolist())


def smaller_from(result: Result, end: str = "") -> float:
    """Return the first measured d_k from which on the unscaled norm is smaller, or infinity."""
    shares = ratio(result, end)
    larger = np.flatnonzero(shares.mean >= 1)
    first = larger[-1] + 1 if larger.size else 0
    return float([*shares.x, np.inf][first])


def trials(result: Result) -> list[Trial]:
    """Test whether the variance grows with d_k, and what gradient is left at the widest."""
    grows = (np.diff(result["variance, unscaled"].array) > 0).all(axis=1)
    widest = result["variance, unscaled"].x[-1]
    return [
        trial
        for end, knobs in TURNED.items()
        for trial in each_seed(
            grows & (ratio(result, end).at(widest) < VANISHED), f"d_k = {widest:g}", at=knobs
        )
    ]


def because(result: Result) -> str:
    """Return the variances, and what is left of the derivatives."""
    variance = result["variance, unscaled"]
    widest = variance.x[-1]
    left = {end: ratio(result, end).at(widest).mean() for end in TURNED}
    by_queries = ratio(result, ", by queries")
    return (
        f"The variance of unscaled scores is {variance.at(4).mean():.1f} at d_k = 4 and "
        f"{variance.at(widest).mean():.0f} at {widest:g}. There the derivatives of a query's "
        f"weights by its scores are {left['']:.3f} of the scaled ones in the median "
        f"query. The mean, {left[', mean']:.2f}, comes from the few queries whose two largest "
        f"scores nearly tie. Training moves queries and keys. The derivatives by the query are "
        f"{by_queries.at(64).mean():.1f} times as large without the division at d_k = 64 in the "
        f"median, and smaller only from {smaller_from(result, ', by queries'):g} on; in the mean "
        f"they are still {left[', by queries, mean']:.0f} times as large at {widest:g}. "
        f"With the division all of them are the same at every width."
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
