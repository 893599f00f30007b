"""What should a query get if it may attend to nothing? This happens in an empty sentence of a batch
or if a mask hides every key from padding queries. The definition of the softmax gives $0/0$ for
such a row, and one NaN spreads: after the next layer, every token is NaN. This course defines the
weights of a fully masked row as **0**, so its output and its gradient are zero.

Write `masked_softmax`, a softmax over the last axis with this rule. All other rows must sum to 1,
to 12 digits, even if some scores, visible or hidden, are large. Scores may be integers. Leave the
arguments unchanged.
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
    id="fully-masked-row",
    chapter="masking",
    title="A row in which all keys are hidden",
    version=2,
    withhold=["attn.softmax", "attn.attention_weights"],
    hints=[
        "Follow a row of `-np.inf` through the softmax by hand: what is its largest score, and "
        "what is `-inf - (-inf)`?",
        "Two places go wrong: the subtraction of the maximum, and the division. What could the "
        "maximum be replaced by where it is `-inf`? What could a sum of 0 be replaced by?",
        "With `top = np.where(np.isfinite(top), top, 0.0)` the exponentials of such a row are all "
        "0; with `np.where(total > 0, total, 1.0)`, so are its weights.",
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


SCORES = np.array(
    [[1.0, 0.0, 2.0, -1.5, 0.3], [0.5, 0.5, -1.0, 0.2, 1.1], [0.7, -0.4, 0.9, 1.6, -0.8]]
)
MASK = np.array([[True, True, False, True, False], [False] * 5, [True, False, True, False, True]])


def _compare(masked_softmax, scores, mask, atol=1e-9):
    what = "masked_softmax(scores, mask)"
    seen = call_keeping_inputs(masked_softmax, scores, mask)
    seen = expect_shape(seen, scores.shape, what=what)
    empty = ~mask.any(axis=-1)
    rows, right = seen[~empty], library_softmax(scores, mask=mask)[~empty]
    factors = rows.sum(axis=-1, keepdims=True)
    if ((factors > 0.5) & (factors < 1 - 1e-12)).all():
        message = f"A row that sees something sums to {factors.min():.9g}; expected 1."
        expect(not np.allclose(rows, factors * right, atol=atol), message, "rows-too-small")
    expect_close(rows, right, atol=atol, what="the array of rows that see something")
    expect(not np.isnan(seen[empty]).any(), "A fully masked row contains NaN.", "nan")
    expect_close(seen[empty], np.zeros_like(seen[empty]), what="the array of fully masked rows")


@check(points=2)
def one_row_sees_nothing(masked_softmax):
    """Three rows, the second fully masked"""
    _compare(masked_softmax, SCORES.copy(), MASK.copy(), atol=1e-12)


@check(points=1)
def other_rows_sum_to_one(masked_softmax):
    """Rows with a visible key sum to 1 with low scores, too"""
    scores = np.random.default_rng(7).normal(size=(2, 5, 7)) - 12.0
    mask = np.ones((2, 5, 7), dtype=bool)
    mask[0, 3] = False
    _compare(masked_softmax, scores, mask, atol=1e-12)


def _with_huge_scores(masked_softmax, hidden, misconception):
    scores = np.array([[1e4, 1.0 if hidden else 9999.0, 0.0], [1.0, 2.0, 3.0]])
    mask = np.array([[not hidden, True, True], [True, True, True]])
    which = "hidden" if hidden else "visible"
    right, what = library_softmax(scores, mask=mask), "masked_softmax(scores, mask)"
    seen = call_keeping_inputs(masked_softmax, scores, mask)
    seen = expect_shape(seen, scores.shape, what=what)
    spoilt = not np.isfinite(seen[0]).all() or (seen[0] == 0).all()
    if spoilt and np.allclose(seen[1], right[1]):
        expect(False, f"With a {which} score of 1e4 the row is {seen[0]}.", misconception)
    expect_close(seen, right, what=what)


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
    """After two layers, no token is NaN, all are right, and a small change has a small effect"""
    x = np.random.default_rng(11).normal(size=(5, 3))
    mask = np.ones((5, 5), dtype=bool)
    mask[4] = False

    def two_layers(x, softmax=masked_softmax):
        for _ in range(2):
            x = expect_shape(softmax(x @ x.T, mask), (5, 5), what="masked_softmax") @ x
        return x

    expect(np.isfinite(two_layers(x)).all(), "After two layers, the outputs contain NaN.", "nan")
    slope = (two_layers(x + 1e-6) - two_layers(x - 1e-6)) / 2e-6
    expect(np.isfinite(slope).all(), "The slope of two layers is not finite.", "nan")
    expect_close(two_layers(x)[4], np.zeros(3), what="the masked token")
    right = two_layers(x, lambda scores, mask: library_softmax(scores, mask=mask))
    expect_close(two_layers(x), right, what="the array of tokens after two layers")


@check(points=1)
def whole_numbers(masked_softmax):
    """Integer scores"""
    scores = np.array([[3, 1, 0, 2], [1, 1, 0, -4], [0, 2, 5, 1]])
    # The hidden keys have the largest scores: without a mask they would have most of the weight.
    mask = np.array([[False, True, True, True], [False] * 4, [True, True, False, True]])
    right, what = library_softmax(scores, mask=mask), "masked_softmax(scores, mask)"
    call_with_whole_numbers(masked_softmax, scores, mask, right=right, what=what)
    _compare(masked_softmax, scores, mask)


@check(points=1, hidden=True)
def other_masks(masked_softmax, rng):
    """Other masks and shapes"""
    scores = rng.normal(size=(3, 2, 7, 11))
    mask = rng.random(scores.shape) < 0.5
    mask[1, 0, 3] = mask[2, 1] = False
    _compare(masked_softmax, scores, mask)


def _of_visible_rows(scores, mask):
    """The shared mistakes, in rows that see something; the others are right."""

    def mended(made):
        return lambda: np.where(mask.any(axis=-1, keepdims=True), np.nan_to_num(made()), 0.0)

    # Here nothing is scaled, and the text on uniform weights is about other rows. With huge scores
    # one softmax for all gives what one maximum for all gives.
    left_out = ("scaled", "multiplied", "uniform", *["one-softmax"] * bool(scores.max() > 1e3))
    shared = mistakes.of_weights(scores, np.eye(scores.shape[-1]), mask=mask, scale=1.0)
    return {id: mended(made) for id, made in shared.items() if not id.startswith(left_out)}


_HIDE = "scores = np.where(mask, scores, -np.inf)"
_SAFE = "np.where(total > 0, total, 1.0)"

shared_mistakes(mistakes.EXPLANATIONS, masked_softmax=_of_visible_rows)
mistake(
    "nan",
    "A fully masked row gave NaN: −inf − (−inf) and 0/0 are not numbers, and NaN spreads to every "
    "token in the next layer.",
    {"np.isfinite(top)": "True"},
)
mistake(
    "uniform",
    "A fully masked row became a plain average of exactly the values that should be hidden. This "
    "is the effect of −1e9 instead of −inf: all scores are equally low, so all weights are equal.",
    {"-np.inf": "-1e9"},
)
mistake(
    "empty-row-unmasked",
    "A fully masked row got the same weights as without a mask. Its weights should all be 0.",
    {_HIDE: f"mask = mask | ~mask.any(axis=-1, keepdims=True)\n    {_HIDE}"},
)
mistake(
    "rows-too-small",
    "The weights of rows with a visible key are right up to a factor and sum to less than 1. A "
    "small number in the denominator avoids 0/0 but changes every row.",
    {_SAFE: "(total + 1e-6)"},
)
mistake(
    "hidden-too-late",
    "The score of a hidden key was used before it was hidden, so a very large score spoils the "
    "row. Hide first, then take the maximum and the exponentials.",
    {_HIDE: "pass", "np.exp(scores - top)": "np.exp(scores - top) * mask"},
)
mistake(
    "one-maximum-for-all",
    "One maximum was taken over all rows, so the exponentials of a row with much lower scores are "
    "all 0. Subtract the largest score of each row.",
    {"max(axis=-1, keepdims=True)": "max()"},
)
mistake(
    "finite-instead",
    "Hidden keys have weight where all visible scores are very low, because they got a finite "
    "score instead of −inf.",
    {"-np.inf": "-1e4", "return weights": "return mask.any(axis=-1, keepdims=True) * weights"},
)
mistake(
    "overflow",
    "With large scores, the result is not finite: an exponential is infinite, or all exponentials "
    "in a row are 0. First subtract from each score the largest score in its row.",
    {"scores - top": "scores"},
)
mistake(
    "cut-to-whole-numbers",
    "",
    {
        _HIDE: f"kind = scores.dtype\n    {_HIDE}",
        f"weights / {_SAFE}": f"(weights / {_SAFE}).astype(kind)",
    },
)

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
