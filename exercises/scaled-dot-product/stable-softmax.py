"""`np.exp(800)` is infinite, and infinite divided by infinite is `nan`. Scores of 800 do occur.

Write a `softmax` over the **last** axis that never overflows, for scores with any number of axes;
leave the scores unchanged. The scores of one row may be thousands larger than those of another. A
score of `-inf` must give a weight of exactly 0 (a later chapter hides keys in this way). In a row
of nothing but `-inf` no key is left, and all weights must be 0, not `nan`.
"""

import numpy as np

from attn import softmax as library_softmax
from attnlab import mistakes
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    wrong,
)

exercise(
    id="stable-softmax",
    chapter="scaled-dot-product",
    title="A softmax that never overflows",
    version=2,
    withhold=["attn.softmax"],
    hints=[
        "What happens to $e^{s_j} / \\sum_l e^{s_l}$ when 1000 is subtracted from every score?",
        "Subtract the largest score of each row before `np.exp`. `scores.max(axis=-1, "
        "keepdims=True)` has the shape that broadcasts.",
        "In a row of `-inf` the largest score is `-inf`, and `-inf - (-inf)` is `nan`. Subtract 0 "
        "there instead (`np.where`), and divide by 1 where the sum is 0.",
    ],
    misconceptions={
        "overflow": "The exponential of a large score is infinite, that of a very negative one is "
        "0, and infinite over infinite or 0 over 0 is NaN. The softmax does not change when one "
        "number is subtracted from a whole row: subtract the largest score of that row.",
        "wrong-axis": "The softmax runs down the columns: each column sums to 1. Each *row* "
        "belongs to one query and has to sum to 1: use the last axis.",
        "axis-one": "The softmax runs over axis 1, which is the last axis of a two-dimensional "
        "array only. Count from the end: `axis=-1`.",
        "all-at-once": "All weights of the array together sum to 1. Each row needs a sum of its "
        "own.",
        "keepdims": "The sum of row i was applied to column i. `keepdims=True` keeps each sum in "
        "line with its row.",
        "one-maximum": "In the second row, far below the first, all weights are 0. Subtract from "
        "each row its own largest score.",
        "clipped": "Scores that differ got the same weight. Limiting the scores changes their "
        "differences; subtracting the largest keeps them.",
        "divided-by-maximum": "The scores were divided by the largest one. Subtract it: the "
        "softmax depends on the differences between scores.",
        "zero-rows": "All weights are 0. Every exponential of a very negative score is 0; subtract "
        "the largest score of the row first, and no NaN has to be replaced.",
        "masked-row": "A row of -inf gave NaN. All its exponentials are 0, and 0 / 0 is not a "
        "number; with its maximum subtracted, -inf minus -inf is not one either. Decide separately "
        "what such a row gets.",
        "infinite-shift": "One score of -inf turned the whole row into NaN. The smallest score and "
        "the mean of such a row are -inf, so neither can be subtracted; the largest can.",
        "one-hidden-empties": "A single score of -inf made all weights of its row 0. A row is "
        "empty only if all its scores are -inf; the other keys of this one sum to 1.",
        "uniform-row": "A row of -inf got weights, although all its keys are hidden. All its "
        "weights should be 0.",
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
    expect_close(
        call_keeping_inputs(softmax, SCORES),
        library_softmax(SCORES),
        what="softmax(scores)",
        mistakes=_mistakes(SCORES),
    )


@check(points=1)
def four_by_four(softmax):
    """A square array, in which a mixed-up axis hides"""
    square = np.array([[0.0, 1, 2, 3], [1, 0, 0, 0], [2, 2, 0, 1], [0, 0, 3, 0]])
    expect_close(
        call_keeping_inputs(softmax, square),
        library_softmax(square),
        what="softmax(scores) of a 4 × 4 array",
        mistakes=_mistakes(square),
    )


@check(points=1)
def large_scores(softmax):
    """Scores of 10,000, and one row with much larger scores than another"""
    what = "softmax([10000, 9999, 0])"
    large = np.array([[10_000.0, 9_999.0, 0.0]])
    seen = expect_shape(call_keeping_inputs(softmax, large), (1, 3), what=what)
    expect(np.isfinite(seen).all(), f"{what} is {seen}.", "overflow")
    expect_close(
        seen,
        library_softmax(large),
        what=what,
        mistakes={"clipped": [[0.5, 0.5, 0.0]], "divided-by-maximum": _of_quotients(large)},
    )
    apart = np.array([[0.0, 1.0, 2.0], [-5_000.0, -5_001.0, -5_000.0]])
    seen = expect_shape(call_keeping_inputs(softmax, apart), (2, 3), what="softmax(scores)")
    expect(np.isfinite(seen).all(), f"softmax of {apart.tolist()} has NaN.", "overflow")
    expect_close(
        seen,
        library_softmax(apart),
        what=f"softmax({apart.tolist()})",
        mistakes={
            "one-maximum": [library_softmax(apart[0]), np.zeros(3)],
            "clipped": [library_softmax(apart[0]), np.full(3, 1 / 3)],
        },
    )


@check(points=1)
def shift(softmax):
    """Adding one number to all scores changes nothing"""
    for number in (-750.0, 3.5, 800.0):
        what, moved = f"softmax(scores + ({number:g}))", SCORES + number
        seen = expect_shape(call_keeping_inputs(softmax, moved), SCORES.shape, what=what)
        expect(np.isfinite(seen).all(), f"{what} contains NaN or infinity.", "overflow")
        known = _mistakes(moved)
        known["clipped"] = known.pop("uniform")()
        if number < -700:  # where all exponentials are 0
            del known["not-normalised"]
            known["zero-rows"] = np.zeros_like(moved)
        expect_close(seen, library_softmax(SCORES), what=what, mistakes=known)


@check(points=1)
def minus_infinity(softmax):
    """A score of -inf has weight 0; a row of -inf has only zeros"""
    hidden = np.array([[0.0, -np.inf, 2.0], [-np.inf, -np.inf, -np.inf]])
    seen = expect_shape(call_keeping_inputs(softmax, hidden), (2, 3), what="softmax(scores)")
    is_nan = np.isnan(as_array(softmax(hidden[:1] + 1.0))).all()
    expect(
        not (is_nan and np.isfinite(softmax(SCORES)).all()),
        "softmax([1, -inf, 3]) is NaN.",
        "infinite-shift",
    )
    known = mistakes.of_softmax(hidden[0])
    if np.any(softmax(SCORES)):  # else -inf is not what makes them 0
        known["one-hidden-empties"] = np.zeros(3)
    expect_close(seen[0], library_softmax(hidden[0]), what="softmax([0, -inf, 2])", mistakes=known)
    expect(not np.isnan(seen[1]).any(), "softmax([-inf, -inf, -inf]) is NaN.", "masked-row")
    expect_close(
        seen[1],
        [0.0, 0.0, 0.0],
        what="softmax([-inf, -inf, -inf])",
        mistakes={"uniform-row": np.full(3, 1 / 3)},
    )


SCORES = np.array(
    [[1.0, 0.0, -1.0, 2.0, 0.5], [1.0, 1.0, 1.0, 1.0, 1.0], [3.0, -2.0, 0.3, 0.0, 1.0]]
)


def _of_quotients(scores):
    return library_softmax(scores / scores.max(axis=-1, keepdims=True))


def _mistakes(scores):
    """What the known mistakes compute for finite scores."""
    plain = np.exp(scores - scores.max())
    stable = np.exp(scores - scores.max(axis=-1, keepdims=True))
    axis_one = {"axis-one": library_softmax(scores, axis=1)} if scores.ndim > 2 else {}
    return {
        **mistakes.of_softmax(scores),
        **axis_one,
        "wrong-axis": library_softmax(scores, axis=-2),
        "all-at-once": plain / plain.sum(),
        "keepdims": lambda: stable / stable.sum(axis=-1),
        "divided-by-maximum": lambda: _of_quotients(scores),
    }


@check(points=1, hidden=True)
def with_batches(softmax, rng):
    """Works with leading axes, such as batch and heads, and hidden keys among them"""
    scores = rng.normal(size=(2, 3, 5, 7))
    expect_close(
        call_keeping_inputs(softmax, scores),
        library_softmax(scores),
        what="softmax of an array of shape (2, 3, 5, 7)",
        mistakes=_mistakes(scores),
    )
    hidden = np.where(rng.random(scores.shape) < 0.5, -np.inf, scores)
    hidden[1, 0, 2] = hidden[0, 2] = -np.inf
    right = library_softmax(hidden)
    empty = np.isneginf(hidden).all(axis=-1, keepdims=True)
    expect_close(
        call_keeping_inputs(softmax, hidden),
        right,
        what="softmax of an array of shape (2, 3, 5, 7) with many scores of -inf",
        mistakes={
            "uniform-row": np.where(empty, 1 / 7, right),
            "one-hidden-empties": np.where(
                np.isneginf(hidden).any(axis=-1, keepdims=True), 0.0, right
            ),
            "axis-one": library_softmax(hidden, axis=1),
            "wrong-axis": library_softmax(hidden, axis=-2),
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
        also=["masked-row"],
    ),
    "one maximum for all rows": wrong(
        """
        def softmax(scores):
            exponentials = np.exp(scores - scores.max())
            return exponentials / exponentials.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["large_scores", "minus_infinity"],
        misconception="overflow",
        also=["masked-row"],
    ),
    "one maximum, and 0 where the sum is 0": wrong(
        """
        def softmax(scores):
            exponentials = np.exp(scores - scores.max())
            total = exponentials.sum(axis=-1, keepdims=True)
            return exponentials / np.where(total == 0, 1.0, total)
        """,
        rejected_by=["large_scores"],
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
        also=["one-maximum"],
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
        also=["uniform-row"],
    ),
    "a row of -inf is forgotten": wrong(
        replace={
            "largest = np.where(np.isneginf(largest), 0.0, largest)": "largest = largest + 0.0"
        },
        rejected_by=["minus_infinity"],
        misconception="masked-row",
    ),
    "a row of -inf gets equal weights": wrong(
        """
        def softmax(scores):
            scores = np.where(np.isneginf(scores), -1e9, scores)
            exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return exponentials / exponentials.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["minus_infinity"],
        misconception="uniform-row",
    ),
    "equal weights for all that is not hidden": wrong(
        """
        def softmax(scores):
            weights = np.isfinite(scores) * 1.0
            return weights / np.maximum(weights.sum(axis=-1, keepdims=True), 1)
        """,
        rejected_by=["three_by_five", "four_by_four", "minus_infinity", "with_batches"],
        misconception="uniform",
        also=["clipped"],
    ),
    "one score of -inf empties the row": wrong(
        """
        def softmax(scores):
            empty = np.isneginf(scores).any(axis=-1, keepdims=True)
            scores = np.where(empty, 0.0, scores)
            exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
            weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
            return np.where(empty, 0.0, weights)
        """,
        rejected_by=["minus_infinity", "with_batches"],
        misconception="one-hidden-empties",
    ),
    "no exponential": wrong(
        """
        def softmax(scores):
            return scores / scores.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["three_by_five", "four_by_four", "shift"],
        misconception="sum-normalised",
    ),
    "divides by the maximum": wrong(
        """
        def softmax(scores):
            exponentials = np.exp(scores / scores.max(axis=-1, keepdims=True))
            return exponentials / exponentials.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["three_by_five", "four_by_four", "shift"],
        misconception="divided-by-maximum",
        also=["masked-row"],
    ),
    "axis=1": wrong(
        replace={"axis=-1": "axis=1"}, rejected_by=["with_batches"], misconception="axis-one"
    ),
    "changes the scores": wrong(
        """
        def softmax(scores):
            largest = scores.max(axis=-1, keepdims=True)
            scores -= np.where(np.isneginf(largest), 0.0, largest)
            total = np.exp(scores).sum(axis=-1, keepdims=True)
            return np.exp(scores) / np.where(total == 0, 1.0, total)
        """,
        rejected_by=["three_by_five", "four_by_four", "large_scores", "with_batches"],
        misconception="changes-arguments",
    ),
    "subtracts the smallest score": wrong(
        replace={
            "largest = scores.max(": "largest = scores.min(",
            "largest = np.where(np.isneginf(largest), 0.0, largest)": "largest = largest + 0.0",
        },
        rejected_by=["large_scores", "minus_infinity", "with_batches"],
        misconception="infinite-shift",
        also=["overflow"],
    ),
    "replaces NaN by 0": wrong(
        """
        def softmax(scores):
            exponentials = np.exp(scores)
            return np.nan_to_num(exponentials / exponentials.sum(axis=-1, keepdims=True))
        """,
        rejected_by=["large_scores", "shift"],
        misconception="zero-rows",
    ),
    "powers of two": wrong(
        replace={"np.exp(scores - largest)": "np.exp2(scores - largest)"},
        rejected_by=["three_by_five", "four_by_four", "large_scores", "shift", "with_batches"],
        misconception="base-two",
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
