"""What a learner is told whose function is right for floats and wrong for whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

from coursekit import CheckFailed, call_with_whole_numbers

SCORES = np.array([[3, 1, 0], [-5, -6, -9]])
RIGHT = SCORES / 4


def _call(function) -> np.ndarray:
    return call_with_whole_numbers(function, SCORES, right=RIGHT, what="quarters(scores)")


def _cut(scores):
    quarters = np.empty_like(scores)
    quarters[...] = scores / 4
    return quarters


def _in_place(scores):
    quarters = scores.copy()
    quarters /= 4
    return quarters


def test_what_is_right_is_returned() -> None:
    assert np.array_equal(_call(lambda scores: scores / 4), RIGHT)


@pytest.mark.parametrize(
    ("function", "said"), [(_cut, "stored in an array of whole numbers"), (_in_place, "`/=`")]
)
def test_what_is_right_for_floats_only_is_named(function, said: str) -> None:
    with pytest.raises(CheckFailed) as failed:
        _call(function)
    assert failed.value.misconception == "cut-to-whole-numbers"
    assert failed.value.message.startswith("With whole numbers, quarters(scores)")
    assert said in failed.value.explanation


def test_what_is_wrong_for_floats_as_well_is_left_to_the_check() -> None:
    assert np.array_equal(_call(lambda scores: scores / 3), SCORES / 3)


def test_another_error_is_passed_on() -> None:
    def adds_a_text(scores):
        return scores + "1"

    with pytest.raises(TypeError):
        _call(adds_a_text)


def test_changed_arguments_are_found() -> None:
    def changes(scores):
        scores -= 1
        return (scores + 1) / 4

    with pytest.raises(CheckFailed) as failed:
        _call(changes)
    assert failed.value.misconception == "changes-arguments"
