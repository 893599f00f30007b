"""`np.exp(800)` is infinite, and infinite divided by infinite is `nan`. Scores of 800 do occur.

Write a `softmax` over the **last** axis that never overflows. A score of `-inf` means "not at
all": its weight is exactly 0. A row that holds nothing but `-inf` has nobody to attend to: all its
weights are 0, and none is `nan`.
"""

import numpy as np

from attn import softmax as library_softmax
from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="stable-softmax",
    chapter="scaled-dot-product",
    title="A softmax that never overflows",
    withhold=["attn.softmax"],
    hints=[
        "What happens to $e^{s_j} / \\sum_l e^{s_l}$ when 1000 is subtracted from every score?",
        "Subtract the largest score of each row before `np.exp`. `scores.max(axis=-1, "
        "keepdims=True)` has the shape that broadcasts.",
        "In a row of `-inf` the largest score is `-inf`, and `-inf - (-inf)` is `nan`. Subtract 0 "
        "there instead (`np.where`), and divide by 1 where the sum is 0.",
    ],
    misconceptions={
        "overflow": "exp of a large score is infinite, and infinite divided by infinite is NaN. "
        "Softmax does not change when the same number is subtracted from a whole row: which number "
        "makes every exponential at most 1?",
        "wrong-axis": "Your weights sum to 1 down the columns. Each *row* belongs to one query and "
        "has to sum to 1: that is the last axis.",
        "all-at-once": "All weights together sum to 1, so each row got only a share. Each row is a "
        "softmax of its own, with a sum of its own.",
        "keepdims": "The sums were taken along the right axis, but they were applied along the "
        "wrong one. `keepdims=True` keeps them lined up with their rows.",
        "one-maximum": "One row is far below another, and its exponentials all became 0. The "
        "maximum of *each row* has to be subtracted from that row; one maximum for the whole "
        "array is not enough.",
        "clipped": "Two scores that differ got the same weight, or the wrong one. Clipping "
        "changes the differences between scores; subtracting the maximum keeps them.",
        "no-exponential": "The scores were divided by their sum. Scores can be negative or sum to "
        "zero; softmax takes exponentials first, and those are always positive.",
        "masked-row": "A row of -inf gave NaN. There the maximum is -inf, and -inf minus -inf is "
        "not a number; decide separately what such a row gets.",
        "uniform-row": "A row of -inf got weights although nothing in it may be attended to. All "
        "its weights should be 0.",
        "base": "The weights are positive and sum to 1, but they are not softmax weights. Softmax "
        "raises e to the power of the scores.",
    },
)


def softmax(scores):
    """Return weights of the same shape; each row sums to 1, or is 0."""
    # BEGIN SOLUTION
    largest = scores.max(axis=-1, keepdims=True)
    largest = np.where(np.isneginf(largest), 0.0, largest)
    exponentials = np.exp(scores - largest)
    total = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(total == 0, 1.0, total)
    # END SOLUTION


@check(points=1)
def three_by_five(softmax):
    """Three rows of five scores: each row sums to 1"""
    weights = _weights(SCORES)
    plain = np.exp(SCORES)
    columns = plain / plain.sum(axis=0)
    expect_close(
        softmax(SCORES.copy()),
        weights,
        what="softmax(scores)",
        mistakes={
            "wrong-axis": columns,
            "all-at-once": plain / plain.sum(),
            "no-exponential": SCORES / SCORES.sum(axis=-1, keepdims=True),
            "base": 2.0**SCORES / (2.0**SCORES).sum(axis=-1, keepdims=True),
        },
    )


@check(points=1)
def four_by_four(softmax):
    """A square array, in which a mixed-up axis hides"""
    square = np.array([[0.0, 1, 2, 3], [1, 0, 0, 0], [2, 2, 0, 1], [0, 0, 3, 0]])
    plain, stable = np.exp(square), np.exp(square - square.max(axis=-1, keepdims=True))
    expect_close(
        softmax(square.copy()),
        _weights(square),
        what="softmax(scores) of a 4 × 4 array",
        mistakes={
            "wrong-axis": plain / plain.sum(axis=0),
            "keepdims": stable / stable.sum(axis=-1),
            "all-at-once": plain / plain.sum(),
            "no-exponential": square / square.sum(axis=-1, keepdims=True),
        },
    )


@check(points=1)
def large_scores(softmax):
    """Scores of 10,000, and rows that lie far apart"""
    given = softmax(np.array([[10_000.0, 9_999.0, 0.0]]))
    seen = expect_shape(given, (1, 3), what="softmax([10000, 9999, 0])")
    expect(np.isfinite(seen).all(), f"softmax([10000, 9999, 0]) is {seen}.", "overflow")
    expect_close(
        seen,
        [[0.731058579, 0.268941421, 0.0]],
        what="softmax([10000, 9999, 0])",
        mistakes={"clipped": [[0.5, 0.5, 0.0]]},
    )
    apart = np.array([[0.0, 1.0, 2.0], [-5_000.0, -5_001.0, -5_000.0]])
    expect_close(softmax(apart), _weights(apart), what="softmax(scores)")


@check(points=1)
def shift(softmax):
    """Adding one number to all scores changes nothing"""
    for number in (-750.0, 3.5, 800.0):
        what = f"softmax(scores + ({number:g}))"
        seen = expect_shape(softmax(SCORES + number), SCORES.shape, what=what)
        expect(np.isfinite(seen).all(), f"{what} contains NaN or infinity.", "overflow")
        moved = SCORES + number
        expect_close(
            seen,
            _weights(SCORES),
            what=what,
            mistakes={"no-exponential": moved / moved.sum(axis=-1, keepdims=True)},
        )


@check(points=1)
def minus_infinity(softmax):
    """A score of -inf has weight 0; a row of -inf has only zeros"""
    hidden = np.array([[0.0, -np.inf, 0.0], [-np.inf, -np.inf, -np.inf]])
    seen = expect_shape(softmax(hidden), (2, 3), what="softmax(scores)")
    expect_close(seen[0], [0.5, 0.0, 0.5], what="softmax([0, -inf, 0])")
    expect(not np.isnan(seen[1]).any(), "softmax([-inf, -inf, -inf]) is NaN.", "masked-row")
    expect_close(seen[1], [0.0, 0.0, 0.0], what="softmax([-inf, -inf, -inf])")


SCORES = np.array(
    [[1.0, 0.0, -1.0, 2.0, 0.5], [1.0, 1.0, 1.0, 1.0, 1.0], [3.0, -2.0, 0.3, 0.0, 1.0]]
)


def _weights(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@check(points=1, hidden=True)
def with_batches(softmax, rng):
    """Works with leading axes, such as batch and heads, and hidden keys among them"""
    scores = rng.normal(size=(2, 3, 5, 7))
    plain = np.exp(scores)
    hidden = np.where(rng.random(scores.shape) < 0.5, -np.inf, scores)
    hidden[1, 0, 2] = hidden[0, 2] = -np.inf
    expect_close(
        softmax(hidden),
        library_softmax(hidden),
        what="softmax of an array of shape (2, 3, 5, 7) with many scores of -inf",
    )
    expect_close(
        softmax(scores),
        library_softmax(scores),
        what="softmax of an array of shape (2, 3, 5, 7)",
        mistakes={
            "wrong-axis": plain / plain.sum(axis=-2, keepdims=True),
            "all-at-once": plain / plain.sum(),
        },
    )


WRONG = {
    "the textbook formula": wrong(
        """
        def softmax(scores):
            exponentials = np.exp(scores)
            return exponentials / exponentials.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["large_scores", "shift", "minus_infinity"],
        misconception="overflow",
    ),
    "one maximum for all rows": wrong(
        """
        def softmax(scores):
            exponentials = np.exp(scores - scores.max())
            return exponentials / exponentials.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["large_scores", "minus_infinity"],
        misconception="one-maximum",
    ),
    "down the columns": wrong(
        replace={
            "scores.max(axis=-1, keepdims=True)": "scores.max(axis=0, keepdims=True)",
            "exponentials.sum(axis=-1, keepdims=True)": "exponentials.sum(axis=0, keepdims=True)",
        },
        rejected_by=["three_by_five", "four_by_four", "with_batches"],
        misconception="wrong-axis",
    ),
    "one sum for everything": wrong(
        """
        def softmax(scores):
            exponentials = np.exp(scores - scores.max())
            return exponentials / exponentials.sum()
        """,
        rejected_by=["three_by_five", "four_by_four", "with_batches"],
        misconception="all-at-once",
    ),
    "keepdims forgotten": wrong(
        replace={"exponentials.sum(axis=-1, keepdims=True)": "exponentials.sum(axis=-1)"},
        rejected_by=["three_by_five", "four_by_four"],
        misconception="keepdims",
    ),
    "clips the scores": wrong(
        """
        def softmax(scores):
            exponentials = np.exp(np.clip(scores, -50, 50))
            return exponentials / exponentials.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["large_scores", "shift", "minus_infinity"],
        misconception="clipped",
    ),
    "a row of -inf is forgotten": wrong(
        replace={
            "largest = np.where(np.isneginf(largest), 0.0, largest)": "largest = largest + 0.0"
        },
        rejected_by=["minus_infinity"],
        misconception="masked-row",
    ),
    "a row of -inf is shared out": wrong(
        """
        def softmax(scores):
            scores = np.where(np.isneginf(scores), -1e9, scores)
            exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return exponentials / exponentials.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["minus_infinity"],
        misconception="uniform-row",
    ),
    "no exponential": wrong(
        """
        def softmax(scores):
            return scores / scores.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["three_by_five", "four_by_four", "shift"],
        misconception="no-exponential",
    ),
    "powers of two": wrong(
        replace={"np.exp(scores - largest)": "np.exp2(scores - largest)"},
        rejected_by=["three_by_five", "four_by_four", "large_scores", "shift", "with_batches"],
        misconception="base",
    ),
}

ALSO_RIGHT = {
    "by logarithms": """
        def softmax(scores):
            total = np.logaddexp.reduce(scores, axis=-1, keepdims=True)
            return np.exp(scores - np.where(np.isneginf(total), 0, total))
    """,
    "row by row": """
        def softmax(scores):
            rows = np.array(scores, dtype=float).reshape(-1, scores.shape[-1])
            weights = np.zeros_like(rows)
            for i, row in enumerate(rows):
                seen = np.isfinite(row)
                if seen.any():
                    shares = np.exp(row[seen] - row[seen].max())
                    weights[i, seen] = shares / shares.sum()
            return weights.reshape(scores.shape)
    """,
}
