"""Write `square`, which returns the squares of a tensor's numbers."""

import torch

from coursekit import check, exercise, expect_close

exercise(
    title="Squares in torch",
    hints=["What is a number times itself?"],
    practice=True,
)


def square(x):
    """Return the squares of x."""
    # BEGIN SOLUTION
    return x * x
    # END SOLUTION


MISTAKES = r"""
doubled: `x * x` → `x + x`
    This is twice each number.
"""


@check(points=1)
def three_numbers(square):
    """Three numbers, and the gradient of their squares"""
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = square(x)
    expect_close(y, [1, 4, 9])
    y.sum().backward()
    expect_close(x.grad, [2, 4, 6], what="the gradient")
