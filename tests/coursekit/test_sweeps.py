"""Answers that nobody wrote find the checks that accept them, or raise on them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from coursekit.model import Exercise
from coursekit.selftest.check import problems
from coursekit.selftest.sweeps import sweep_problems

SOURCE = '''
"""Write it."""

import numpy as np
import torch
from torch import nn

from coursekit import CheckFailed, as_array, call_keeping_inputs, check, exercise, expect

exercise(title="It", hints=["It is."]{options})

# BEGIN SOLUTION
{solution}
# END SOLUTION


@check(points=2)
def asks({names}):
    """It asks"""
    {body}
'''

DOUBLE = "def f(x):\n    return 2 * x"
IS_LARGE = "def f(x):\n    return x > 4"
SORTED = "def f(x):\n    return sorted(x)"
PAIR = "def f(x):\n    return 2 * x, 3 * x"
TWO = "def f(x):\n    return x + 1\n\n\ndef g(x):\n    return 1 + x"
SUMS = (
    "class Sums(nn.Module):\n"
    "    def start(self, x):\n        self.x = x\n"
    "    def forward(self, y):\n        return self.x + y\n"
    "    def _help(self):\n        return None"
)
ASKS_SUMS = "sums = Sums()\nsums.start(torch.ones(2))\nexpect((sums.x == 1).all() and "
#: What the numbers are multiplied by in the check, so that no size or sign is alike.
RISING = "np.array([2.0, 3.0, 5.0])"
EARNS = "earns 2 of 2 points in the check asks with nothing but"


@pytest.fixture
def write(write_exercise) -> Callable[..., Exercise]:
    """Return a function that writes an exercise with one check."""

    def written(solution: str, body: str, id: str = "it", options: str = "") -> Exercise:
        names = ", ".join(re.findall(r"^(?:def |class )?(\w+)(?= =|\()", solution, re.MULTILINE))
        indented = body.replace("\n", "\n    ")
        source = SOURCE.format(options=options, solution=solution, names=names, body=indented)
        return write_exercise(source, id)

    return written


@pytest.mark.parametrize(
    ("solution", "body", "problem"),
    [
        (IS_LARGE, "expect(f(5) and f(6))", f"f {EARNS} True or 1.0 or nan or 7 more; let the"),
        (IS_LARGE, "expect(not f(1))", f"f {EARNS} None or False or 0.0 or 7 more; let the"),
        (IS_LARGE, "expect(f(5) and not f(1) and f(6))", f"f {EARNS} True, False in turn"),
        (DOUBLE, f"expect(np.shape(f({RISING})) == (3,))", f"f {EARNS} zeros in the right shape"),
        (DOUBLE, "expect(f(torch.ones(2, 3)).new_ones(1) == 1)", f"f {EARNS} zeros in the right"),
        (DOUBLE, "expect(np.isnan(f(np.nan)))", f"f {EARNS} nan or"),
        (
            DOUBLE,
            f"expect(len(set(f({RISING}))) == 3 and f({RISING})[1] not in (0, 3))",
            f"f {EARNS} random numbers in the right shape;",
        ),
        (DOUBLE, f"expect(sum(f({RISING})) == 1 or f(1) == 2)", f"f {EARNS} equal shares in the"),
        (SORTED, "expect(f([1, 2]) == [1, 2])", f"f {EARNS} argument 1 or a copy of argument 1;"),
        ("def f(x, y):\n    return y", "expect(f(x=3, y=5) == 5)", f"f {EARNS} argument 2 or a"),
        ("def f(x, y):\n    return x, y", "expect(f(3, 5) == (3, 5))", f"f {EARNS} all arguments;"),
        (
            "def f(x):\n    return x if x > 4 else None",
            "expect(all(f(x) is None for x in range(4)))",
            f"f {EARNS} None;",
        ),
        (
            DOUBLE,
            "if f(3) != 6:\n    raise CheckFailed('half', credit=0.25)",
            "f earns 0.5 of 2 points in the check asks with nothing but None",
        ),
        (SUMS, ASKS_SUMS + "sums(torch.ones(2)).shape == (2,))", f"Sums.forward {EARNS} zeros"),
        (TWO, "expect(f(3) == g(3))", "f and g earn 2 of 2 points in the check asks with nothing"),
        ("a = 1\nb = 1", "expect(a == 1 and b == 1)", "a and b earn 2 of 2 points"),
        (DOUBLE, "expect(f(1.0).bit_length() or f(3) == 6)", "the check asks raises on None for f"),
        (PAIR, f"y = f({RISING})\nexpect(isinstance(y, tuple) and as_array(y[0]).size)\ny[1].shape",
         "the check asks raises on None as part 2 for f: This check could not be completed"),
        (DOUBLE, f"y = as_array(f({RISING}))\nexpect(y.size == 3)\nexpect(y[2] == 10)",
         "the check asks raises on an array with another axis for f: This check could not be"),
        (DOUBLE, f"expect((f({RISING}) == [4, 6, 10]).all())",
         "f may change its arguments, and every check passes; call it with call_keeping_inputs(f"),
    ],
)  # fmt: skip
def test_what_a_check_accepts_or_raises_on_is_named(write, solution, body, problem: str) -> None:
    exercise = write(solution, body)
    found = [*sweep_problems(exercise)]
    assert any(line.startswith(problem) for line in found), found
    assert set(found) <= set(problems(exercise))


@pytest.mark.parametrize(
    ("solution", "body"),
    [
        (IS_LARGE, "expect([f(x) for x in (1, 5, 6, 2, 3, 7)] == [0, 1, 1, 0, 0, 1])"),
        (DOUBLE, f"expect(np.array_equal(call_keeping_inputs(f, {RISING}), [4, 6, 10]))"),
        (SORTED, "expect(f([2, 1]) == [1, 2])"),
        (DOUBLE, "f(1)\nraise CheckFailed('never right')"),
        (DOUBLE, "pass"),  # nothing is asked of it
        ("f = 6", "expect(f == 6)"),
        ("a = 1\n\n\ndef f(x):\n    return x + a", "expect(f(3) == 4 and a == 1)"),
        ("a = 1\nb = 2", "expect(a == 1 and b == 2)"),  # one of them may honestly be 1
        ("def f(x):\n    x.append(1)\n    return [1]", "x = []\nexpect(f(x) == [1] and x)"),
    ],
)
def test_an_honest_check_is_not(write, solution: str, body: str) -> None:
    assert [*sweep_problems(write(solution, body))] == []


def test_what_an_earlier_step_defines_is_not_asked_for_again(write) -> None:
    write("def one(x):\n    return x + 1", "expect(one(3) == 4)", "first", ', stand_in="math"')
    step = "def two(x):\n    return one(one(x))"
    body = "one = two.__globals__['one']\nexpect(all(two(x) == one(one(x)) for x in (3, 4)))"
    assert [*sweep_problems(write(step, body, "second", ', uses=["first"]'))] == []
