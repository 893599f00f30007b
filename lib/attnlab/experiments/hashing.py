"""Measure what LSH attention finds and misses, on data with clusters and on data without."""

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

TOKENS, WIDTH, CHUNK, CLUSTERS, SPREAD = 2048, 64, 64, 64, 0.3
CLAIM = Claim(
    chapter="hashing",
    sentence="More rounds of hashing find more of the keys that matter, and a few rounds bring the "
    "output near to that of full attention.",
    source="Kitaev et al. (2020): section 2 says that several rounds make a miss less likely; in "
    "section 5 models with 8 rounds come near to full attention.",
    refuted_by="A recall that does not rise as rounds are doubled; or, with 4 rounds, a relative "
    "error above 0.2.",
    seconds=25,
    knobs={
        "tokens": TOKENS,
        "width": WIDTH,
        "tokens in a chunk": CHUNK,
        "clusters": CLUSTERS,
        "spread in a cluster": SPREAD,
    },
)
#: Half of every size; and clusters that are wider.
SMALL = {"tokens": 1024, "width": 32, "tokens in a chunk": 32, "clusters": 32}
WIDE = {"spread in a cluster": 0.6}
ROUNDS = (1, 2, 4, 8, 16, 32)
#: A few rounds, and the relative error below which an output is near.
FEW, NEAR = 4, 0.2

Numbers = NDArray[np.float64]


def clustered(
    rng: np.random.Generator, tokens: int = TOKENS, width: int = WIDTH, spread: float = SPREAD
) -> Numbers:
    """Return tokens around random centres, shape (tokens, width): attention is peaked.

    There are as many centres as numbers in a token, 64 at the usual width.
    """
    centres = rng.standard_normal((width, width))
    near = spread * rng.standard_normal((tokens, width))
    return centres[rng.integers(width, size=tokens)] + near


def gaussian(
    rng: np.random.Generator, tokens: int = TOKENS, width: int = WIDTH, spread: float = 1.0
) -> Numbers:
    """Return independent tokens, shape (tokens, width): attention is flat."""
    return spread * rng.standard_normal((tokens, width))


DATA: Mapping[str, Callable[..., Numbers]] = {
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


def num_buckets(tokens: int, chunk: int = CHUNK) -> int:
    """Return as many buckets as there are chunks, an even number."""
    return 2 * max(1, tokens // chunk // 2)


def met_tokens(x: Numbers, num_hashes: int, seed: int, chunk: int = CHUNK) -> NDArray[np.bool_]:
    """Return which other tokens each token meets in any round, shape (tokens, tokens)."""
    buckets = num_buckets(len(x), chunk)
    tokens = hash_tokens(x, x, buckets, num_hashes, chunk, seed, rotations=None, mask=None)
    met: NDArray[np.bool_] = times_seen(tokens)[0] > 0
    return met & ~np.eye(len(x), dtype=bool)


def recall(weights: Numbers, met: NDArray[np.bool_], largest: int) -> float:
    """Return what share of the ``largest`` weights of each row, on average, lies on a met key."""
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


def measure(
    name: str, seed: int, rounds: Sequence[int], tokens: int, chunk: int = CHUNK, **options: float
) -> dict[str, list[float]]:
    """Return recall of the 16 largest, mass that was met, and error, for each number of rounds."""
    rng = np.random.default_rng(seed)
    x = DATA[name](rng, tokens, **options)
    width = x.shape[-1]
    value = x @ rng.standard_normal((width, width)) / width**0.5
    weights = full_weights(x)
    exact = weights @ value
    measured: dict[str, list[float]] = {"recall": [], "mass": [], "error": [], "error, once": []}
    for number in rounds:
        met = met_tokens(x, number, seed, chunk)
        measured["recall"].append(recall(weights, met, 16))
        measured["mass"].append(float((weights * met).sum(axis=-1).mean()))
        output = lsh_attention(
            x,
            value,
            num_buckets=num_buckets(tokens, chunk),
            num_hashes=number,
            chunk_length=chunk,
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
    half = {"tokens": tokens // 2, "chunk": SMALL["tokens in a chunk"], "width": SMALL["width"]}
    wide = {"tokens": tokens, "spread": WIDE["spread in a cluster"]}
    for suffix, of, sizes in (
        ("", DATA, {"tokens": tokens}),
        (", small", DATA, half),
        (", wide", ("clusters",), wide),
    ):
        for name in of:
            by_seed = [measure(name, seed, rounds, **sizes) for seed in seeds]
            for part in by_seed[0]:
                of_part = [measured[part] for measured in by_seed]
                curves[f"{name}{suffix}: {part}"] = Curve(rounds, of_part)
    settings = {"tokens": tokens, "width": WIDTH, "chunk": CHUNK, "clusters": CLUSTERS}
    seconds = round(time.perf_counter() - start, 1)
    return Result(curves, list(seeds), settings | {"quick": quick}, seconds)


def trials(result: Result) -> list[Trial]:
    """Test whether recall rises and the error with four rounds is small, on each kind of data."""
    return [
        trial
        for name, condition, at in (
            ("clusters", "tokens form clusters", {}),
            ("Gaussian", "tokens are Gaussian", {}),
            ("clusters, small", "tokens form clusters", SMALL),
            ("Gaussian, small", "tokens are Gaussian", SMALL),
            ("clusters, wide", "tokens form clusters", WIDE),
        )
        for trial in each_seed(
            (np.diff(result[f"{name}: recall"].array) > 0).all(axis=1)
            & (result[f"{name}: error"].at(FEW) < NEAR),
            condition,
            at=at,
        )
    ]


def because(result: Result) -> str:
    """Return the errors with a few rounds and with all."""
    near, far = (result[f"{name}: error"] for name in DATA)
    wide, small = (result[f"clusters, {name}: error"].at(FEW) for name in ("wide", "small"))
    return (
        f"Recall rises with every doubling. With {FEW} rounds the error is "
        f"{near.at(FEW).mean():.2f} on clusters and {far.at(FEW).mean():.2f} on Gaussian data, "
        f"where attention is flat; with {far.x[-1]} rounds it is still {far.mean[-1]:.2f} there. "
        f"With the fewer rounds and wider clusters it is {wide.mean():.2f}; with all sizes halved, "
        f"{small.mean():.3f} on average and at most {small.max():.3f}."
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
