"""Quiz questions: right, known mistakes, and anything else that may be typed."""

from __future__ import annotations

import numpy as np
import pytest

from coursekit import run_check


def verdict(quiz, **answers):
    check = next(check for check in quiz.checks if check.name in answers)
    return run_check(check, answers, misconceptions=quiz.misconceptions)


@pytest.mark.parametrize("given", [[2, 4], (2.01, 3.99), np.array([2.0, 4.0])])
def test_numbers_within_tolerance_are_right(twice, given) -> None:
    assert verdict(twice, pair=given).passed


@pytest.mark.parametrize(
    ("given", "message", "misconception"),
    [
        ([1, 4], "Not quite. Those are squares.", "squared"),
        ([1.005, 2], "Not quite. Nothing was doubled.", "same"),
        ([2.02, 4], "That is not it.", None),
        ([np.nan, 4], "That is not it.", None),
        ([2], "Your answer has shape (1,); expected 2 numbers.", None),
        (2, "Your answer has shape (); expected 2 numbers.", None),
        (..., "No answer yet.", "not-started"),
        ("2, 4", "your answer is of type str; expected numbers, as an array or a list.", None),
    ],
)
def test_numbers_that_are_wrong(twice, given, message: str, misconception: str | None) -> None:
    seen = verdict(twice, pair=given)
    assert (seen.text, seen.misconception, seen.points) == (message, misconception, 0)


@pytest.mark.parametrize(
    ("given", "message", "misconception"),
    [
        ("b", "A power multiplies.", "power"),
        ("c", "'c' is none of the options; expected one of a, b.", None),
        (1, "1 is none of the options; expected one of a, b.", None),
        (
            "c" * 99,
            f"'{'c' * 12}...{'c' * 13}' is none of the options; expected one of a, b.",
            None,
        ),
        (..., "No answer yet.", "not-started"),
    ],
)
def test_options_that_are_wrong(twice, given, message: str, misconception: str | None) -> None:
    seen = verdict(twice, word=given)
    assert (seen.text, seen.misconception, seen.points) == (message, misconception, 0)


def test_the_right_option_in_any_spelling(twice) -> None:
    assert verdict(twice, word=" A").points == 2


def test_the_answer_cell_takes_some_answers(twice) -> None:
    assert twice.answer_cell({"word": "b"}).splitlines()[1] == 'word = \'b\'  # one of "a", "b"'
    assert twice.answers == {"pair": [2, 4], "word": "a"}
