"""What should a query get if it may attend to nothing? That happens in an empty sentence of a
batch, or if a mask hides every key from padding queries. The definition of the softmax gives $0/0$
for such a row, and one NaN spreads: after the next layer every token has it. This course defines
the weights of a fully masked row as **0**, so its output is zero and its gradient is too.

Write `masked_softmax` over the last axis with that rule. All other rows must sum to 1, to 12
digits, even if scores are large, visible or hidden. Scores may be whole numbers. Leave the
arguments as they are.
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
    expect_shape,
)

exercise(
    title="A row in which all keys are hidden",
    version=2,
    withhold=["attn.softmax", "attn.attention_weights"],
    hints=[
        "Follow a row of `-np.inf` through the softmax by hand: what is its largest score, and "
        "what is `-inf - (-inf)`?",
        "Two places go wrong: the subtraction of the maximum, and the division. What could the "
        "maximum be replaced by where it is `-inf`? What could a sum of 0 be replaced by?",
        "With `top = np.where(np.isfinite(top), top, 0.0)` the exponentials of such a row are all "
        "0; with `np.where(total > 0, total, 1.0)` so are its weights.",
    ],
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


MISTAKES = r"""
nan: `np.where(total > 0, total, 1.0)` → `total`
    A fully masked row gave NaN: −inf − (−inf) and 0/0 are not numbers, and NaN spreads to every
    token in the next layer.
uniform: `-np.inf` → `-1e9`
    A fully masked row became a plain average over exactly what was to be hidden. That is what −1e9
    in place of −inf does: all scores are equally low, so all weights are equal.
empty-row-unmasked: `np.where(mask,` → `np.where(mask | ~mask.any(axis=-1, keepdims=True),`
    A fully masked row got the weights that it would have without a mask. Its weights should all be
    0.
rows-too-small: `np.where(total > 0, total, 1.0)` → `(total + 1e-6)`
    The weights of rows that see something are right up to a factor, and sum to less than 1. A small
    number in the denominator avoids 0/0, but changes every row.
hidden-too-late: `np.where(mask, scores, -np.inf)` → `scores`,
  `np.exp(scores - top)` → `np.exp(scores - top) * mask`
    The score of a hidden key was used before it was hidden, so a very large one spoils the row.
    Hide first, then take the maximum and the exponentials.
one-maximum-for-all: `max(axis=-1, keepdims=True)` → `max()`
    One maximum was taken over all rows, so the exponentials of a row with much lower scores are all
    0. Subtract the largest score of each row.
finite-instead: `-np.inf` → `-1e4`,
  `return weights` → `return mask.any(axis=-1, keepdims=True) * weights`
    Hidden keys have weight where all visible scores are very low: they got a finite score in place
    of −inf.
overflow: ` - top` → ``
    With large scores the result is not finite: an exponential is infinite, or all those of a row
    are 0. Subtract the largest score of its own row first.
cut-to-whole-numbers: `scores = np.where` → `kind = scores.dtype; scores = np.where`,
  `weights / np.where(total > 0, total, 1.0)` →
  `(weights / np.where(total > 0, total, 1.0)).astype(kind)`
no-mask: (also empty-row-unmasked) `np.where(mask, scores, -np.inf)` → `scores`
mask-as-zero: `-np.inf` → `0.0`,
  `return weights` → `return mask.any(axis=-1, keepdims=True) * weights`
hard: `np.exp(scores - top)` → `(scores == top)`
no-softmax: `def masked_softmax(scores, mask): return scores * mask`
not-normalised: (also nan) ` - top` → ``, ` / np.where(total > 0, total, 1.0)` → ``
not-normalised-shifted: ` / np.where(total > 0, total, 1.0)` → ``
softmax-twice: (also nan) `return weights / np.where(total > 0, total, 1.0)` →
  `weights = np.exp(weights / total); return weights / weights.sum(axis=-1, keepdims=True)`
sum-normalised: `np.exp(scores - top)` → `np.where(mask, scores, 0.0)`, `total > 0` → `total != 0`
base-two: `np.exp(` → `np.exp2(`
wrong-axis: `axis=-1` → `axis=-2`
one-softmax-for-all: (also one-maximum-for-all) `axis=-1` → `axis=(-2, -1)`
cosine: `np.where(mask, scores,` →
  `np.where(mask, scores / np.linalg.norm(scores, axis=-1, keepdims=True),`
mask-inverted: `scores, -np.inf` → `-np.inf, scores`
mask-after-softmax: (also hidden-too-late) `np.where(mask, scores, -np.inf)` → `scores`,
  `return weights` → `return mask * weights`
mask-added: (also no-mask) `np.where(mask, scores, -np.inf)` → `scores + mask`,
  `return weights` → `return mask.any(axis=-1, keepdims=True) * weights`
log-weights: (also nan) `weights / np.where(total > 0, total, 1.0)` →
  `np.log(weights / np.where(total > 0, total, 1.0))`
"""


SCORES = np.array(
    [[1.0, 0.0, 2.0, -1.5, 0.3], [0.5, 0.5, -1.0, 0.2, 1.1], [0.7, -0.4, 0.9, 1.6, -0.8]]
)
MASK = np.array([[True, True, False, True, False], [False] * 5, [True, False, True, False, True]])


def _sum_to_less(seen, right, atol):
    """Whether each row is the right one times a factor below 1."""
    factors = seen.sum(axis=-1, keepdims=True)
    below = (factors < 1 - 1e-12).all() and (factors > 0.5).all()
    return bool(below and np.allclose(seen, factors * right, atol=atol))


def _compare(masked_softmax, scores, mask, atol=1e-9):
    what = "masked_softmax(scores, mask)"
    seen = call_keeping_inputs(masked_softmax, scores, mask)
    seen = expect_shape(seen, scores.shape, what=what)
    right, empty = library_softmax(scores, mask=mask), ~mask.any(axis=-1)
    rows = seen[~empty]
    if _sum_to_less(rows, right[~empty], atol):
        message = f"A row that sees something sums to {rows.sum(axis=-1).min():.9g}; expected 1."
        expect(False, message, "rows-too-small")
    expect_close(rows, right[~empty], atol=atol, what="the array of rows that see something")
    expect(not np.isnan(seen[empty]).any(), "A fully masked row holds NaN.", "nan")
    expect_close(seen[empty], np.zeros_like(seen[empty]), what="the array of fully masked rows")


@check(points=2)
def one_row_sees_nothing(masked_softmax):
    """Three rows, the second fully masked"""
    _compare(masked_softmax, SCORES.copy(), MASK.copy(), atol=1e-12)


@check(points=1)
def other_rows_sum_to_one(masked_softmax):
    """Rows that see something sum to 1 with low scores, too"""
    rng = np.random.default_rng(7)
    scores = rng.normal(size=(2, 5, 7)) - 12.0
    mask = np.ones((2, 5, 7), dtype=bool)
    mask[0, 3] = False
    _compare(masked_softmax, scores, mask, atol=1e-12)


def _with_huge_scores(masked_softmax, hidden, misconception):
    scores = np.array([[1e4, 9999.0, 0.0], [1.0, 2.0, 3.0]])
    mask = np.array([[not hidden, True, True], [True, True, True]])
    if hidden:
        scores[0, 1] = 1.0
    which = "hidden" if hidden else "visible"
    right = library_softmax(scores, mask=mask)
    with np.errstate(all="ignore"):
        seen = call_keeping_inputs(masked_softmax, scores, mask)
    seen = expect_shape(seen, scores.shape, what="masked_softmax(scores, mask)")
    spoilt = not np.isfinite(seen[0]).all() or (seen[0] == 0).all()
    if spoilt and np.allclose(seen[1], right[1]):
        expect(False, f"With a {which} score of 1e4 the row is {seen[0]}.", misconception)
    expect_close(seen, right, what="masked_softmax(scores, mask)")


@check(points=1)
def large_scores(masked_softmax):
    """A visible score of 1e4"""
    _with_huge_scores(masked_softmax, False, "overflow")


@check(points=1)
def large_hidden_scores(masked_softmax):
    """A hidden score of 1e4"""
    _with_huge_scores(masked_softmax, True, "hidden-too-late")


@check(points=1)
def very_low_scores(masked_softmax):
    """Visible scores of -1e5: hidden keys have no weight"""
    scores = np.array([[-1e5, -1e5, 1.0], [-1e5, 0.0, -2e5]])
    mask = np.array([[True, True, False], [True, False, True]])
    seen = expect_shape(masked_softmax(scores, mask), scores.shape, what="masked_softmax(…)")
    hidden = seen[~mask]
    usual = as_array(masked_softmax(SCORES.copy(), MASK.copy()))[0][~MASK[0]]
    if (hidden > 0).all() and np.abs(usual).max() < 1e-6:
        message = f"Visible scores are -1e5 or less, and hidden keys have the weights {hidden}."
        expect(False, message, "finite-instead")
    expect_close(seen, library_softmax(scores, mask=mask), what="masked_softmax(…)")


@check(points=1)
def two_layers_stay_finite(masked_softmax):
    """After two layers no token has NaN, all are right, and a small change has a small effect"""
    rng = np.random.default_rng(11)
    x = rng.normal(size=(5, 3))
    mask = np.ones((5, 5), dtype=bool)
    mask[4] = False

    def two_layers(x, softmax=masked_softmax):
        for _ in range(2):
            x = expect_shape(softmax(x @ x.T, mask), (5, 5), what="masked_softmax") @ x
        return x

    expect(np.isfinite(two_layers(x)).all(), "After two layers the outputs hold NaN.", "nan")
    slope = (two_layers(x + 1e-6) - two_layers(x - 1e-6)) / 2e-6
    expect(np.isfinite(slope).all(), "The slope of two layers is not finite.", "nan")
    expect_close(two_layers(x)[4], np.zeros(3), what="the masked token")
    right = two_layers(x, lambda scores, mask: library_softmax(scores, mask=mask))
    expect_close(two_layers(x), right, what="the array of tokens after two layers")


@check(points=1)
def whole_numbers(masked_softmax):
    """Scores that are whole numbers"""
    scores = np.array([[3, 1, 0, 2], [1, 1, 0, -4], [0, 2, 5, 1]])
    # The hidden keys have the largest scores: without a mask they would have most of the weight.
    mask = np.array([[False, True, True, True], [False] * 4, [True, True, False, True]])
    call_with_whole_numbers(
        masked_softmax,
        scores,
        mask,
        right=library_softmax(scores, mask=mask),
        what="masked_softmax(scores, mask)",
    )
    _compare(masked_softmax, scores, mask)


@check(points=1, hidden=True)
def other_masks(masked_softmax, rng):
    """Other masks and shapes"""
    scores = rng.normal(size=(3, 2, 7, 11))
    mask = rng.random(scores.shape) < 0.5
    mask[1, 0, 3] = mask[2, 1] = False
    _compare(masked_softmax, scores, mask)


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
