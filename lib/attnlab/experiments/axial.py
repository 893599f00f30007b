"""Count what is learned for positions made of two small tables, and compare their rows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from attn import AxialPositions
from attnlab.claims import Claim, Trial, each_seed
from attnlab.drawing import plot_curves
from attnlab.results import Curve, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Order = Literal["row_major", "column_major"]
DIMS, OTHER_DIMS = (24, 40), (32, 8)
CLAIM = Claim(
    chapter="hashing",
    sentence="Two tables of l1 and l2 rows, neither of which has two equal rows, give l1 l2 "
    "positions that all differ, with l1 d1 + l2 d2 numbers in place of l1 l2 (d1 + d2).",
    source="The implementations of Reformer, in trax and in Hugging Face transformers.",
    refuted_by="Two positions with the same row, from random tables without equal rows; or two "
    "tables for at least 128 positions, as square as can be, with no fewer numbers than one.",
    seconds=7,
    background="A count that follows from how the tables are defined; it says nothing about how "
    "well a model with such positions works.",
    knobs={"widths": "24 and 40", "order": "row by row"},
)
TURNED = {"widths": "32 and 8", "order": "column by column"}
#: As square as powers of two allow, with the shorter table first.
SHAPES = ((8, 16), (16, 32), (32, 64), (64, 128), (128, 256), (256, 512))
#: One length, in all its shapes.
LENGTH = 16384
FIRST = tuple(2**power for power in range(15))


def distinct_rows(axial: AxialPositions) -> float:
    """Return the share of positions whose row no other position has."""
    rows = axial()
    return len(np.unique(rows, axis=0)) / len(rows)


def _parameters(axial: AxialPositions) -> int:
    return axial.num_parameters


def run(seeds: Sequence[int] = (0, 1, 2), quick: bool = False) -> Result:
    """Count parameters and distinct rows; ``quick`` leaves the long tables out."""
    start = time.perf_counter()
    shapes = SHAPES[:3] if quick else SHAPES
    tokens = [first * second for first, second in shapes]
    curves = {}
    for suffix, dims in (("", DIMS), (", turned", OTHER_DIMS)):
        order: Order = "column_major" if suffix else "row_major"
        made = [[AxialPositions(shape, dims, order, seed) for shape in shapes] for seed in seeds]
        full = [[length * sum(dims) for length in tokens]] * len(seeds)
        curves[f"one table{suffix}"] = Curve(tokens, full)
        for name, measure in (("two tables", _parameters), ("distinct rows", distinct_rows)):
            curves[f"{name}{suffix}"] = Curve(
                tokens, [[measure(one) for one in row] for row in made]
            )
    by_shape = [
        [_parameters(AxialPositions((f, LENGTH // f), DIMS, rng=seed)) for f in FIRST]
        for seed in seeds
    ]
    curves["two tables, by the first length"] = Curve(FIRST, by_shape)
    settings = {"dims": list(DIMS), "length": LENGTH, "quick": quick}
    return Result(curves, list(seeds), settings, round(time.perf_counter() - start, 1))


def trials(result: Result) -> list[Trial]:
    """Test whether all rows differ and the two tables are smaller, in both orders."""
    made = []
    for suffix, at in {"": {}, ", turned": TURNED}.items():
        two, one, distinct = (
            result[f"{name}{suffix}"].array for name in ("two tables", "one table", "distinct rows")
        )
        made += each_seed((two < one).all(axis=1) & (distinct == 1).all(axis=1), at=at)
    return made


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
