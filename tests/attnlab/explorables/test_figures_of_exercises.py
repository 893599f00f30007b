"""Exercises that are answered with a figure compute what the figure shows."""

from __future__ import annotations

import itertools
import json
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from attnlab.explorables import GradientDraws, LshCircle, Pipeline, Saturation, Tiles

from . import in_numpy

EXERCISES = Path(__file__).resolve().parents[3] / "exercises"


def test_the_exercise_on_the_pipeline_computes_what_the_figure_shows() -> None:
    path = EXERCISES / "scaled-dot-product" / "halve-the-weight.py"
    weight_of_cat = runpy.run_path(str(path))["_weight_of_cat"]
    for sentence in ("the cat drank milk", "a horse saw cat outside drank", "cat drinks drank tea"):
        shown = Pipeline(sentence=sentence)
        words = shown.tokens()
        _, weights, _ = in_numpy.pipeline(shown)
        expected = weights[words.index("drank"), words.index("cat")]
        assert weight_of_cat(words) == pytest.approx(expected)


def test_the_exercise_on_saturation_computes_what_the_figure_shows() -> None:
    path = EXERCISES / "scaled-dot-product" / "gradient-left.py"
    exercise = runpy.run_path(str(path))
    weights, norms = zip(
        *(in_numpy.saturated(Saturation().draws, exponent) for exponent in range(11)), strict=True
    )
    shares = [plain / scaled for plain, scaled in norms]
    for exponent, share in enumerate(shares):
        assert exercise["_share"](exponent) == pytest.approx(share, rel=1e-6, abs=1e-9)
    assert [share < 0.1 for share in shares].index(True) == exercise["exponent"]
    # What the exercise says once it is solved.
    assert weights[5].max() < 0.9 < weights[6].max()
    left = [f"{norms[exponent][0]:.2f}" for exponent in (0, 6, 7)]
    assert left == ["0.40", "0.08", "0.02"]


def test_the_exercise_on_draws_computes_what_the_figure_shows() -> None:
    of_one = runpy.run_path(str(EXERCISES / "soft-and-hard" / "fewest-draws.py"))[
        "_error_of_one_draw"
    ]
    for baseline in (0.0, 0.4275, 0.8125, 1.5):
        shown = GradientDraws(score=3, baseline=baseline, num_draws=50)
        assert of_one(baseline) / np.sqrt(50) == pytest.approx(
            in_numpy.Draws(shown).standard_error()
        )


def test_the_exercise_on_rounds_has_the_keys_and_rotations_of_the_figure() -> None:
    source = (EXERCISES / "hashing/buckets-and-rounds.py").read_text()
    pattern = r"ANGLES = np.array\((.*?)\).*?TURNS = np.array\((.*?)\)"
    written = re.search(pattern, source, re.DOTALL)
    assert written is not None
    shown = LshCircle()
    assert [json.loads(part) for part in written.groups()] == [shown.angles, shown.turns]


def test_the_largest_tile_that_fits_is_what_the_exercise_asks_for() -> None:
    room = Tiles().chip_kib * 1024
    assert max(2**n for n in range(4, 11) if in_numpy.on_chip(2**n) <= room) == 128


def test_lines_of_thirteen_tokens_have_one_shape_that_the_figure_reaches() -> None:
    exercise = runpy.run_path(str(EXERCISES / "hashing" / "lines-of-thirteen.py"))
    fitting = []
    for rows, columns in itertools.product(range(1, 17), repeat=2):
        second = [row for _, row in in_numpy.axial(rows, columns)]
        shares = len(second) > 13 and second[13:] == second[:-13]
        if len(second) >= 150 and in_numpy.axial_parameters(rows, columns) <= 800 and shares:
            fitting.append((rows, columns))
    assert fitting == [(exercise["rows"], exercise["columns"])]
