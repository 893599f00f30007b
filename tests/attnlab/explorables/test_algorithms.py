"""Explorables of algorithms: what they compute, in Python and TypeScript, and what they refuse."""

from __future__ import annotations

import itertools
import json
import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np

import attn
from attnlab.explorables import AxialGrid, LshCircle, OnlineSoftmax, RotaryDial, Tiles

HERE = Path(__file__).parent
EXERCISES = HERE.parents[2] / "exercises"


def turned(query: int, key: int, width: int) -> dict[str, Any]:
    shown = RotaryDial(query_position=query, key_position=key, d_k=width)
    return {"query": query, "key": key, "d_k": width, "products": shown.products().tolist()}


def one_pass(rng: np.random.Generator, count: int, block: int) -> dict[str, Any]:
    score, value = rng.normal(scale=4, size=(2, count)).round(1).tolist()
    shown = OnlineSoftmax(scores=score, values=value, block=block)
    kept = [list(step) for step in shown.steps()]
    assert abs(kept[-1][3] / kept[-1][2] - shown.output()) < 1e-12 * max(map(abs, value))
    return {"score": score, "value": value, "block": block, "kept": kept}


def hashed(rng: np.random.Generator, buckets: int, rounds: int) -> dict[str, Any]:
    angles, turns = rng.integers(0, 360, 9).tolist(), rng.integers(0, 360, 8).tolist()
    shown = LshCircle(angles=angles, turns=turns, num_buckets=buckets, num_rounds=rounds)
    queries = rng.uniform(0, 360, 20)  # no whole degrees, so that none stands on a border
    return {
        "hashing": {"angles": angles, "turns": turns, "buckets": buckets, "rounds": rounds},
        "queries": queries.tolist(),
        "meetings": shown.meetings(queries).tolist(),
        "recall": shown.recall(queries).tolist(),
    }


def tiled(tokens: int, tile: int) -> dict[str, Any]:
    shown = Tiles(num_tokens=tokens, tile=tile)
    moved = [shown.moved_by_all(), shown.moved_by_tiles()]
    return {"tokens": tokens, "tile": tile, "moved": moved, "on_chip": shown.on_chip()}


def axial(rows: int, columns: int, column_major: bool) -> dict[str, Any]:
    shown = AxialGrid(rows=rows, columns=columns, column_major=column_major, position=0)
    grid = {"rows": rows, "columns": columns, "columnMajor": column_major}
    return {"grid": grid, "rows": shown.table_rows(), "learned": shown.num_parameters()}


def test_typescript_equals_numpy(in_node: Any) -> None:
    rng = np.random.default_rng(7)
    cases = {
        "turned": [turned(*case) for case in ((20, 17, 8), (0, 63, 8), (63, 19, 2), (7, 7, 16))],
        "onePass": [one_pass(rng, *sizes) for sizes in ((8, 2), (7, 3), (5, 1), (6, 6))],
        "hashed": [hashed(rng, *sizes) for sizes in ((4, 1), (6, 3), (8, 8), (16, 5))],
        "tiled": [tiled(*sizes) for sizes in ((4096, 128), (512, 1024), (65536, 16))],
        "axial": [axial(*case) for case in ((3, 5, False), (3, 5, True), (1, 7, False))],
    }
    in_node("algorithms.test.ts", cases, 5)


def test_rotary_scores_depend_on_the_distance_and_one_hand_repeats_itself() -> None:
    here, there = (
        RotaryDial(query_position=44, key_position=0),
        RotaryDial(query_position=63, key_position=19),
    )
    np.testing.assert_allclose(here.products(), there.products(), atol=1e-12)
    np.testing.assert_allclose(here.products()[:2], [1, -0.307], atol=5e-4)  # in the chapter
    confused = [
        d
        for d in range(1, 64)
        if RotaryDial(query_position=d, key_position=0).products()[0] >= 0.999
    ]
    assert confused == [44]
    # The same numbers as the dot products of the added sinusoids.
    sinusoids = attn.sinusoidal_positions(64, 8)
    assert abs(here.products().sum() - sinusoids[44] @ sinusoids[0]) < 1e-12


def test_online_softmax_ends_at_the_softmax_whatever_the_block() -> None:
    kept = [OnlineSoftmax(block=block).steps() for block in range(1, 9)]
    for steps in kept:
        assert abs(steps[-1].o / steps[-1].l - OnlineSoftmax().output()) < 1e-12
    assert [step.factor for step in kept[1]] == [0, 1, 1, np.exp(-1)]


def test_rounds_find_more_and_buckets_cost_less() -> None:
    shown = [LshCircle(num_buckets=6, num_rounds=rounds).mean() for rounds in range(1, 9)]
    recall, compared = zip(*shown, strict=True)
    assert list(recall) == sorted(recall)
    np.testing.assert_allclose(compared, 4.0 * np.arange(1, 9), atol=0.05)
    # The exercise grades with the same keys and rotations.
    source = (EXERCISES / "hashing/buckets-and-rounds.py").read_text()
    pattern = r"ANGLES = np.array\((.*?)\).*?TURNS = np.array\((.*?)\)"
    written = re.search(pattern, source, re.DOTALL)
    assert written is not None
    assert [json.loads(part) for part in written.groups()] == [
        LshCircle().angles,
        LshCircle().turns,
    ]


def test_larger_tiles_move_less_until_they_do_not_fit() -> None:
    tiles = [Tiles(tile=2**power) for power in range(4, 11)]
    moved = [shown.moved_by_tiles() for shown in tiles]
    assert moved == sorted(moved, reverse=True)
    assert max(shown.tile for shown in tiles if shown.fits()) == 128  # what the exercise asks for
    # By hand: 64 blocks of 64 queries read keys and values; queries and outputs move once.
    one = 4096 * 64 * 2
    assert Tiles(tile=64).moved_by_tiles() == 2 * one + 64 * 2 * one
    assert Tiles().moved_by_all() == 4 * one + 4 * 4096**2 * 2


def test_a_square_grid_needs_the_fewest_numbers() -> None:
    shapes = [(4, 16), (8, 8), (16, 4)]
    assert [AxialGrid(rows=a, columns=b).num_parameters() for a, b in shapes] == [
        (640, 4096), (512, 4096), (640, 4096)
    ]  # fmt: skip
    assert AxialGrid().table_rows()[21] == (1, 5)


def test_lines_of_thirteen_tokens_have_one_shape_that_the_figure_reaches() -> None:
    exercise = runpy.run_path(str(EXERCISES / "hashing" / "lines-of-thirteen.py"))
    fitting = []
    for rows, columns in itertools.product(range(1, 17), repeat=2):
        shown = AxialGrid(rows=rows, columns=columns, position=0)
        second = [row for _, row in shown.table_rows()]
        shares = len(second) > 13 and second[13:] == second[:-13]
        if len(second) >= 150 and shown.num_parameters()[0] <= 800 and shares:
            fitting.append((rows, columns))
    assert fitting == [(exercise["rows"], exercise["columns"])]
