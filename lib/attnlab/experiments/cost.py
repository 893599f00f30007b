"""Compare full, local and LSH attention: products that are counted, and time that is measured."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

import attn
from attnlab.claims import Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLAIM = Claim(
    chapter="windows",
    sentence="Time grows with the square of the tokens in full attention, and about linearly with "
    "a window or with hashing.",
    source="Beltagy et al. (2020), section 3.1, on windows. Kitaev et al. (2020), abstract, on "
    "hashing, for which they claim L log L and not L.",
    refuted_by="An exponent below 1.7 for full attention, or one above 1.2 for a window or for "
    "hashing.",
    seconds=180,
    knobs={
        "machine": "one thread of one processor",
        "width": 64,
        "window": 64,
        "tokens in a chunk": 64,
        "rounds": 2,
    },
)
SIZES = (2048, 4096, 8192, 16384, 32768, 65536, 131072)
#: Full attention stops here: two sizes further it would take as long as everything else together.
LONGEST_FULL = 16384
WIDTH, WINDOW, CHUNK, ROUNDS = 64, 64, 64, 2
#: Exponents above and below which growth counts as quadratic, and as nearly linear.
QUADRATIC, NEARLY_LINEAR = 1.7, 1.2
#: What takes the place of full attention, and the condition of the claim that it tests.
SUBSTITUTES = {
    "window": "a window",
    "hashing": "hashing with its rotation in two factors",
    "hashing, one rotation": "hashing with one rotation",
}


def full_products(tokens: int) -> int:
    """Return how many dot products full attention makes: n squared."""
    return tokens**2


def window_products(tokens: int, window: int = WINDOW) -> int:
    """Return how many pairs lie in a window: n (2 w + 1), minus the pairs beyond both ends.

    Examples
    --------
    >>> window_products(6, 1), window_products(6, 99)
    (16, 36)
    """
    window = min(window, tokens - 1)
    return tokens * (2 * window + 1) - window * (window + 1)


def hashing_products(tokens: int, factors: Sequence[int], rounds: int = ROUNDS) -> int:
    """Return how many dot products hashing makes: with rotations, and with keys of two chunks.

    ``factors`` are those of the number of buckets; each rotation has half as many columns.
    """
    return rounds * tokens * (sum(factors) // 2 + 2 * CHUNK)


def one_factor(tokens: int) -> tuple[int, ...]:
    """Return a bucket for each chunk, found by one rotation."""
    return (tokens // CHUNK,)


def two_factors(tokens: int) -> tuple[int, ...]:
    """Return about as many buckets as two even factors near the root of their number."""
    root = max(2, 2 * round(math.sqrt(tokens / CHUNK) / 2))
    return (root, max(2, 2 * round(tokens / CHUNK / root / 2)))


def exponent(sizes: ArrayLike, costs: ArrayLike) -> float:
    """Return the slope of log cost over log size: 1 is linear, 2 is quadratic.

    Examples
    --------
    >>> round(exponent([1, 2, 4], [3, 12, 48]), 6)
    2.0
    """
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def peers(tokens: int, seed: int) -> Mapping[str, Callable[[], NDArray[np.float32]]]:
    """Return the attentions to time, on the same arrays: one head, float32."""
    rng = np.random.default_rng(seed)
    query, key, value = rng.standard_normal((3, tokens, WIDTH), dtype=np.float32)

    def hashed(factors: tuple[int, ...]) -> Callable[[], NDArray[np.float32]]:
        return lambda: attn.lsh_attention(
            query, value, num_buckets=factors, num_hashes=ROUNDS, chunk_length=CHUNK, rng=seed
        )

    return {
        "full": lambda: attn.blockwise_attention(query, key, value),
        "window": lambda: attn.sliding_window_attention(query, key, value, window=WINDOW),
        "hashing": hashed(two_factors(tokens)),
        "hashing, one rotation": hashed(one_factor(tokens)),
    }


def products(tokens: int) -> dict[str, int]:
    """Return how many dot products each of the peers makes."""
    return {
        "full": full_products(tokens),
        "window": window_products(tokens),
        "hashing": hashing_products(tokens, two_factors(tokens)),
        "hashing, one rotation": hashing_products(tokens, one_factor(tokens)),
    }


def milliseconds(sizes: Sequence[int], seed: int, repeats: int) -> dict[str, dict[int, float]]:
    """Return the least CPU time of each peer at each of its sizes.

    The peers take turns, so that a slow moment of the machine affects all of them.
    """
    best: dict[str, dict[int, float]] = {}
    for size in sizes:
        for _ in range(repeats):
            for name, attend in peers(size, seed).items():
                if name == "full" and size > LONGEST_FULL:
                    continue
                start = time.process_time()
                attend()
                spent = 1000 * (time.process_time() - start)
                least = best.setdefault(name, {})
                least[size] = round(min(least.get(size, math.inf), spent), 3)
    return best


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Count and time all peers; ``quick`` takes short sequences."""
    start = time.perf_counter()
    sizes, repeats = ((256, 512), 1) if quick else (SIZES, 7)
    measured = [milliseconds(sizes, seed, repeats) for seed in seeds]
    counted = [products(size) for size in sizes]
    curves = {}
    for name, first in measured[0].items():
        timed = tuple(first)
        times = [list(of_seed[name].values()) for of_seed in measured]
        curves[f"{name}: milliseconds"] = Curve(timed, times)
        curves[f"{name}: products"] = Curve(
            sizes, [[count[name] for count in counted]] * len(seeds)
        )
        slopes = [[exponent(timed, one)] for one in times]
        curves[f"{name}: exponent"] = Curve([timed[-1]], slopes)
    settings = {"width": WIDTH, "window": WINDOW, "chunk": CHUNK, "rounds": ROUNDS, "quick": quick}
    return Result(curves, list(seeds), settings, round(time.perf_counter() - start, 1))


def trials(result: Result) -> list[Trial]:
    """Compare the exponents of full attention and of each of its substitutes."""
    quadratic = result["full: exponent"].array[:, 0] > QUADRATIC
    return [
        trial
        for name, condition in SUBSTITUTES.items()
        for trial in each_seed(
            quadratic & (result[f"{name}: exponent"].array[:, 0] < NEARLY_LINEAR), condition
        )
    ]


def because(result: Result) -> str:
    """Return the exponents."""
    full, window, hashed, one = (
        result[f"{name}: exponent"].mean[0] for name in ("full", *SUBSTITUTES)
    )
    return (
        f"Measured exponents: full {full:.2f}, window {window:.2f}, hashing {hashed:.2f}, and "
        f"{one:.2f} with one rotation for all buckets, whose cost has a term that is quadratic in "
        "the number of tokens."
    )


def figure(result: Result) -> Figure:
    """Return a figure of the time of one pass."""
    names = ("full", "window", "hashing, one rotation", "hashing")
    return plot_curves(
        {name: result[f"{name}: milliseconds"] for name in names},
        accent="hashing",
        log="xy",
        x_label="tokens",
        y_label="milliseconds",
    )
