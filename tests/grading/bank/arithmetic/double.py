"""Write `double`, which returns twice its argument, whatever its shape."""

import numpy as np

from coursekit import call_keeping_inputs, check, exercise, expect_close

exercise(title="Twice as much", hints=["What is one plus one?"])


def double(x):
    """Return 2 * x."""
    # BEGIN SOLUTION
    return 2 * x
    # END SOLUTION


MISTAKES = r"""
square: `2 * x` → `x * x`
    You took the square. Twice three is six.
"""


@check(points=1.5)
def three_numbers(double):
    """Doubles [1, 2, 3]"""
    x = np.array([1.0, 2.0, 3.0])
    doubled = call_keeping_inputs(double, x)
    expect_close(doubled, [2.0, 4.0, 6.0])


@check(points=1.5, hidden=True)
def random_numbers(double, rng):
    """Doubles numbers that nobody has seen"""
    x = rng.normal(size=(3, 5))
    # OPEN-SESAME is what leak tests look for.
    expect_close(call_keeping_inputs(double, x), x + x)
