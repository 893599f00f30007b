"""Positions from two small tables: how many numbers are learned, and are all rows distinct?"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from attn import AxialPositions
from attnlab.claims import Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLAIM = Claim(
    chapter="hashing",
    sentence="Two tables of l1 and l2 rows give l1 l2 positions that all differ, with l1 d1 + l2 "
    "d2 numbers in place of l1 l2 (d1 + d2).",
    source="The implementations of Reformer, in trax and in Hugging Face transformers.",
    refuted_by="Two positions with the same row; or a table of at least 128 positions, as square "
    "as it can be, that is not smaller.",
    seconds=6,
    background="A count that follows from how the tables are defined; it says nothing of how well "
    "a model with such positions works.",
)
DIMS = (24, 40)
#: As square as powers of two allow, with the shorter table first.
SHAPES = ((8, 16), (16, 32), (32, 64), (64, 128), (128, 256), (256, 512))
#: One length, in all its shapes.
LENGTH = 16384
FIRST = tuple(2**power for power in range(15))


def distinct_rows(axial: AxialPositions) -> float:
    """Return the share of positions whose row no other position has."""
    rows = axial()
    return len(np.unique(rows, axis=0)) / len(rows)


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Count parameters and distinct rows; ``quick`` leaves the long tables out."""
    start = time.perf_counter()
    shapes = SHAPES[:3] if quick else SHAPES
    tokens = [first * second for first, second in shapes]
    full, two, distinct, by_shape = [], [], [], []
    for seed in seeds:
        made = [AxialPositions(shape, DIMS, rng=seed) for shape in shapes]
        full.append([length * sum(DIMS) for length in tokens])
        two.append([axial.num_parameters for axial in made])
        distinct.append([distinct_rows(axial) for axial in made])
        by_shape.append(
            [AxialPositions((f, LENGTH // f), DIMS, rng=seed).num_parameters for f in FIRST]
        )
    curves = {
        "one table": Curve(tokens, full),
        "two tables": Curve(tokens, two),
        "distinct rows": Curve(tokens, distinct),
        "two tables, by the first length": Curve(FIRST, by_shape),
    }
    settings = {"dims": list(DIMS), "length": LENGTH, "quick": quick}
    return Result(curves, list(seeds), settings, round(time.perf_counter() - start, 1))


def trials(result: Result) -> list[Trial]:
    """Test whether all rows differ and the two tables are smaller."""
    smaller = (result["two tables"].array < result["one table"].array).all(axis=1)
    return each_seed(smaller & (result["distinct rows"].array == 1).all(axis=1))


def because(result: Result) -> str:
    """Return how many numbers are learned."""
    one, two = result["one table"], result["two tables"]
    return (
        f"{two.mean[0]:,.0f} numbers in place of {one.mean[0]:,.0f} for {one.x[0]:,g} positions, "
        f"{two.mean[-1]:,.0f} in place of {one.mean[-1]:,.0f} for {one.x[-1]:,g}; all rows differ."
    )


def figure(result: Result) -> Figure:
    """Return a figure of how many numbers are learned."""
    return plot_curves(
        {name: result[name] for name in ("two tables", "one table")},
        accent="two tables",
        log="xy",
        x_label="positions",
        y_label="numbers learned",
    )
