"""What mistakes give is known before an answer comes, and named where no other one gives it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from coursekit import run_check
from coursekit.bank.mistakes import known, told, verdict_on, wrong_answers
from coursekit.bank.model import Exercise
from coursekit.errors import DefinitionError
from coursekit.judge.comparisons import Comparison, Known, known_from

RIGHT = np.array([1.0, 2.0])


def compared(value: object, expected: object = RIGHT, number: int = 0) -> Comparison:
    return Comparison(number, np.asarray(value), np.asarray(expected), 1e-6, 0.0)


def knows(**values: object) -> Known:
    return known_from({id: [[compared(value)]] for id, value in values.items()})


def test_a_mistake_is_named_by_its_value() -> None:
    mistakes = knows(one_more=[2.0, 3.0], negative=[-1.0, -2.0], one=1.0)
    assert mistakes.which(compared([-1, -2])) == "negative"
    assert mistakes.which(compared([-1 - 1e-7, -2])) == "negative"
    assert mistakes.which(compared(1.0)) == "one"
    assert mistakes.which(compared([9, 9])) is None
    assert mistakes.which(compared([-1, -2], number=1)) is None
    # The check has gone another way: something else is right here.
    assert mistakes.which(compared([-1, -2], [5.0, 6.0])) is None


def test_none_is_named_where_two_give_the_same() -> None:
    mistakes = knows(negative=[-1.0, -2.0], minus=[-1.0, -2.0], one=1.0)
    assert mistakes.which(compared([-1, -2])) is None
    assert mistakes.told_apart == ("one",)


def test_a_mistake_that_would_have_failed_before_is_left_out() -> None:
    before = compared([4.0, 5.0]), compared([2.0, 3.0], number=1)
    mistakes = known_from({"one": [[compared([2.0, 3.0], number=1)]], "two": [before]})
    assert mistakes.which(compared([2.0, 3.0], number=1)) == "one"
    assert mistakes.which(compared([4.0, 5.0])) == "two"


def test_what_a_check_names_itself_gives_way() -> None:
    runs = {"by-value": [[compared([2.0, 3.0])]], "by-check": [[compared([2.0, 3.0])]]}
    assert known_from(runs, named={"by-check"}).which(compared([2.0, 3.0])) == "by-value"
    assert known_from(runs).which(compared([2.0, 3.0])) is None


def test_what_gives_the_right_value_is_no_mistake() -> None:
    assert knows(same=[1.0, 2.0]).ids == ()


def test_not_all_numbers_may_be_nan() -> None:
    strict, nothing = [[np.nan, np.nan], [3.0, 5.0]], np.full((2, 2), np.nan)
    expected = [[1.0, 2.0], [3.0, 4.0]]
    mistakes = known_from({"strict": [[compared(strict, expected)]]})
    assert mistakes.which(compared(strict, expected)) == "strict"
    assert known_from({"any": [[compared(nothing, expected)]]}).ids == ()
    assert mistakes.which(compared(nothing, expected)) is None


@pytest.mark.parametrize("size", [1, 2, 7, 400])
@pytest.mark.parametrize("kind", [float, complex, int, bool])
def test_prints_tell_arrays_apart_that_differ_in_one_number(size: int, kind: type) -> None:
    rng = np.random.default_rng(size)
    values = rng.integers(0, 2 if kind is bool else 9, size=size).astype(kind)
    mistakes = known_from({"m": [[Comparison(0, values, np.full(size, 20.0), 1e-6, 0.0)]]})
    for place in range(size):
        other = values.copy()
        other[place] = not values[place] if kind is bool else values[place] + 1
        seen = Comparison(0, other, np.full(size, 20.0), 1e-6, 0.0)
        assert mistakes.which(seen) is None
    assert mistakes.which(Comparison(0, values.copy(), np.full(size, 20.0), 1e-6, 0.0)) == "m"


def test_tolerances_that_add_up_hide_no_other_value() -> None:
    expected = np.linspace(0, 1, 1000)
    mistakes = known_from({"m": [[Comparison(0, expected * 1.001, expected, 2e-4, 0.0)]]})
    assert mistakes.which(Comparison(0, expected * 1.001 + 1e-7, expected, 2e-4, 0.0)) == "m"
    assert mistakes.which(Comparison(0, expected * 0.999, expected, 2e-4, 0.0)) is None


def test_the_order_of_numbers_and_the_shape_count() -> None:
    values = np.arange(6.0)
    expected = np.full(6, 20.0)
    mistakes = known_from({"m": [[compared(values, expected)]]})
    assert mistakes.which(compared(values[::-1], expected)) is None
    assert mistakes.which(compared(values.reshape(2, 3), expected)) is None


def test_what_is_handed_out_says_the_same(double: Exercise) -> None:
    for check in double.checks:
        table = known(double, check)
        data = json.loads(json.dumps(table.as_data()))
        assert Known.from_data(data) == table
    assert known(double, double.checks[0]).ids == ("squares", "adds")


def test_a_mistake_in_an_answer_that_nobody_wrote_is_named(double: Exercise) -> None:
    small, negative = double.checks
    for answer, id in (
        (lambda x: x**3 / x, "squares"),
        (lambda x: x - -2, "adds"),
        (lambda x: x + 3, None),
        (lambda x: x * x + 2, None),
    ):
        assert verdict_on(double, small, {"double": answer}).misconception == id
        for secret in ("", "a secret"):
            seen = verdict_on(double, negative, {"double": answer}, secret=secret, submission="s")
            assert seen.misconception == id, (secret, seen)
    without = run_check(small, {"double": lambda x: x * x})
    assert without.misconception is None


def test_two_mistakes_at_once_are_told_where_no_single_one_gives_the_value(write_exercise) -> None:
    exercise = write_exercise(
        edits={
            "return math.fsum([x, x])": "y = [x, x]\n    return math.fsum(y)",
            'mistake("adds", "That adds 2.", {"math.fsum([x, x])": "x + 2"}, '
            '{"math.fsum([x, x])": "x + 2.0"})': 'mistake("one-more", "One is added.", '
            '{"return math.fsum(y)": "return 1 + math.fsum(y)"})\n'
            'mistake("fourfold", "That is four times.", {"[x, x]": "[x, x, x, x]"})',
            '{"[x, x]": "[abs(x), abs(x)]"}': '{"y = [x, x]": "y = [abs(x), abs(x)]"}',
        }
    )
    small, negative = exercise.checks
    seen = verdict_on(exercise, small, {"double": lambda x: 4 * x + 1})
    assert seen.misconception == "one-more+fourfold"
    assert seen.explanation == (
        "Two things together give this value. 1. One is added. 2. That is four times."
    )
    assert set(told(exercise, "small")) == {"squares", "one-more", "fourfold"}
    assert Known.from_data(known(exercise, small).as_data()) == known(exercise, small)
    # One alone gives this value, so it is told alone; what is hidden says less.
    assert verdict_on(exercise, small, {"double": lambda x: 4 * x}).misconception == "fourfold"
    assert verdict_on(exercise, negative, {"double": lambda x: 4 * x + 1}).misconception is None


def test_only_what_a_check_can_report_is_told(double: Exercise) -> None:
    assert set(told(double, "small")) == {"squares", "adds"}
    assert set(told(double, "small", "negative")) == {"squares", "adds", "sign"}
    assert told(double) == {}


def test_a_check_goes_on_behind_what_is_wrong(write_exercise) -> None:
    edits = {"    _ask(double, 3)\n": "    _ask(double, 2)\n    _ask(double, 3)\n"}
    exercise = write_exercise(edits=edits)
    table = known(exercise, exercise.checks[0])
    # Of 2 both mistakes give the double; an answer fails at 3, and 0.5 is known all the same.
    assert set(table.at) == {1, 2}
    assert table.told_apart == ("squares", "adds")


def test_edits_of_the_solution_have_to_fit(write_exercise) -> None:
    exercise = write_exercise(edits={'"math.fsum([x, x])": "x + 2"': '"prod(": ""'})
    with pytest.raises(DefinitionError, match=r"replaces 'prod\('; the solution has no such text"):
        wrong_answers(exercise)


def test_shared_mistakes_are_made_in_the_calls(write_exercise) -> None:
    shared = (
        'shared_mistakes({"minus": "The sign is turned."}, '
        'double=lambda x: {"minus": lambda: -2.0 * x})\n'
    )
    exercise = write_exercise(
        edits={
            "expect_shape, mistake\n": "expect_shape, mistake, shared_mistakes\n",
            'mistake(\n    "squares"': f'{shared}mistake(\n    "squares"',
        }
    )
    seen = verdict_on(exercise, exercise.checks[0], {"double": lambda x: -(x + x)})
    assert (seen.misconception, seen.explanation) == ("minus", "The sign is turned.")


def test_code_that_defines_nothing_asked_for_stands_for_the_solution(write_exercise) -> None:
    exercise = write_exercise(
        edits={'"def double(x):\\n    return x ** 2"': '"y = x\\nreturn y * y"'}
    )
    code = wrong_answers(exercise)["squares 2"].code
    assert code == 'def double(x):\n    """Return twice x."""\n    y = x\n    return y * y\n'
