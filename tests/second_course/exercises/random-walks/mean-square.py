"""Write `mean_square`: of `positions`, shape `(num_walks, num_steps + 1)`, the mean of the squared
positions over all walks, one number for each step. `walks.positions` makes walks to try it with.
"""

import numpy as np
import walks

from coursekit import check, exercise, expect_close, expect_shape

exercise(
    title="The mean square, in code",
    withhold=["walks.mean_square"],
    hints=[
        "Which axis has the walks, and which has the steps?",
        "`positions**2` squares every number; `mean(axis=…)` averages over one axis.",
        "The walks are the first axis: `axis=0`.",
    ],
)


def mean_square(positions):
    """Return the mean of the squares over all walks, shape (num_steps + 1,)."""
    # BEGIN SOLUTION
    return (positions**2).mean(axis=0)
    # END SOLUTION


MISTAKES = r"""
square-of-mean: `(positions**2).mean(axis=0)` → `positions.mean(axis=0) ** 2`
    The mean was taken first and squared then. Steps to the left and to the right cancel in the
    mean; square every position before you average.
over-steps: `(positions**2).mean(axis=0)` → `(positions**2).mean(axis=1)`
    These are means over the steps of each walk. The question asks for a mean over walks: one number
    for each step.
root: `(positions**2).mean(axis=0)` → `np.sqrt((positions**2).mean(axis=0))`
    That is the root of the mean square. The mean of the squares itself is asked for.
sum: `(positions**2).mean(axis=0)` → `(positions**2).sum(axis=0)`
    The squares were summed. Divide by the number of walks.
absolute: `(positions**2).mean(axis=0)` → `abs(positions).mean(axis=0)`
    That is the mean distance. It is smaller than the mean square, and does not grow evenly.
one-number: `(positions**2).mean(axis=0)` → `(positions**2).mean()`
    One number for all steps together hides how the distance grows. Average over the walks only.
"""


POSITIONS = np.array([[0, 1, 2, 3, 4], [0, -1, 0, 1, 2], [0, 1, 0, -1, 0]])


@check(points=2)
def three_walks(mean_square):
    """Three walks of four steps"""
    answer = mean_square(POSITIONS)
    expect_shape(answer, (5,), what="mean_square(positions)")
    expect_close(answer, np.square(POSITIONS).mean(axis=0))


@check(points=1, hidden=True)
def many_walks(mean_square, rng):
    """Seven walks of ten steps"""
    positions = walks.positions(7, 10, rng)
    answer = mean_square(positions)
    expect_shape(answer, (11,), what="mean_square(positions)")
    expect_close(answer, np.square(positions).mean(axis=0))


ALSO_RIGHT = {
    "einsum": """
        def mean_square(positions):
            return np.einsum("ws,ws->s", positions, positions) / len(positions)
    """,
    "a loop": """
        def mean_square(positions):
            total = np.zeros(positions.shape[1])
            for walk in positions:
                total = total + walk * walk
            return total / len(positions)
    """,
}
