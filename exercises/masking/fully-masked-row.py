"""What should a query see that may see nothing? It happens: an empty sentence in a batch, a
padding query. The definition of softmax gives $0/0$ for such a row, and one NaN spreads: after the
next layer every token has it. This course defines a fully masked row as **zero weights**, so its
output is zero and its gradient is too.

Write `masked_softmax` over the last axis with that rule. Rows that see something sum to 1, with
large scores as well.
"""

import numpy as np

from attn import softmax as library_softmax
from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="fully-masked-row",
    chapter="masking",
    title="The row that sees nothing",
    withhold=["attn.softmax", "attn.attention_weights"],
    hints=[
        "Follow a row of `-np.inf` through the softmax by hand: what is its largest score, and "
        "what is `-inf - (-inf)`?",
        "Two places go wrong: the subtraction of the maximum, and the division. What could the "
        "maximum be replaced by where it is `-inf`? What could a sum of 0 be replaced by?",
        "With `top = np.where(np.isfinite(top), top, 0.0)` the exponentials of such a row are all "
        "0; with `np.where(total > 0, total, 1.0)` so are its weights.",
    ],
    misconceptions={
        "nan": "A fully masked row gave NaN: −inf − (−inf) and 0/0 are not numbers, and NaN "
        "spreads to every token in the next layer.",
        "uniform": "A fully masked row became a plain average over exactly what was to be hidden. "
        "That is what −1e9 in place of −inf does: all scores are equally low, so all weights are "
        "equal.",
        "rows-too-small": "Rows that see something no longer sum to exactly 1. A small number in "
        "the denominator mends 0/0 and spoils every other row.",
        "hidden-maximum": "A very large *hidden* score was taken as the row's maximum, so the "
        "visible exponentials all became 0. Hide first, then take the maximum.",
        "overflow": "The exponential of a large score is infinite. Take away the row's maximum "
        "first.",
        "no-mask": "Hidden keys got a weight.",
        "hard": "Each row put all of its weight on one key.",
    },
)


def masked_softmax(scores, mask):
    """Return weights over the last axis; fully masked rows are zero.

    scores: (..., num_queries, num_keys)
    mask: the same shape, True = may attend
    """
    # BEGIN SOLUTION
    scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    weights = np.exp(scores - top)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total > 0, total, 1.0)
    # END SOLUTION


SCORES = np.array([[1.0, 0.0, 2.0], [0.5, 0.5, -1.0]])
MASK = np.array([[True, True, False], [False, False, False]])


@check(points=2)
def one_row_sees_nothing(masked_softmax):
    """Two rows, the second fully masked"""
    what = "masked_softmax(scores, mask)"
    seen = expect_shape(masked_softmax(SCORES.copy(), MASK.copy()), (2, 3), what=what)
    expect(not np.isnan(seen).any(), "Row 1 holds NaN.", "nan")
    first = np.array([0.73106, 0.26894, 0.0])
    expect_close(
        seen,
        [first, np.zeros(3)],
        atol=1e-4,
        what=what,
        mistakes={
            "uniform": [first, np.full(3, 1 / 3)],
            "no-mask": np.exp(SCORES) / np.exp(SCORES).sum(axis=-1, keepdims=True),
            "hard": [[1.0, 0.0, 0.0], np.zeros(3)],
        },
    )


@check(points=1)
def other_rows_sum_to_one(masked_softmax):
    """Rows that see something sum to 1, to 12 digits"""
    rng = np.random.default_rng(7)
    scores = rng.normal(size=(2, 5, 7)) - 12.0
    mask = np.ones((2, 5, 7), dtype=bool)
    mask[0, 3] = False
    weights = expect_shape(masked_softmax(scores, mask), scores.shape, what="masked_softmax")
    sums = weights.sum(axis=-1)
    expected = np.ones((2, 5))
    expected[0, 3] = 0.0
    expect_close(sums, expected, atol=1e-12, what="the sum of each row")


@check(points=1)
def large_scores(masked_softmax):
    """Scores of ±1e4, visible and hidden"""
    scores = np.array([[1e4, 9999.0, 0.0], [1e4, 0.0, 1.0]])
    mask = np.array([[True, True, True], [False, True, True]])
    with np.errstate(all="ignore"):
        seen = masked_softmax(scores.copy(), mask.copy())
    seen = expect_shape(seen, scores.shape, what="masked_softmax(scores, mask)")
    if not np.isfinite(seen[0]).all():
        expect(False, f"With scores of 1e4 row 0 is {seen[0]}.", "overflow")
    right = library_softmax(scores, mask=mask)
    expect_close(seen, right, what="masked_softmax")


@check(points=1)
def two_layers_stay_finite(masked_softmax):
    """After two layers no token has NaN, and a small change has a small effect"""
    rng = np.random.default_rng(11)
    x = rng.normal(size=(5, 3))
    mask = np.ones((5, 5), dtype=bool)
    mask[4] = False

    def two_layers(x):
        for _ in range(2):
            x = expect_shape(masked_softmax(x @ x.T, mask), (5, 5), what="masked_softmax") @ x
        return x

    expect(np.isfinite(two_layers(x)).all(), "After two layers the outputs hold NaN.", "nan")
    slope = (two_layers(x + 1e-6) - two_layers(x - 1e-6)) / 2e-6
    expect(np.isfinite(slope).all(), "The slope of two layers is not finite.", "nan")
    expect_close(two_layers(x)[4], np.zeros(3), what="the masked token")


@check(points=1, hidden=True)
def other_masks(masked_softmax, rng):
    """Other masks and shapes"""
    scores = rng.normal(size=(3, 2, 7, 11))
    mask = rng.random(scores.shape) < 0.5
    mask[1, 0, 3] = mask[2, 1] = False
    right = library_softmax(scores, mask=mask)
    expect_close(masked_softmax(scores, mask), right, what="masked_softmax")


WRONG = {
    "plain -inf": wrong(
        """
        def masked_softmax(scores, mask):
            scores = np.where(mask, scores, -np.inf)
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return weights / weights.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["one_row_sees_nothing", "two_layers_stay_finite"],
        misconception="nan",
    ),
    "-1e9 in place of -inf": wrong(
        """
        def masked_softmax(scores, mask):
            scores = np.where(mask, scores, -1e9)
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return weights / weights.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["one_row_sees_nothing", "two_layers_stay_finite"],
        misconception="uniform",
    ),
    "a small number in the denominator": wrong(
        """
        def masked_softmax(scores, mask):
            scores = np.where(mask, scores, -np.inf)
            top = np.maximum(scores.max(axis=-1, keepdims=True), -1e30)
            weights = np.exp(scores - top)
            return weights / (weights.sum(axis=-1, keepdims=True) + 1e-6)
        """,
        rejected_by=["other_rows_sum_to_one"],
        misconception="rows-too-small",
    ),
    "the maximum over hidden scores too": wrong(
        """
        def masked_softmax(scores, mask):
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
            total = weights.sum(axis=-1, keepdims=True)
            return weights / np.where(total > 0, total, 1.0)
        """,
        rejected_by=["large_scores"],
        misconception="hidden-maximum",
    ),
    "no maximum": wrong(
        """
        def masked_softmax(scores, mask):
            weights = np.exp(np.where(mask, scores, -np.inf))
            total = weights.sum(axis=-1, keepdims=True)
            return weights / np.where(total > 0, total, 1.0)
        """,
        rejected_by=["large_scores"],
        misconception="overflow",
    ),
    "ignores the mask": wrong(
        """
        def masked_softmax(scores, mask):
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return weights / weights.sum(axis=-1, keepdims=True)
        """,
        rejected_by=["one_row_sees_nothing"],
        misconception="no-mask",
    ),
    "the best visible key": wrong(
        """
        def masked_softmax(scores, mask):
            scores = np.where(mask, scores, -np.inf)
            return (scores == scores.max(axis=-1, keepdims=True)) & mask
        """,
        rejected_by=["one_row_sees_nothing"],
        misconception="hard",
    ),
}

ALSO_RIGHT = {
    "mend the NaN afterwards": """
        def masked_softmax(scores, mask):
            scores = np.where(mask, scores, -np.inf)
            with np.errstate(invalid="ignore"):
                weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
                weights = weights / weights.sum(axis=-1, keepdims=True)
            return np.where(mask.any(axis=-1, keepdims=True), weights, 0.0)
    """,
    "a finite floor, then the mask again": """
        def masked_softmax(scores, mask):
            low = np.where(mask, scores, -1e30)
            weights = np.exp(low - low.max(axis=-1, keepdims=True)) * mask
            return weights / np.maximum(weights.sum(axis=-1, keepdims=True), 1e-300)
    """,
}
