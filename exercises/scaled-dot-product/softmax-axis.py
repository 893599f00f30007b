"""A colleague wrote the code below. It looks right, and it passed a test with a `(4, 4)` array of
scores, which checked the shape and that all weights together sum to 4. Yet each query's weights
over the keys are wrong. Find the mistake and fix it for scores of any shape `(..., num_queries,
num_keys)`. Scores may be whole numbers, and those of one row may be thousands larger than those of
another. The scores must stay unchanged.
"""

import numpy as np

from attn import softmax as library_softmax
from attnlab import mistakes
from coursekit import (
    as_array,
    call_keeping_inputs,
    call_with_whole_numbers,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
    shared_mistakes,
)

exercise(
    id="softmax-axis",
    chapter="scaled-dot-product",
    title="Softmax over which axis?",
    withhold=["attn.softmax"],
    practice=True,
    hints=[
        "Which axis of `(..., num_queries, num_keys)` runs over the keys? Which number names that "
        "axis whether or not there are batch axes in front?",
        "`axis=0` is the query axis without a batch, and the batch axis with one. Negative axes "
        "count from the end.",
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
    what = f"The weights of {scores.tolist()} contain NaN or infinity."
    expect(np.isfinite(weights).all(), what, "underflow")
    what = f"weights_from_scores({scores.tolist()})"
    call_with_whole_numbers(weights_from_scores, scores, right=library_softmax(scores), what=what)
    _compare(weights_from_scores, scores)


def _compare(weights_from_scores, scores):
    what = f"weights_from_scores(scores of shape {scores.shape})"
    seen = call_keeping_inputs(weights_from_scores, scores)
    expect_close(expect_shape(seen, scores.shape, what=what), library_softmax(scores), what=what)


@check(points=1, hidden=True)
def square_and_deep(weights_from_scores, rng):
    """A square array, and one with batch and heads"""
    _compare(weights_from_scores, rng.normal(size=(5, 5)))
    _compare(weights_from_scores, rng.normal(size=(2, 3, 5, 7)))


shared_mistakes(mistakes.EXPLANATIONS, weights_from_scores=mistakes.of_softmax)
_SHARES = "np.exp(scores - scores.max(axis=-1, keepdims=True))"
mistake(
    "over-queries",
    "The *columns* sum to 1: the queries compete for each key. It should be the other way round: "
    "the keys compete for each query, so the rows sum to 1.",
    {"axis=-1": "axis=-2"},
)
mistake(
    "over-the-batch",
    "The weights sum to 1 across the first axis, the batch, so sentences that have nothing to do "
    "with each other compete. The keys are the last axis.",
    {"axis=-1": "axis=0 if scores.ndim > 2 else -1"},
)
mistake(
    "axis-one",
    "`axis=1` is the key axis for one sentence without a batch, but a different axis with axes in "
    "front. Count axes from the end.",
    {"axis=-1": "axis=1 if scores.ndim > 3 else -1"},
)
mistake(
    "all-at-once",
    "All weights of the array together sum to 1. Each query has its own softmax.",
    {"axis=-1, keepdims=True": ""},
)
mistake(
    "one-sum-a-matrix",
    "The weights of all queries of a matrix together sum to 1. Each query has its own softmax.",
    {"axis=-1": "axis=(-2, -1) if scores.ndim > 2 else -1"},
)
mistake(
    "keepdims",
    "The sum of row i was applied to column i. `keepdims=True` keeps each sum in line with its "
    "row.",
    {".sum(axis=-1, keepdims=True)": ".sum(axis=-1)"},
)
mistake(
    "half-repaired",
    "The largest score is taken along the last axis, but the sum runs over axis 0. Both belong to "
    "the last axis.",
    {".sum(axis=-1": ".sum(axis=0"},
)
mistake(
    "transposed",
    "The weights are transposed. Rows are queries and columns are keys, before and after the "
    "softmax.",
    {
        "exponentials =": "scores = np.swapaxes(scores, -1, -2)\n    exponentials =",
        "axis=-1": "axis=-2",
    },
)
mistake(
    "underflow",
    "The weights contain NaN. A row that lies far below the others has exponentials of 0, and one "
    "far above has infinite ones, unless each row's own maximum is subtracted.",
    {"max(axis=-1, keepdims=True)": "max()"},
    {" - scores.max(axis=-1, keepdims=True)": ""},
)
mistake(
    "changes-arguments",
    "",
    {"exponentials = ": "scores -= scores.max(axis=-1, keepdims=True)\n    exponentials = "},
)
mistake(
    "cut-to-whole-numbers",
    "",
    {_SHARES: f"{_SHARES}.astype(scores.dtype)"},
    """
    weights = np.empty_like(scores)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights[...] = shares / shares.sum(axis=-1, keepdims=True)
    return weights
    """,
)

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
