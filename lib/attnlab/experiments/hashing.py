"""What LSH attention finds and what it misses, on data with clusters and on data without."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attn import attention_weights, lsh_attention
from attn.lsh import hash_tokens, times_seen
from attnlab.claims import Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLAIM = Claim(
    chapter="hashing",
    sentence="More rounds of hashing find more of the keys that matter, and a few rounds bring the "
    "output near to that of full attention.",
    source="Kitaev et al. (2020): section 2 says that several rounds make a miss less likely; in "
    "section 5 models with 8 rounds come near to full attention.",
    refuted_by="A recall that falls as rounds are doubled; or, with 4 rounds, a relative error "
    "above 0.2.",
    seconds=30,
)
ROUNDS = (1, 2, 4, 8, 16, 32)
TOKENS, WIDTH, CHUNK, CLUSTERS = 2048, 64, 64, 64
#: A few rounds, and the relative error below which an output is near.
FEW, NEAR = 4, 0.2

Numbers = NDArray[np.float64]


def clustered(rng: np.random.Generator, tokens: int = TOKENS) -> Numbers:
    """Return tokens around CLUSTERS random centres, shape (tokens, WIDTH): attention is peaked."""
    centres = rng.standard_normal((CLUSTERS, WIDTH))
    near = 0.3 * rng.standard_normal((tokens, WIDTH))
    return centres[rng.integers(CLUSTERS, size=tokens)] + near


def gaussian(rng: np.random.Generator, tokens: int = TOKENS) -> Numbers:
    """Return independent tokens, shape (tokens, WIDTH): attention is flat."""
    return rng.standard_normal((tokens, WIDTH))


DATA: Mapping[str, Callable[[np.random.Generator, int], Numbers]] = {
    "clusters": clustered,
    "Gaussian": gaussian,
}


def unit(x: Numbers) -> Numbers:
    """Return tokens as keys: divided by their length, shape (tokens, d)."""
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def full_weights(x: Numbers) -> Numbers:
    """Return the weights that hashing approximates, shape (tokens, tokens).

    Queries are keys as well, and no token attends to itself. Keys are divided by their length, and
    scores are not scaled.
    """
    return attention_weights(x, unit(x), mask=~np.eye(len(x), dtype=bool), scale=1.0)


def num_buckets(tokens: int) -> int:
    """Return as many buckets as there are chunks, an even number."""
    return 2 * max(1, tokens // CHUNK // 2)


def met_tokens(x: Numbers, num_hashes: int, seed: int) -> NDArray[np.bool_]:
    """Return which other tokens each token meets in any round, shape (tokens, tokens)."""
    buckets = num_buckets(len(x))
    tokens = hash_tokens(x, x, buckets, num_hashes, CHUNK, seed, rotations=None, mask=None)
    met: NDArray[np.bool_] = times_seen(tokens)[0] > 0
    return met & ~np.eye(len(x), dtype=bool)


def recall(weights: Numbers, met: NDArray[np.bool_], largest: int) -> float:
    """Return which share of the ``largest`` weights of each row, on average, lies on a met key."""
    top = np.argpartition(-weights, largest, axis=-1)[:, :largest]
    return float(np.take_along_axis(met, top, axis=-1).mean())


def met_once(x: Numbers, met: NDArray[np.bool_]) -> Numbers:
    """Return the weights over the keys that were met, each once however often it was met.

    A token that met no other attends to itself. Shape (tokens, tokens).
    """
    alone = ~met.any(axis=-1)
    return attention_weights(x, unit(x), mask=met | np.diag(alone), scale=1.0)


def relative_error(output: Numbers, exact: Numbers) -> float:
    """Return the length of the difference over the length of the exact output."""
    return float(np.linalg.norm(output - exact) / np.linalg.norm(exact))


def measure(name: str, seed: int, rounds: Sequence[int], tokens: int) -> dict[str, list[float]]:
    """Return recall of the 16 largest, mass that was met, and error, for each number of rounds."""
    rng = np.random.default_rng(seed)
    x = DATA[name](rng, tokens)
    value = x @ rng.standard_normal((WIDTH, WIDTH)) / WIDTH**0.5
    weights = full_weights(x)
    exact = weights @ value
    measured: dict[str, list[float]] = {"recall": [], "mass": [], "error": [], "error, once": []}
    for number in rounds:
        met = met_tokens(x, number, seed)
        measured["recall"].append(recall(weights, met, 16))
        measured["mass"].append(float((weights * met).sum(axis=-1).mean()))
        output = lsh_attention(
            x,
            value,
            num_buckets=num_buckets(tokens),
            num_hashes=number,
            chunk_length=CHUNK,
            rng=seed,
        )
        measured["error"].append(relative_error(output, exact))
        measured["error, once"].append(relative_error(met_once(x, met) @ value, exact))
    return measured


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Measure both kinds of data over the rounds; ``quick`` takes fewer tokens and rounds."""
    start = time.perf_counter()
    rounds, tokens = ((1, 4), 512) if quick else (ROUNDS, TOKENS)
    curves = {}
    for name in DATA:
        by_seed = [measure(name, seed, rounds, tokens) for seed in seeds]
        for part in by_seed[0]:
            curves[f"{name}: {part}"] = Curve(rounds, [measured[part] for measured in by_seed])
    settings = {"tokens": tokens, "width": WIDTH, "chunk": CHUNK, "clusters": CLUSTERS}
    seconds = round(time.perf_counter() - start, 1)
    return Result(curves, list(seeds), settings | {"quick": quick}, seconds)


def trials(result: Result) -> list[Trial]:
    """Test both kinds of data: recall that rises, and a small error with four rounds."""
    conditions = {"clusters": "tokens form clusters", "Gaussian": "tokens are Gaussian"}
    return [
        trial
        for name, condition in conditions.items()
        for trial in each_seed(
            (np.diff(result[f"{name}: recall"].array) > 0).all(axis=1)
            & (result[f"{name}: error"].at(FEW) < NEAR),
            condition,
        )
    ]


def because(result: Result) -> str:
    """Return the errors with a few rounds and with all."""
    near, far = (result[f"{name}: error"] for name in DATA)
    return (
        f"Recall rises with every doubling. With {FEW} rounds the error is "
        f"{near.at(FEW).mean():.2f} on clusters and {far.at(FEW).mean():.2f} on Gaussian data, "
        f"where attention is flat; with {far.x[-1]} rounds it is still {far.mean[-1]:.2f} there."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many of the keys that matter are found."""
    return plot_curves(
        {name: result[f"{name}: recall"] for name in ("clusters", "Gaussian")},
        accent="clusters",
        log="x",
        x_label="rounds",
        y_label="recall",
    )
