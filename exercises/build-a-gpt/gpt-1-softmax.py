"""Every head of the model turns its scores into weights, and the last layer turns its logits into
probabilities. Both times it is the same function.

Write `softmax(scores)` over the **last** axis, for any number of axes. It must not overflow when
scores are large or far apart, and a score of `-inf` must get the weight 0. Every row has at least
one score that is not `-inf`. Leave `scores` unchanged.
"""

import numpy as np

from attnlab.gpt import softmax as library_softmax
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_same,
    expect_shape,
)

exercise(
    title="Step 1: softmax",
    withhold=["attn.softmax", "attnlab.gpt.softmax"],
    stand_in="attnlab.gpt",
    hints=[
        "Which number can you subtract from all scores of a row without changing its weights, so "
        "that `np.exp` never sees a large one?",
        "`scores.max(axis=-1, keepdims=True)` keeps the axis, so that it broadcasts.",
        "`exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))`, divided by their "
        "own sum along the same axis.",
    ],
)


def softmax(scores):
    """Return weights of the same shape; along the last axis they sum to 1."""
    # BEGIN SOLUTION
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
    # END SOLUTION


MISTAKES = r"""
overflow: ` - scores.max(axis=-1, keepdims=True)` → ``
    The exponential of a large score is infinite, that of a very small one is 0, and their quotients
    are NaN. Subtract the largest score of each row first.
one-maximum: `max(axis=-1, keepdims=True)` → `max()`
    A row far below the others got no weights: the largest score of the whole array was subtracted
    from it. Each row needs its own largest score.
largest-size: `scores.max(` → `np.abs(scores).max(`
    Where all scores of a row are far below 0, it got no weights: the largest score without its sign
    was subtracted. Subtract the largest score itself.
cut-off: `scores - scores.max(axis=-1, keepdims=True)` → `np.clip(scores, -500, 500)`
    Scores that differ got the same weights here, as if they had been cut off at some number.
    Subtracting the largest of a row keeps their differences.
down-the-columns: `axis=-1` → `axis=-2`
    The weights sum to 1 down the columns. Each row belongs to one query and has to sum to 1: use
    the last axis.
first-axis: (also down-the-columns) `axis=-1` → `axis=0`
    The weights sum to 1 along the first axis, which here counts the heads. Count from the end:
    `axis=-1`.
hidden-as-zero: `np.exp(scores - ` → `np.exp(np.where(np.isinf(scores), 0, scores) - `
    A score of -inf was replaced by 0, and e^0 = 1 is a large weight. `np.exp(-np.inf)` is 0 as it
    should be: leave it.
all-at-once: `axis=-1, keepdims=True` → ``
    All weights of the array together sum to 1. Each row needs its own sum.
not-normalised-shifted: ` / exponentials.sum(axis=-1, keepdims=True)` → ``
hard: `def softmax(scores): return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]`
base-two: `np.exp(` → `np.exp2(`
no-softmax: `def softmax(scores): return scores`
not-normalised: (also overflow) `def softmax(scores): return np.exp(scores)`
one-more-in-the-sum: `.sum(` → `.sum(initial=1, `
softmax-twice: `return` →
  `exponentials = np.exp(exponentials / exponentials.sum(axis=-1, keepdims=True)); return`
sum-normalised: `def softmax(scores): return scores / scores.sum(axis=-1, keepdims=True)`
uniform: (also cut-off) `def softmax(scores): return np.full(scores.shape, 1 / scores.shape[-1])`
"""


SCORES = np.array([[0.5, -1.0, 2.0, 0.0, 1.5], [1.0, 0.2, -0.7, 0.3, 0.9], [-2.0, 0, 1, 3, 0.4]])


@check(points=1)
def three_rows(softmax):
    """Three rows of five scores"""
    expect_same(softmax, library_softmax, SCORES, what="softmax(scores)")


@check(points=1)
def heads_of_rows(softmax):
    """Two heads with three rows each: the last axis counts"""
    scores = np.stack([SCORES, SCORES[::-1] * 0.7])
    expect_same(softmax, library_softmax, scores, what="softmax(scores) of shape (2, 3, 5)")


@check(points=1)
def far_apart(softmax):
    """Scores of 1000, and rows that lie far apart"""
    scores = np.array([[1000.0, 999.0, 998.5], [-1000.0, -1001.0, -1003.0]])
    weights = expect_shape(call_keeping_inputs(softmax, scores), (2, 3), what="softmax(scores)")
    message = f"softmax({scores.tolist()}) is {weights.tolist()}."
    first = np.allclose(weights[0], library_softmax(scores[0]))
    if first and np.isnan(weights[1]).all():
        alone = np.isfinite(as_array(softmax(scores[1:]), "softmax(scores)")).all()
        expect(False, message, "one-maximum" if alone else "largest-size")
    expect(np.isfinite(weights).all(), message, "overflow")
    expect_close(weights, library_softmax(scores), what=f"softmax({scores.tolist()})")


@check(points=1)
def hidden_keys(softmax):
    """A score of -inf has the weight 0"""
    scores = np.array([[1.0, -np.inf, 0.0], [0.5, -np.inf, -np.inf]])
    what = "softmax([[1, -inf, 0], [0.5, -inf, -inf]])"
    expect_same(softmax, library_softmax, scores, what=what)


@check(points=1, hidden=True)
def other_scores(softmax, rng):
    """Other sizes and other scores"""
    scores = rng.normal(size=(3, 7, 11))
    expect_same(softmax, library_softmax, scores, what="softmax(scores) of shape (3, 7, 11)")


ALSO_RIGHT = {
    "through the logarithm of the sum": """
        def softmax(scores):
            shifted = scores - np.max(scores, axis=-1, keepdims=True)
            return np.exp(shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True)))
    """,
    "a loop over rows": """
        def softmax(scores):
            rows = np.asarray(scores, float).reshape(-1, scores.shape[-1])
            weights = np.array([np.exp(r - r.max()) / np.exp(r - r.max()).sum() for r in rows])
            return weights.reshape(scores.shape)
    """,
}
