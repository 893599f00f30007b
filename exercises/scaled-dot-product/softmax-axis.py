"""A colleague wrote the code below. It looks right, and a test with a `(4, 4)` array of scores,
which checked the shape and that all weights together sum to 4, passed. Yet the weights of each
query over the keys are wrong. Find the mistake and repair it, for scores of any shape `(...,
num_queries, num_keys)`. Scores may be whole numbers, and those of one row may be thousands larger
than those of another. The scores must stay unchanged.
"""

import numpy as np

from attn import softmax as library_softmax
from coursekit import (
    as_array,
    call_keeping_inputs,
    call_with_whole_numbers,
    check,
    exercise,
    expect,
    expect_close,
)

exercise(
    title="Softmax over which axis?",
    withhold=["attn.softmax"],
    practice=True,
    hints=[
        "Which axis of `(..., num_queries, num_keys)` runs over the keys? Which number names that "
        "axis whether or not there are batches in front?",
        "`axis=0` is the queries without a batch, and the batch when there is one. Negative "
        "axes count from the end.",
        "Both the maximum and the sum run along `axis=-1`, each with `keepdims=True`.",
    ],
)


def weights_from_scores(scores):
    """Return weights of the same shape (..., num_queries, num_keys)."""
    # BEGIN SOLUTION
    # STARTER: exponentials = np.exp(scores - scores.max(axis=0, keepdims=True))
    # STARTER: return exponentials / exponentials.sum(axis=0, keepdims=True)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
    # END SOLUTION


MISTAKES = r"""
over-queries: ` - scores.max(axis=-1, keepdims=True)` → ``, `sum(axis=-1` → `sum(axis=-2`
    The *columns* sum to 1: the queries compete for each key. It should be the other way round: the
    keys compete for each query, so the rows sum to 1.
over-the-batch: (also over-queries, underflow) ` - scores.max(axis=-1, keepdims=True)` → ``,
  `sum(axis=-1, keepdims=True)` → `sum(axis=0)`
    The weights sum to 1 across the first axis, the batch, so sentences that have nothing to do with
    each other compete. The keys are the last axis.
axis-one: (also over-queries, underflow) ` - scores.max(axis=-1, keepdims=True)` → ``,
  `sum(axis=-` → `sum(axis=`
    `axis=1` is the keys for one sentence without a batch, but another axis as soon as axes stand in
    front. Count axes from the end.
all-at-once: `axis=-1, keepdims=True` → ``
    All weights of the array together sum to 1. Each query has a softmax of its own.
one-sum-a-matrix: (also all-at-once) `axis=-1` → `axis=(-2, -1)`
    The weights of all queries of a matrix sum to 1 together. Each query has a softmax of its own.
keepdims: `sum(axis=-1, keepdims=True)` → `sum(axis=-1)`
    The sum of row i was applied to column i. `keepdims=True` keeps each sum in line with its row.
half-repaired: `sum(axis=-1` → `sum(axis=0`
    The largest score is taken along the last axis, but the sum runs over axis 0. Both belong to the
    last axis.
transposed: (also underflow) `scores - scores.max(axis=-1, keepdims=True)` →
  `np.swapaxes(scores, -1, -2)`, `sum(axis=-1` → `sum(axis=-2`
    The weights are transposed. Rows are queries and columns are keys, before and after the softmax.
underflow: `max(axis=-1, keepdims=True)` → `max()`
    The weights contain NaN. A row that lies far below the others has exponentials of 0, and one far
    above has infinite ones, unless each row's own maximum is subtracted.
changes-arguments: `exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))` →
  `scores -= scores.max(axis=-1, keepdims=True); exponentials = np.exp(scores)`
cut-to-whole-numbers: `exponentials / exponentials.sum(axis=-1, keepdims=True)` →
  `(exponentials / exponentials.sum(axis=-1, keepdims=True)).astype(scores.dtype)`
or `keepdims=True))` → `keepdims=True)).astype(scores.dtype)`
no-softmax: `return` → `return scores;`
not-normalised: (also underflow) `return` → `return np.exp(scores);`
not-normalised-shifted: ` / exponentials.sum(axis=-1, keepdims=True)` → ``
one-more-in-the-sum: `.sum(` → `.sum(initial=1, `
softmax-twice: `return` →
  `exponentials = np.exp(exponentials / exponentials.sum(axis=-1, keepdims=True)); return`
sum-normalised: `return` → `return scores / scores.sum(axis=-1, keepdims=True);`
base-two: `np.exp(` → `np.exp2(`
hard: `return` → `return (scores == scores.max(axis=-1, keepdims=True)) * 1.0;`
uniform: `return` → `return np.full(scores.shape, 1 / scores.shape[-1]);`
"""


@check(points=1)
def two_queries_three_keys(weights_from_scores):
    """Two queries, three keys: scores (2, 3)"""
    _compare(weights_from_scores, np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))


@check(points=1)
def a_batch(weights_from_scores):
    """Two sentences, three queries, five keys: scores (2, 3, 5)"""
    _compare(weights_from_scores, np.sin(np.arange(30.0)).reshape(2, 3, 5))


@check(points=1)
def rows_far_apart(weights_from_scores):
    """Whole numbers, in one row thousands larger than in another"""
    scores = np.array([[3, 1, 0], [-5000, -5001, -5003]])
    weights = as_array(call_keeping_inputs(weights_from_scores, scores), "the weights")
    message = f"The weights of {scores.tolist()} have NaN or infinity."
    expect(np.isfinite(weights).all(), message, "underflow")
    what = f"weights_from_scores({scores.tolist()})"
    call_with_whole_numbers(weights_from_scores, scores, right=library_softmax(scores), what=what)
    _compare(weights_from_scores, scores)


def _compare(weights_from_scores, scores):
    what = f"weights_from_scores(scores of shape {scores.shape})"
    seen = as_array(call_keeping_inputs(weights_from_scores, scores), what)
    right = library_softmax(scores)
    is_turned = seen.shape != scores.shape and seen.shape == np.swapaxes(right, -1, -2).shape
    expect(not is_turned, f"The shape became {seen.shape}.", "transposed")
    expect_close(seen, right, what=what)


@check(points=1, hidden=True)
def square_and_deep(weights_from_scores, rng):
    """A square array, and one with batch and heads"""
    _compare(weights_from_scores, rng.normal(size=(5, 5)))
    _compare(weights_from_scores, rng.normal(size=(2, 3, 5, 7)))


ALSO_RIGHT = {
    "by logarithms": """
        def weights_from_scores(scores):
            return np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    """,
    "transposed twice": """
        def weights_from_scores(scores):
            keys_first = np.moveaxis(scores, -1, 0)
            keys_first = np.exp(keys_first - keys_first.max(axis=0))
            return np.moveaxis(keys_first / keys_first.sum(axis=0), 0, -1)
    """,
}
