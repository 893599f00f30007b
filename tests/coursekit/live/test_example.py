"""The example of an exercise: the first call of its first visible check."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coursekit.checks import Check
from coursekit.live.example import first_call, in_lines


def check(double: Any) -> None:
    x = np.array([[1.0, 2.0]])
    assert double(x, times=2).shape == (1, 2)
    raise AssertionError("a later call")


def example(function: Any) -> Any:
    return first_call(Check(check, 1.0), {"double": function})


def test_call_is_shown_with_shapes_and_its_result() -> None:
    call = example(lambda x, times: x * times)
    assert call.text() == (
        "Example: double(x, times)\n  x      shape (1, 2)\n         [[1. 2.]]\n  times  2\n"
        "→ shape (1, 2)\n  [[2. 4.]]"
    )


def test_arguments_are_those_before_the_call() -> None:
    def spoil(x: Any, times: int) -> Any:
        x *= 0
        return x

    assert "[[1. 2.]]" in example(spoil).text()


def fails(x: Any, times: int) -> Any:
    raise ValueError("no")


@pytest.mark.parametrize(
    ("function", "error", "given"),
    [(fails, ValueError, "[[1. 2.]]"), (lambda: None, TypeError, "argument 1")],
)
def test_an_error_is_kept_and_what_was_given_shown(function, error: type, given: str) -> None:
    call = example(function)
    assert type(call.error) is error
    assert given in call.text()
    assert "→" not in call.text()


def test_values_that_are_no_functions_have_no_example() -> None:
    def looks(x: Any) -> None:
        assert x

    assert first_call(Check(looks, 1.0), {"x": 3}) is None


def test_a_dictionary_of_arrays_is_told_by_shapes() -> None:
    told = in_lines({"w": np.zeros((2, 3)), "heads": 3}, "    ")
    assert told == "'w': shape (2, 3)\n    'heads': 3"
    assert in_lines({"heads": 3}, "") == "{'heads': 3}"
