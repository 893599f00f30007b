"""A colleague wrote the starter below. It looks right, its weights sum to 1, and a test with a
`(4, 4)` array of scores passed. Yet each *query* is a row, and its weights over the keys have to
sum to 1. Repair it, for scores of any shape `(..., num_queries, num_keys)`.
"""

import numpy as np

from coursekit import as_array, check, exercise, expect, expect_close, wrong

exercise(
    id="softmax-axis",
    chapter="scaled-dot-product",
    title="Softmax over which axis?",
    withhold=["attn.softmax"],
    practice=True,
    hints=[
        "Which axis of `(..., num_queries, num_keys)` runs over the keys? Which number names that "
        "axis whether or not there are batches in front?",
        "`axis=0` is the queries when there is no batch, and the batch when there is one. Negative "
        "axes count from the end.",
        "Both the maximum and the sum run along `axis=-1`, each with `keepdims=True`.",
    ],
    misconceptions={
        "over-queries": "Your *columns* sum to 1: the queries compete for each key. It should be "
        "the other way round: the keys compete for each query, so rows sum to 1.",
        "over-the-batch": "Your weights sum to 1 across the batch, so sentences that have nothing "
        "to do with each other compete. Count axes from the end: the keys are the last.",
        "axis-one": "`axis=1` is the keys for one sentence, but the queries as soon as a batch "
        "axis stands in front. Count axes from the end.",
        "all-at-once": "All weights together sum to 1. Each query has a softmax of its own.",
        "keepdims": "The sums belong to rows but were applied to columns. `keepdims=True` keeps "
        "them lined up.",
        "transposed": "The weights were turned on their side. Rows are queries and columns are "
        "keys, before and after the softmax.",
    },
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


def _compare(weights_from_scores, scores):
    plain = np.exp(scores)
    seen = as_array(weights_from_scores(scores.copy()), "weights_from_scores(scores)")
    sums = plain.sum(axis=-1, keepdims=True)
    flipped = np.swapaxes(plain / sums, -1, -2)
    expect(seen.shape != flipped.shape, f"The shape became {seen.shape}.", "transposed")
    mistakes = {"over-queries": plain / plain.sum(axis=-2, keepdims=True)}
    if scores.ndim == 3:
        mistakes["over-the-batch"] = plain / plain.sum(axis=0)
    expect_close(
        seen,
        plain / sums,
        what=f"weights_from_scores(scores of shape {scores.shape})",
        mistakes={**mistakes, "all-at-once": plain / plain.sum()},
    )


@check(points=1, hidden=True)
def square_and_deep(weights_from_scores, rng):
    """A square array, and one with batch and heads"""
    square = rng.normal(size=(4, 4))
    plain = np.exp(square)
    expect_close(
        weights_from_scores(square),
        plain / plain.sum(axis=-1, keepdims=True),
        what="weights_from_scores(scores of shape (4, 4))",
        mistakes={
            "over-queries": plain / plain.sum(axis=0),
            "keepdims": plain / plain.sum(axis=-1),
            "transposed": (plain / plain.sum(axis=-1, keepdims=True)).T,
        },
    )
    deep = rng.normal(size=(2, 3, 5, 7))
    plain = np.exp(deep)
    expect_close(
        weights_from_scores(deep),
        plain / plain.sum(axis=-1, keepdims=True),
        what="weights_from_scores(scores of shape (2, 3, 5, 7))",
        mistakes={
            "over-the-batch": plain / plain.sum(axis=0),
            "axis-one": plain / plain.sum(axis=1, keepdims=True),
        },
    )


WRONG = {
    "the starter's axis": wrong(
        """
        def weights_from_scores(scores):
            exponentials = np.exp(scores)
            return exponentials / exponentials.sum(axis=0)
        """,
        rejected_by=["two_queries_three_keys", "a_batch", "square_and_deep"],
        misconception="over-the-batch",
    ),
    "the last axis but one": wrong(
        """
        def weights_from_scores(scores):
            exponentials = np.exp(scores)
            return exponentials / exponentials.sum(axis=-2, keepdims=True)
        """,
        rejected_by=["two_queries_three_keys", "a_batch", "square_and_deep"],
        misconception="over-queries",
    ),
    "axis=1": wrong(
        """
        def weights_from_scores(scores):
            exponentials = np.exp(scores)
            return exponentials / exponentials.sum(axis=1, keepdims=True)
        """,
        rejected_by=["a_batch", "square_and_deep"],
        misconception="axis-one",
    ),
    "no axis": wrong(
        """
        def weights_from_scores(scores):
            exponentials = np.exp(scores - scores.max())
            return exponentials / exponentials.sum()
        """,
        rejected_by=["two_queries_three_keys", "a_batch", "square_and_deep"],
        misconception="all-at-once",
    ),
    "keepdims forgotten": wrong(
        """
        def weights_from_scores(scores):
            exponentials = np.exp(scores)
            return exponentials / exponentials.sum(axis=-1)
        """,
        rejected_by=["two_queries_three_keys", "a_batch", "square_and_deep"],
        misconception="keepdims",
    ),
    "transposed first": wrong(
        """
        def weights_from_scores(scores):
            exponentials = np.exp(np.swapaxes(scores, -1, -2))
            return exponentials / exponentials.sum(axis=-2, keepdims=True)
        """,
        rejected_by=["two_queries_three_keys", "a_batch", "square_and_deep"],
        misconception="transposed",
    ),
}

ALSO_RIGHT = {
    "by logarithms": """
        def weights_from_scores(scores):
            return np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    """,
    "transposed twice": """
        def weights_from_scores(scores):
            keys_first = np.moveaxis(np.exp(scores), -1, 0)
            return np.moveaxis(keys_first / keys_first.sum(axis=0), 0, -1)
    """,
}
