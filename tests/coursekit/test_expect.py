"""Expectations: who passes, and what the message says to who does not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from coursekit import (
    CheckFailed,
    as_array,
    call_with_whole_numbers,
    expect,
    expect_close,
    expect_integer,
    expect_parts,
    expect_same,
    expect_shape,
)
from coursekit.verdict import CHANGES_ARGUMENTS


def failure(function, *args, **kwargs) -> CheckFailed:
    with pytest.raises(CheckFailed) as failed:
        function(*args, **kwargs)
    return failed.value


@pytest.mark.parametrize(
    ("seen", "message"),
    [
        ([1.0, 3.0], "f(x) is [1., 3.]; expected [1., 2.]."),
        ([1.0, 2.00002], "f(x) is [1.     , 2.00002]; expected [1., 2.]."),
        ([4.0, 5.0, 6.0], "f(x) has shape (3,); expected (2,)."),
        ([3.0, np.nan], "f(x) contains 1 NaN of 2 numbers."),
        (None, "f(x) is None. Does the function return its result?"),
        (..., "f(x) is still `...`: nothing is filled in yet."),
        ("text", "f(x) is of type str; expected numbers, as an array or a list."),
    ],
)
def test_messages_say_what_was_seen_and_expected(seen, message: str) -> None:
    assert failure(expect_close, seen, [1.0, 2.0], what="f(x)").message == message


def changed(right: np.ndarray, **numbers: float) -> np.ndarray:
    """Return an array with other numbers at some places, in the order of its cells."""
    seen = right.copy()
    for at, number in numbers.items():
        seen.flat[int(at[1:])] = number
    return seen


ZEROS, LARGE = np.zeros((5, 7)), np.full((5, 7), 1110.0)
MOST = "the result differs from what is expected, most at"


@pytest.mark.parametrize(
    ("seen", "right", "said"),
    [
        (
            changed(ZEROS, _23=0.25, _8=-0.125),
            ZEROS,
            f"{MOST} [3, 2]: 0.25 instead of 0. Only rows 1, 3 differ.",
        ),
        (changed(ZEROS, _4=1e9, _8=np.inf), ZEROS, f"{MOST} [1, 1]: inf instead of 0."),
        (LARGE + 0.01 * np.arange(35).reshape(5, 7), LARGE, "[4, 6]: 1110.34 instead of 1110."),
        ([np.nan], [np.nan], "the result is [nan]; expected [nan]."),
        (1000.5, 1000.0, "the result is 1000.5; expected 1000."),
    ],
)
def test_the_largest_difference_is_shown(seen: Any, right: Any, said: str) -> None:
    assert said in failure(expect_close, seen, right).message


def test_tolerance_is_absolute_unless_asked() -> None:
    assert expect_close(1000.5, 1000.0, rtol=1e-3) == 1000.5


def test_shape() -> None:
    assert expect_shape([[1, 2]], (1, 2)).shape == (1, 2)
    failed = failure(expect_shape, [1, 2], (1, 2), what="f")
    assert failed.message == "f has shape (2,); expected (1, 2)."


class Broken:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("no")


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
_NUMBERS = "expected numbers, as an array or a list."
_PLAIN = "expected floats or whole numbers of at most 64 bits, as an array or a list."


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (["a", "b"], f"a list that holds strings; {_NUMBERS}"),
        (("0.4", 0.6), f"a tuple that holds strings; {_NUMBERS}"),
        (np.array(["a"]), f"an array that holds strings; {_NUMBERS}"),
        (np.array(["a", 1], object), f"an array that holds strings; {_NUMBERS}"),
        ([[1.0, None]], f"a list that holds None; {_NUMBERS}"),
        ([1, ..., 2], f"a list that holds `...`; {_NUMBERS}"),
        ([{1}, {"a": 1}], f"a list that holds sets and dictionaries; {_NUMBERS}"),
        ([len], f"a list that holds values of type builtin_function_or_method; {_NUMBERS}"),
        ([np.datetime64("2026-11-24")], f"a list that holds values of type datetime64; {_NUMBERS}"),
        ([[1, 2], [3]], f"a list whose rows differ in length; {_NUMBERS}"),
        ((np.ones(2), np.ones(3)), f"a tuple whose rows differ in length; {_NUMBERS}"),
        ([Fraction(1, 3)], f"a list that holds values of type Fraction; {_PLAIN}"),
        ([10**30], f"a list that holds whole numbers of more than 64 bits; {_PLAIN}"),
        (Fraction(1, 3), f"of type Fraction; {_PLAIN}"),
        ("0.4", f"of type str; {_NUMBERS}"),
        ({1, 2}, f"of type set; {_NUMBERS}"),
        (len, f"of type builtin_function_or_method; {_NUMBERS}"),
        (Broken(), f"of type Broken; {_NUMBERS}"),
        (ENDLESS, f"a list that holds itself, or lists in too many lists; {_NUMBERS}"),
    ],
)
def test_what_is_not_numbers_is_told_without_contradiction(seen: Any, said: str) -> None:
    assert failure(as_array, seen, "f(x)").message == f"f(x) is {said}"


def test_integer() -> None:
    assert expect_integer(np.float32(3), 1, 6) == 3
    for seen in (0, 7, 2.5, [1], np.nan, np.inf, True):
        failed = failure(expect_integer, seen, 1, 6, what="layer", misconception="no-layer")
        assert failed.message == f"layer is {seen}; expected a whole number from 1 to 6."
        assert failed.misconception == "no-layer"
    assert failure(expect_integer, None, 1, 6).misconception == "returns-nothing"


def test_expect() -> None:
    expect(np.True_, "never")
    failed = failure(expect, False, "Rows do not sum to 1.", "axis")
    assert (failed.message, failed.misconception) == ("Rows do not sum to 1.", "axis")


def test_torch_tensors_are_arrays() -> None:
    torch = pytest.importorskip("torch")
    assert as_array(torch.ones(2, requires_grad=True)).tolist() == [1.0, 1.0]


def test_ipython_shows_the_message_alone() -> None:
    assert CheckFailed("seen, expected")._render_traceback_() == ["seen, expected"]


def test_a_message_of_its_own_is_all_that_is_said() -> None:
    failed = failure(expect_close, [2.0], [1.0], message="It is outside.", misconception="outside")
    assert (failed.message, failed.misconception) == ("It is outside.", "outside")
    assert expect_close([1.0], [1.0], message="It is outside.").tolist() == [1.0]


def test_parts_are_as_many_as_expected() -> None:
    assert expect_parts((1, 2), 2, "expected two") == (1, 2)
    for seen, id in (([1], None), (np.ones(2), None), (None, "returns-nothing")):
        failed = failure(expect_parts, seen, 2, "expected two")
        assert (failed.message, failed.misconception) == ("expected two", id)
    assert failure(expect_parts, None, 2, "expected two", "not-two").misconception == "not-two"


def test_same_as_a_reference_for_the_same_arguments() -> None:
    def scaled(x, by=2.0):
        return by * x

    def in_place(x, by=2.0):
        x *= by
        return x

    x = np.array([1.0, 3.0])
    assert expect_same(lambda x, by=2.0: x * by, scaled, x, by=3.0).tolist() == [3.0, 9.0]
    failed = failure(expect_same, lambda x, by=2.0: x + by, scaled, x, what="f(x)")
    assert failed.message.startswith("f(x) is [3., 5.]; expected [2., 6.].")
    assert failure(expect_same, in_place, scaled, x).misconception == CHANGES_ARGUMENTS


# --- right for floats, and wrong for whole numbers ------------------------------------------------


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


def test_what_is_right_and_what_is_wrong_for_floats_as_well_is_returned() -> None:
    assert np.array_equal(_call(lambda scores: scores / 4), RIGHT)
    assert np.array_equal(_call(lambda scores: scores / 3), SCORES / 3)


@pytest.mark.parametrize(
    ("function", "said"), [(_cut, "stored in an array of whole numbers"), (_in_place, "`/=`")]
)
def test_what_is_right_for_floats_only_is_named(function, said: str) -> None:
    failed = failure(_call, function)
    assert failed.misconception == "cut-to-whole-numbers"
    assert failed.message.startswith("With whole numbers, quarters(scores)")
    assert said in failed.explanation


def test_another_error_is_passed_on() -> None:
    with pytest.raises(TypeError):
        _call(lambda scores: scores + "1")


def test_changed_arguments_are_found() -> None:
    def changes(scores):
        scores -= 1
        return (scores + 1) / 4

    assert failure(_call, changes).misconception == CHANGES_ARGUMENTS
