"""Pictures of answers: what is declared, the form of a result, and that grading ignores them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coursekit.bank import load_bank
from coursekit.page.page_data import page_data
from coursekit.picture import Picture, picture_of
from coursekit.selftest.quiz import quiz_problems

BANK = Path(__file__).parents[1] / "coursekit_web" / "bank"


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ([[0.5, 0.5], [0.25, 0.75]], "weights"),
        ([0.2, 0.9], "cells"),
        ([3, -4], "cells"),
        ([[True, False]], "mask"),
    ],
)
def test_the_form_of_a_result_follows_from_its_numbers(value: Any, form: str) -> None:
    assert picture_of(np.array(value), np.ones(7)) == {"form": form, "rows": rows_of(value)}


def rows_of(value: Any) -> Any:
    return np.atleast_2d(value).tolist()


def test_of_several_matrices_the_first_that_differs_is_drawn() -> None:
    value = np.zeros((2, 3, 2, 2), bool)
    right = value.copy()
    value[1, 2] = [[True, True], [False, True]]
    assert picture_of(value, right) == {"form": "mask", "rows": value[1, 2].tolist()}


def test_what_has_no_picture_has_none() -> None:
    for value in (3.0, [1.0], np.eye(9), [[3, -4], [1, 2]], [1e6, 0.0], np.array([1j, 2])):
        assert picture_of(np.array(value), np.ones(2)) is None
    signs = picture_of(np.array([np.nan, -np.inf]), np.ones(2))
    assert signs == {"form": "cells", "rows": [["NaN", "−∞"]]}


def test_a_picture_goes_to_the_page() -> None:
    quiz = load_bank(BANK)["three-questions"]
    at = next(i for i, question in enumerate(quiz.questions) if question.name == "single")
    picture = Picture("weights", ["a", "b"], {"right": [0.5, None]})
    questions = list(quiz.questions)
    questions[at] = replace(questions[at], picture=picture)
    drawn = replace(quiz, questions=tuple(questions))
    assert page_data(drawn)["questions"][at]["picture"] == picture.as_json()
    assert any("lacks its value" in problem for problem in quiz_problems(drawn))
