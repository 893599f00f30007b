"""Eight keys arrive in blocks of two. Set their scores so that the sums so far are rescaled
**exactly once**: when the third block arrives, by a factor of $e^{-3} \\approx 0.050$. At the
second and the fourth block the factor is 1. (At the first block there is nothing to rescale.)

Type the scores below the table and step through the blocks. Then press *Use as answer*, or write
the eight numbers yourself; 0.049 to 0.051 counts.
"""

import numpy as np

from coursekit import as_array, check, exercise, expect

exercise(
    title="Rescale once",
    version=2,
    explorable="OnlineSoftmax",
    binds={"scores": "scores"},
    hints=[
        "The factor is $e^{m - m'}$: the largest score before the block, minus the largest score "
        "so far with it. When is it 1?",
        "It is 1 where a block brings no score above the largest so far. For $e^{-3}$ the third "
        "block has to bring a score 3 above all those before.",
        "Keep 2 as the largest score of the first two blocks. Which score does the third need? And "
        "what may the fourth not exceed?",
    ],
)

# The line that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: scores = [2.0, 1.0, 0.0, 1.0, 1.0, -1.0, 3.0, 2.0]
scores = [2.0, 1.0, 0.0, 1.0, 5.0, -1.0, 3.0, 2.0]
# END SOLUTION


MISTAKES = r"""
block-below: `5.0` → `-1.0`, `3.0` → `0.0`
or (also rescaled-later) `5.0` → `1.0`
or (also rescaled-later) `5.0` → `1.0`, `3.0` → `5.0`
    The third block's largest score is lower than what came before. Then the largest score so far
    stays, and nothing is rescaled. The factor falls below 1 only where the largest score grows.
own-maximum: `5.0` → `4.0`
    The third block's largest score is 3 above that of the *second* block. What counts is the
    largest score of all blocks so far.
rescaled-later: `3.0` → `6.0`
    The fourth block has a score above all earlier ones, so the sums are rescaled again. Nothing
    after the third block may be larger.
rescaled-earlier: `2.0, 1.0, 0.0` → `0.0, 1.0, 2.0`
    The second block has a score above those of the first, so the sums are rescaled there as well.
not-by-three: `5.0, -1.0, 3.0, 2.0` → `2.05, 0.0, 0.0, 0.0` or `3.0, 0.0, 0.0, 0.0`
    The third block raises the largest score, but not by 3.
not-eight-numbers: `5.0, -1.0, 3.0, 2.0` → `5.0`
    There are eight keys: scores needs eight finite numbers.
"""


def _largest(scores):
    seen = as_array(scores, "scores")
    eight = f"scores has shape {seen.shape}; expected eight numbers."
    expect(seen.shape == (8,), eight, "not-eight-numbers")
    expect(np.isfinite(seen).all(), "scores has NaN or infinity.", "not-eight-numbers")
    return seen.astype(float).reshape(4, 2).max(axis=1)


@check(points=1)
def third_block_rescales(scores):
    """The third block rescales the sums by exp(−3)"""
    first, second, third, _ = _largest(scores)
    before = max(first, second)
    factor = float(np.exp(before - max(before, third)))
    mistake = "not-by-three"
    if abs(third - second - 3) < 0.02:
        mistake = "own-maximum"
    elif third <= before:
        mistake = "block-below"
    message = f"At the third block the factor is {factor:.3f}; expected 0.050."
    expect(0.049 <= factor <= 0.051, message, mistake)


@check(points=1)
def no_other_block_rescales(scores):
    """The third block rescales them, and no other does"""
    first, second, third, fourth = _largest(scores)
    if second > first:
        factor = float(np.exp(first - second))
        expect(
            False,
            f"At the second block the factor is {factor:.3f}; expected 1.",
            "rescaled-earlier",
        )
    raised = third - max(first, second)
    message = f"The third block raises the largest score by {max(raised, 0):.3g}; expected 3."
    expect(raised > 1, message, "not-by-three" if raised > 0 else "block-below")
    before = max(first, second, third)
    factor = float(np.exp(before - max(before, fourth)))
    message = f"At the fourth block the factor is {factor:.3f}; expected 1."
    expect(factor == 1, message, "rescaled-later")


ALSO_RIGHT = {
    "all below zero": "scores = [-4, -9, -4, -8, -1, -2, -1, -3]",
    "in the block's second place": "scores = (0.0, 1.5, 1.5, 1.5, 0.0, 4.5, 4.5, 4.4)",
}
