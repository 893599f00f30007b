"""Write `root`, the square root. It is graded, and one check is **hidden**."""

import numpy as np

from coursekit import check, exercise, expect_close

exercise(
    withhold=["math.isqrt"],
    title="A graded root </script>",
    hints=["What does `np.sqrt` do?"],
)


def root(number):
    """Return the square root of ``number``."""
    # BEGIN SOLUTION
    solution_of_graded_work = np.sqrt(number)
    return solution_of_graded_work
    # END SOLUTION


MISTAKES = r"""
halved: `solution_of_graded_work = np.sqrt(number)` → `wrong_answer_of_the_bank = number / 2`,
  `return solution_of_graded_work` → `return wrong_answer_of_the_bank`
    That is half of the number.
array: `np.sqrt(number)` → `np.sqrt(np.ravel(number)[0])`
    SECRET-EXPLANATION of the hidden check.
"""


@check(points=2)
def of_sixteen(root):
    """The root of 16"""
    expect_close(root(16.0), 4.0, what="root(16)")


@check(points=1)
def of_quarter(root):
    """The root of `0.25`"""
    expect_close(root(0.25), 0.5, what="root(0.25)")


@check(points=1, hidden=True)
def of_hidden_numbers(root, rng):
    """HIDDEN-TITLE"""
    hidden_numbers = rng.uniform(1, 2, 7)
    expect_close(root(hidden_numbers), np.sqrt(hidden_numbers))


ALSO_RIGHT = {
    "power": """
        def root(number):
            another_right_answer = number**0.5
            return another_right_answer
    """
}
