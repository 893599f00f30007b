"""Pictures of wrong values: their form, what they mark, and that they never show what is right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coursekit import CheckFailed, expect_close
from coursekit.bank.running import run_check
from coursekit.in_notebook import drawing as in_notebook
from coursekit.judge.checks import Check
from coursekit.judge.drawn import Drawing, drawing_of, share

HALF = [[0.5, 0.5], [0.25, 0.75]]


def drawn(value: Any, expected: Any, atol: float = 1e-6) -> Drawing | None:
    return drawing_of(np.asarray(value), np.asarray(expected), atol)


def texts(drawing: Drawing | None) -> list[list[str]]:
    assert drawing is not None
    return [[text for text, _ in row] for row in drawing.rows]


def marks(drawing: Drawing | None) -> list[list[bool]]:
    assert drawing is not None
    return [[wrong for _, wrong in row] for row in drawing.rows]


@pytest.mark.parametrize(
    ("value", "expected", "form"),
    [
        ([[1.0, 0.0], [0.25, 0.75]], HALF, "bars"),
        ([[1.5, -0.5], [0.25, 0.75]], HALF, "cells"),
        ([[True, False]], [[True, True]], "mask"),
        ([[1.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [1.0, 1.0]], "mask"),
        ([3.0, 4.0], [4.0, 3.0], "cells"),
        ([[np.nan, 0.5]], [[0.5, 0.5]], "cells"),
        ([0.2, 0.8, 0.0], HALF, "cells"),
    ],
)
def test_the_form_follows_from_the_values(value: Any, expected: Any, form: str) -> None:
    drawing = drawn(value, expected)
    assert drawing is not None
    assert drawing.form == form


def test_only_what_is_not_right_is_marked_and_only_the_answer_is_shown() -> None:
    drawing = drawn([[0.5, 0.5], [0.4, 0.6]], HALF)
    assert marks(drawing) == [[False, False], [True, True]]
    assert texts(drawing) == [["0.5", "0.5"], ["0.4", "0.6"]]
    assert marks(drawn([[0.2, 0.8]], HALF)) == [[True, True]]  # another shape


def test_of_a_larger_array_the_first_matrix_that_is_not_right_is_shown() -> None:
    value = np.zeros((2, 3, 2, 2))
    expected = value.copy()
    expected[1, 0, 0, 1] = 7
    drawing = drawn(value, expected)
    assert drawing is not None
    assert drawing.part == "[1, 0]"
    assert marks(drawing) == [[False, True], [False, False]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3.0, 4.0),
        (np.zeros((9, 2)), np.ones((9, 2))),
        ([1e6, 0.0], [0.0, 0.0]),
        (np.array([1j, 2]), np.array([1, 2])),
        (np.zeros((0, 2)), np.ones((1, 2))),
    ],
)
def test_what_has_no_picture_has_none(value: Any, expected: Any) -> None:
    assert drawn(value, expected) is None


def test_a_number_is_a_share_only_between_0_and_1() -> None:
    assert share(0.881, 0.776) == Drawing("share", ((("0.881", True),),))
    assert share(1.2, 0.776) is None
    assert share(0.5, 1.0) is None


def weights_are_half(weights: Any) -> None:
    expect_close(weights(), HALF, message="No.")


def test_a_verdict_has_the_picture_of_the_comparison_where_it_is_asked_for() -> None:
    names = {"weights": lambda: [[1.0, 0.0], [0.25, 0.75]]}
    check = Check(weights_are_half, points=1)
    with pytest.raises(CheckFailed):
        check(**names)
    plain, pictured = run_check(check, names), run_check(check, names, draws=True)
    assert "drawing" not in plain.as_json()
    assert pictured.drawing == drawn([[1.0, 0.0], [0.25, 0.75]], HALF)
    assert pictured.as_json()["drawing"]["form"] == "bars"


def test_a_notebook_shows_bars_as_high_as_the_weights_and_their_sum() -> None:
    html = in_notebook.as_html(Drawing("bars", ((("0.5", True), ("1", False)),)))
    assert 'class="ck-off"><b>0.5</b><i style="--w:0.5">' in html
    assert "<small>sum 1.5</small>" in html
    lines = in_notebook.as_html(Drawing("lines", ((("if a < b:", True),), (("    c", False),))))
    assert '<span class="ck-off">if a &lt; b:</span>\n<span class="">    c</span>' in lines
