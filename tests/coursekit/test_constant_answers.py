"""An answer that solves nothing earns no point: `coursekit check` names each one that does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from coursekit.model import Exercise
from coursekit.selftest import problems
from coursekit.selftest.constant_answers import constant_answer_problems

SOURCE = '''
"""Write it."""

import numpy as np
import torch
from torch import nn

from coursekit import CheckFailed, check, exercise, expect

exercise(
    title="It", hints=["It is."]{options}
)

# BEGIN SOLUTION
{solution}
# END SOLUTION

RUNS = []


@check(points=2)
def asks({names}):
    """It asks"""
    RUNS.append(1)
    {body}


ALSO_RIGHT = {{}}
'''

DOUBLE = "def f(x):\n    return 2 * x"
IS_LARGE = "def f(x):\n    return x > 4"
#: What the numbers are multiplied by in the check, so that no size or sign is alike.
RISING = "np.array([2.0, 3.0, 5.0])"


@pytest.fixture
def write(write_exercise) -> Callable[..., Exercise]:
    """Return a function that writes an exercise with one check."""

    def written(
        solution: str, body: str, names: str = "f", id: str = "it", options: str = ""
    ) -> Exercise:
        indented = body.replace("\n", "\n    ")
        source = SOURCE.format(options=options, solution=solution, names=names, body=indented)
        return write_exercise(source, id)

    return written


@pytest.mark.parametrize(
    ("solution", "body", "named"),
    [
        (IS_LARGE, "expect(f(5) and f(6))", "True or 1 or 1.0 or"),
        (IS_LARGE, "expect(not f(1))", "None or False or 0 or"),
        (DOUBLE, f"expect(np.shape(f({RISING})) == (3,))", "zeros in the right shape or ones"),
        (DOUBLE, "expect(f(torch.ones(2, 3)).new_ones(1) == 1)", "zeros in the right shape"),
        (DOUBLE, "expect(np.isnan(f(np.nan)))", "nan or"),
        (
            DOUBLE,
            f"expect(len(set(f({RISING}))) == 3 and f({RISING})[1] not in (0, 3))",
            "random numbers in the right shape;",
        ),
        ("def f(x):\n    return sorted(x)", "expect(f([1, 2]) == [1, 2])", "argument 1 or a copy"),
        ("def f(x, y):\n    return x", "expect(f(3, 5) == 3)", "argument 1 or a copy"),
        ("def f(x, y):\n    return y", "expect(f(x=3, y=5) == 5)", "argument 2 or a copy"),
        ("def f(x, y):\n    return x, y", "expect(f(3, 5) == (3, 5))", "all arguments"),
        (IS_LARGE, "expect(f(5) and not f(1) and f(6))", "True at every call 1 of 2"),
        (
            "def f(x):\n    assert x > 4",
            "f(5)\nf(6)\ntry:\n    f(1)\nexcept AssertionError:\n    return\nexpect(False)",
            "an error at every call 3 of 3",
        ),
    ],
)
def test_an_answer_that_earns_points_for_nothing_is_named(
    write, solution: str, body: str, named: str
) -> None:
    exercise = write(solution, body)
    (problem,) = constant_answer_problems(exercise)
    assert problem.startswith(f"f earns 2 of 2 points in the check asks with nothing but {named}")
    assert problem.endswith("; let the check first ask for a case in which that is wrong")
    assert problem in problems(exercise)


@pytest.mark.parametrize(
    ("solution", "body"),
    [
        (IS_LARGE, "expect(not f(1) and f(5) and f(6) and not f(2) and not f(3) and f(7))"),
        (DOUBLE, f"expect((f({RISING}) == [4, 6, 10]).all())"),
        ("def f(x):\n    return sorted(x)", "expect(f([2, 1]) == [1, 2])"),
        (DOUBLE, "f(1)\nraise CheckFailed('never right')"),
        (DOUBLE, "pass"),  # nothing is asked of it
        ("f = 6", "expect(f == 6)"),
    ],
)
def test_an_honest_check_is_not(write, solution: str, body: str) -> None:
    assert list(constant_answer_problems(write(solution, body))) == []


def test_what_a_share_of_the_points_is_given_for_counts_as_well(write) -> None:
    exercise = write(DOUBLE, "if f(3) != 6:\n    raise CheckFailed('half', credit=0.25)")
    (problem,) = constant_answer_problems(exercise)
    assert problem.startswith("f earns 0.5 of 2 points in the check asks with nothing but None")


def test_each_method_is_replaced_beside_the_others(write) -> None:
    solution = (
        "class Sums(nn.Module):\n"
        "    def start(self, x):\n        self.x = x\n"
        "    def forward(self, y):\n        return self.x + y\n"
        "    def _help(self):\n        return None"
    )
    body = (
        "sums = Sums()\nsums.start(torch.ones(2))\n"
        "expect((sums.x == 1).all() and sums(torch.ones(2)).shape == (2,))"
    )
    (problem,) = constant_answer_problems(write(solution, body, "Sums"))
    assert problem.startswith(
        "Sums.forward earns 2 of 2 points in the check asks with nothing but "
    )


def test_functions_are_replaced_together_as_well(write) -> None:
    solution = "def f(x):\n    return x + 1\n\n\ndef g(x):\n    return 1 + x"
    (problem,) = constant_answer_problems(write(solution, "expect(f(3) == g(3))", "f, g"))
    assert problem.startswith("f and g earn 2 of 2 points in the check asks with nothing but None")


def test_of_several_variables_one_may_honestly_be_1(write) -> None:
    exercise = write("layer = 1\nhead = 2", "expect(layer == 1 and head == 2)", "layer, head")
    assert list(constant_answer_problems(exercise)) == []
    exercise = write("layer = 1\nhead = 1", "expect(layer == 1 and head == 1)", "layer, head")
    (problem,) = constant_answer_problems(exercise)
    assert problem.startswith("layer and head earn 2 of 2 points")
    assert "with nothing but True or 1 or 1.0 or 3 more;" in problem


def test_what_an_earlier_step_defines_is_not_asked_for_again(write) -> None:
    write(
        "def one(x):\n    return x + 1", "expect(one(3) == 4)", "one", "first", ', stand_in="math"'
    )
    then = write(
        "def two(x):\n    return one(one(x))",
        "expect(two(3) == one(one(3)) and two(4) == one(one(4)))",
        "one, two",
        "second",
        ', uses=["first"]',
    )
    assert list(constant_answer_problems(then)) == []


def test_a_check_that_never_looks_at_the_result_is_run_a_few_times(write) -> None:
    trained = "def f(model):\n    model.append(1)\n    return [1]"
    exercise = write(trained, "model = []\nresult = f(model)\nexpect(model and result == [1])")
    assert list(constant_answer_problems(exercise)) == []
    runs = exercise.checks[0].function.__globals__["RUNS"]
    assert 0 < len(runs) < 12


def test_one_that_asks_whether_it_is_none_looks_at_nothing_else(write) -> None:
    solution = "def f(x):\n    return x if x > 4 else None"
    (problem,) = constant_answer_problems(
        write(solution, "expect(all(f(x) is None for x in range(4)))")
    )
    assert "with nothing but None;" in problem
