"""Quiz questions: right, known mistakes, and anything else that may be typed."""

from __future__ import annotations

import numpy as np
import pytest

from coursekit import run_check
from coursekit.checks import WRONG
from coursekit.questions import Numeric
from coursekit.quiz_text import questions_in


def verdict(quiz, **answers):
    check = next(check for check in quiz.checks if check.name in answers)
    return run_check(check, answers, misconceptions=quiz.misconceptions)


@pytest.mark.parametrize("given", [[2, 4], (2.01, 3.99), np.array([2.0, 4.0])])
def test_numbers_within_tolerance_are_right(twice, given) -> None:
    assert verdict(twice, pair=given).passed


_NUMBERS = "expected numbers, as an array or a list."


@pytest.mark.parametrize(
    ("given", "message", "misconception"),
    [
        ([1, 4], "Not quite. Those are squares.", "squared"),
        ([1.005, 2], "Not quite. Nothing was doubled.", "same"),
        ([2.02, 4], "That is not it.", None),
        ([np.nan, 4], "That is not it.", None),
        ([2], "Your answer has shape (1,); expected 2 numbers.", None),
        (["2", "4"], f"your answer is a list that holds strings; {_NUMBERS}", None),
        (2, "Your answer has shape (); expected 2 numbers.", None),
        (..., "No answer yet.", "not-started"),
        ("2, 4", f"your answer is of type str; {_NUMBERS}", None),
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


CLOSE = "Close: if you have rounded, give "


@pytest.mark.parametrize(
    ("answer", "tolerance", "given", "message"),
    [
        (0.776, 0.005, 0.8, f"{CLOSE}two decimals."),
        (0.776, 0.0005, 0.78, f"{CLOSE}three decimals."),
        (3.2, 0.05, 3, f"{CLOSE}one decimal."),
        (-0.776, 0.006, -0.8, f"{CLOSE}two decimals."),
        ([0.42, 0.58], 0.005, [0.4, 0.6], f"{CLOSE}two decimals."),
        ([0.42, 0.58], 0.005, [0.4, 0.5], WRONG),
        ([0.42, 0.58], 0.005, [0.42, 0.6], f"{CLOSE}two decimals."),
        (0.776, 0.005, 0.7, WRONG),
        (0.776, 0.005, 0.79, WRONG),
        (0.776, 0.005, 1, WRONG),  # a guess, and not a number that was rounded
        (0.2, 0.005, 0, WRONG),
        (1.46, 0.005, 1, WRONG),
        (0.776, 0.1, 1, WRONG),
        (4096, 0.5, 4000, WRONG),
        (4096, 0, 4097, WRONG),
        (0.776, 0.005, np.nan, WRONG),
        (0, 0.005, 0.01, WRONG),
    ],
)
def test_a_right_number_with_too_few_decimals_is_close(
    answer, tolerance: float, given, message: str
) -> None:
    question = Numeric(name="x", statement="", answer=answer, tolerance=tolerance)
    seen = run_check(question.check(), {"x": given})
    assert (seen.message, seen.points) == (message, 0)


@pytest.mark.parametrize(
    ("given", "told"), [(0.8, ("Not quite.", "four-fifths")), (3, ("Add.", None))]
)
def test_a_mistake_is_named_before_a_rounded_number_and_anything_else_told(given, told) -> None:
    mistakes = "- [ ] 0.8 > four-fifths: Count.\n- [ ] else > Add."
    (question,), _ = questions_in(f"## x (± 0.005)\n- [x] 0.776\n{mistakes}")
    seen = run_check(question.check(), {"x": given})
    assert (seen.message, seen.misconception) == told


def test_of_two_mistakes_with_one_value_none_is_named() -> None:
    mistakes = {"one": 2.0, "other": 2.001, "third": 3.0}
    check = Numeric(name="x", statement="", answer=1, tolerance=0.01, mistakes=mistakes).check()
    assert [run_check(check, {"x": x}).misconception for x in (2, 3, 2.0105)] == [
        None,
        "third",
        "other",
    ]


def test_of_two_patterns_of_lines_the_first_is_named_and_of_two_equal_ones_none() -> None:
    (asked,), _ = questions_in("""## order
```lines
a one
b two
c three
d four
```
- [x] a b c
- [ ] d b > d-before-b: Too early.
- [ ] d > d: It does not belong.
- [ ] c a > late: Too late.
- [ ] c a > last-first: Too early.
""")
    answers = ("d a b c", "a b c d", "c a b", "b c")
    assert [asked.mistake_in(tuple(answer.split())) for answer in answers] == [
        "d-before-b",
        "d",
        None,
        None,
    ]
