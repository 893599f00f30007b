"""Measure why scores are divided by √d_k: their variance, and the gradient after the softmax."""

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
    "derivatives of the weights that are at least a tenth as large without the division as with.",
    seconds=45,
    knobs={
        "derivatives by": "scores",
        "over the queries": "median",
        "keys": 64,
        "components": "normal, mean 0, variance 1",
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
    ", uniform": {"components": "uniform, mean 0, variance 1"},
    ", 4096 keys": {"keys": 4096},
    ", as PyTorch starts": {"components": "of linear layers as PyTorch starts them"},
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


def projected(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return normalised inputs behind a linear layer as PyTorch starts it, as wide as they are.

    Its weights and biases are uniform within ``1 / sqrt(width)``, so components have mean 0 and a
    variance of about 1/3.
    """
    x, bound = rng.standard_normal(shape), shape[-1] ** -0.5
    x = (x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True)
    layer = rng.uniform(-bound, bound, (shape[-1] + 1, shape[-1]))
    return np.asarray(x @ layer[1:] + layer[0])


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


#: What is measured at the widest only, with fewer queries, since it takes long.
SLOW: dict[str, dict[str, Any]] = {
    ", 4096 keys": {"num_keys": 4096},
    ", as PyTorch starts": {"draw": projected},
}


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


def query_jacobian_norm(
    weights: NDArray[np.float64], keys: NDArray[np.float64], scale: float = 1.0
) -> NDArray[np.float64]:
    r"""Return the norm of :math:`\partial w_i / \partial q`, how far a query can move its weights.

    By the chain rule it is `softmax_jacobian` times the keys, times the scale. Row i of the product
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
    """Return the norms of the derivatives, (2, num_queries): by the scores and by the query.

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

    def drawn(
        measure: Callable[[int, np.random.Generator], Any], at: Sequence[int] = widths
    ) -> NDArray[np.float64]:
        """Return what was measured with every seed at every width, (num_seeds, widths, …)."""
        return np.array([[measure(d, np.random.default_rng((s, d))) for d in at] for s in seeds])

    variance = drawn(lambda d, rng: scores(d, rng, num_pairs=pairs).var())
    curves = {
        "variance, unscaled": Curve(widths, variance.tolist(), "q · k"),
        "variance, scaled": Curve(widths, (variance / widths).tolist(), "q · k / √d_k"),
    }
    for name, scale, label in (("unscaled", 1.0, "q · k"), ("scaled", None, "q · k / √d_k")):

        def measured(
            at: Sequence[int] = widths, scale: float | None = scale, **options: Any
        ) -> NDArray[np.float64]:
            options = {"num_queries": queries, **options}
            return drawn(lambda d, rng: norms(d, rng, scale, **options), at)

        found = measured()  # (num_seeds, widths, 2, queries)
        by = {
            "": np.median(found[:, :, 0], axis=-1),
            ", mean": found[:, :, 0].mean(axis=-1),
            ", by queries": np.median(found[:, :, 1], axis=-1),
            ", by queries, mean": found[:, :, 1].mean(axis=-1),
            ", 16 keys": np.median(measured(num_keys=16)[:, :, 0], axis=-1),
            ", uniform": np.median(measured(draw=uniform)[:, :, 0], axis=-1),
        }
        curves |= {
            f"norm, {name}{end}": Curve(widths, of.tolist(), label) for end, of in by.items()
        }
        for end, options in SLOW.items():
            left = measured(widths[-1:], num_queries=min(queries, 60), **options)[:, :, 0]
            curves[f"norm, {name}{end}"] = Curve(widths[-1:], np.median(left, -1).tolist(), label)
    settings = {"pairs": pairs, "queries": queries, "keys": NUM_KEYS, "quick": quick}
    return Result(curves, list(seeds), settings, round(time.process_time() - start, 1))


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
        f"weights with respect to its scores are {left['']:.3f} times as large as with the "
        f"division, for the median query. The mean, {left[', mean']:.2f}, comes from the few "
        f"queries whose two largest scores nearly tie. But training moves queries and keys. With "
        f"respect to the query, the median derivatives are {by_queries.at(64).mean():.1f} times as "
        f"large without the division at d_k = 64, and smaller only from "
        f"{smaller_from(result, ', by queries'):g} on; in the mean they are still "
        f"{left[', by queries, mean']:.0f} times as large at {widest:g}. "
        f"With the division, each of these is about the same at every width. The scores spread "
        f"less where components do: with queries and keys from linear layers as PyTorch "
        f"initialises them, whose variance is about 1/3, {left[', as PyTorch starts']:.2f} is left "
        f"at {widest:g} in the median. With 4096 keys it is {left[', 4096 keys']:.2f}."
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
