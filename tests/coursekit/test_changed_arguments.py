"""An exercise whose checks would accept an answer that changes its arguments is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from coursekit.model import Exercise
from coursekit.selftest import problems
from coursekit.selftest.changed_arguments import changed_argument_problems

IMPORT = "from coursekit import check,"
COMPARE = 'expect_close(double(x), 2.0 * x, what="double(x)")'
SOLUTION = "return math.fsum([x, x])"


@pytest.fixture
def doubles_arrays(write_exercise) -> Callable[..., Exercise]:
    """Return a function that writes an exercise whose check calls the answer in one way."""

    def write(call: str) -> Exercise:
        of_an_array = f"x = np.full(3, float(x)); right = 2.0 * x; expect_close({call}, right)"
        return write_exercise(
            edits={
                IMPORT: "from coursekit import call_keeping_inputs, check,",
                COMPARE: of_an_array,
                SOLUTION: "return x + x  # math.fsum([x, x])",
            }
        )

    return write


def test_an_exercise_that_keeps_no_inputs_is_named(doubles_arrays) -> None:
    exercise = doubles_arrays("double(x)")
    (problem,) = changed_argument_problems(exercise)
    assert problem == (
        "double may change its arguments, and every check passes; call it with "
        "call_keeping_inputs(double, …) in a visible check"
    )
    assert problem in problems(exercise)


def test_one_that_keeps_them_is_not(doubles_arrays) -> None:
    exercise = doubles_arrays("call_keeping_inputs(double, x)")
    assert list(changed_argument_problems(exercise)) == []


def test_numbers_cannot_be_changed(double) -> None:
    assert list(changed_argument_problems(double)) == []
