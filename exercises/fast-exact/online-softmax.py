"""Attention over keys that arrive in blocks: you see the scores and the values of one block, and
then they are gone. For each query three things are kept between blocks:

- `largest`, the largest score so far, $m$; $-\\infty$ at the start;
- `total`, $\\sum_j e^{s_j - m}$ over the keys so far; 0 at the start;
- `sums`, $\\sum_j e^{s_j - m} v_j$ over the keys so far; 0 at the start.

Write `absorb`, which takes one more block and returns new values of all three, in this order; its
arguments stay as they are. At the end `sums` divided by `total` is the output. Scores may be as
large as $10^4$. A hidden key has the score $-\\infty$, and a whole block may be hidden: as long as
all keys of a query are hidden, its `largest` stays $-\\infty$ and its `total` and `sums` stay 0.
"""

import numpy as np

from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_parts,
)

exercise(
    title="Softmax in one pass",
    hints=[
        "The old sums were computed with the old maximum: each term is $e^{s - m}$. Which factor "
        "turns it into $e^{s - m'}$?",
        "The factor is $e^{m - m'}$, one for each query. It belongs to `total` *and* to `sums`, "
        "before the new block is added. And what is $-\\infty - (-\\infty)$, while all keys so far "
        "are hidden?",
        "`new = np.maximum(largest, scores.max(axis=1))`, then subtract "
        "`np.where(np.isfinite(new), new, 0.0)` in both exponentials: `np.exp(largest - shift)` "
        "and `np.exp(scores - shift[:, None])`.",
    ],
)


def absorb(largest, total, sums, scores, values):
    """Return largest, total and sums after one more block of keys.

    largest, total: (num_queries,)   sums: (num_queries, d_v)
    scores: (num_queries, block)     values: (block, d_v)
    """
    # BEGIN SOLUTION
    new = np.maximum(largest, scores.max(axis=1))
    shift = np.where(np.isfinite(new), new, 0.0)
    rescale = np.exp(largest - shift)  # (num_queries,)
    weights = np.exp(scores - shift[:, None])  # (num_queries, block)
    total = total * rescale + weights.sum(axis=1)
    sums = sums * rescale[:, None] + weights @ values
    return new, total, sums
    # END SOLUTION


MISTAKES = r"""
other-order: `return new, total, sums` → `return new, sums, total`
    The sums came second and the total last. The order is largest, total, sums.
overflow: `np.maximum(largest, scores.max(axis=1))` →
  `np.where(np.isfinite(largest), largest, scores.max(axis=1))`
    An exponential overflowed. No exponent may be above 0: subtract the largest score *so far*, this
    block included, from the scores and in the factor.
nan-where-hidden: `np.where(np.isfinite(new), new, 0.0)` → `new`
    There is NaN for a query whose keys so far are all hidden. Its maximum is −∞, and −∞ − (−∞) is
    not a number.
hidden-keys-count: `new = np.maximum(` → `scores = np.maximum(scores, -1e9); new = np.maximum(`
    All keys of a query are hidden so far, and its total is above 0: hidden keys got weight. That
    happens, for instance, when −10⁹ stands for −∞: then the maximum is also that number, and e⁰ =
    1.
zero-for-nothing: `return new` → `return shift`
    While all keys are hidden, `largest` became 0. It is −∞ until a visible key arrives: with 0,
    scores of −1000 in a later block would all underflow.
sums-not-rescaled: `sums * rescale[:, None]` → `sums`
    The total was rescaled to the new maximum and the sums were not, so the values of earlier blocks
    count too much.
total-not-rescaled: `total * rescale` → `total`
    The sums were rescaled to the new maximum and the total was not, so the weights do not sum to 1.
rescaled-backwards: (also overflow) `np.exp(largest - shift)` →
  `np.where(total > 0, np.exp(shift - largest), 0.0)`
    What came before was multiplied by e to the (new − old maximum). When the maximum grows, earlier
    terms must shrink: the factor is e to the (old − new).
never-rescaled: `np.exp(largest - shift)` → `np.ones(len(largest))`
    Neither sum was rescaled: the terms of earlier blocks still refer to the old maximum. Is the old
    maximum overwritten before the factor is computed?
block-maximum: (also overflow) `np.maximum(largest, scores.max(axis=1))` → `scores.max(axis=1)`
    `largest` is the maximum of this block alone. It is the largest score *so far*; without it,
    earlier and larger scores overflow.
one-maximum-for-all: `np.maximum(largest, scores.max(axis=1))` →
  `np.full(len(largest), max(largest.max(), scores.max()))`
    One maximum was taken over all queries. Each query has its own; with another query's, its
    exponentials can underflow to 0.
no-maximum: (also overflow)
    ```
    def absorb(largest, total, sums, scores, values):
        weights = np.exp(scores)
        return largest, total + weights.sum(axis=1), sums + weights @ values
    ```
    The exponentials were taken without subtracting the maximum. Scores of 1000 overflow then.
scores-not-shifted: (also overflow) `np.exp(scores - shift[:, None])` → `np.exp(scores)`
    The exponentials of this block were taken of the scores as they are. Subtract the largest score
    so far, this block included.
shifted-by-block-maximum: `np.exp(scores - shift[:, None])` →
  `np.exp(scores - np.maximum(scores.max(axis=1), -1e300)[:, None])`
    From the scores of this block its own maximum was subtracted. If an earlier block had a larger
    score, that is the maximum to subtract.
values-not-weighted: `weights @ values` → `values.sum(axis=0)`
    The values of the block were added as they are. Multiply each by the exponential of its score.
divided-each-time: (also nan-where-hidden) `return new, total, sums` →
  `return new, total, sums / total[:, None]`
    The sums were divided by the total. Divide once, at the end: the next block has to be added to a
    sum, not to a mean.
counts-keys: (also hidden-keys-count) `weights.sum(axis=1)` → `scores.shape[1]`,
  `total * rescale` → `total`
    The total counts keys. It is the sum of their exponentials.
last-block: `np.maximum(largest, scores.max(axis=1))` → `scores.max(axis=1)`,
  `np.exp(largest - shift)` → `np.zeros(len(largest))`
    These are the total and the sums of the last block. Add those of the earlier blocks, rescaled.
largest-not-updated: `return new` → `return largest`
    `total` and `sums` are right, but `largest` is still the old one.
shifted-by-old-maximum: (also overflow) `np.exp(scores - shift[:, None])` →
  `np.exp(scores - np.where(np.isfinite(largest), largest, shift)[:, None])`
    From the scores of this block the old maximum was subtracted. Subtract the new one, which may
    come from this very block.
factor-for-block: `np.exp(scores - shift[:, None])` →
  `np.exp(scores + (largest - 2 * shift)[:, None])`
    The block's own terms were multiplied by the factor as well. Only the earlier total and sums are
    rescaled.
earlier-blocks-lost: `np.exp(largest - shift)` → `np.zeros(len(largest))`
    The total and the sums of earlier blocks are lost. Rescale them to the new maximum, and add
    them.
mean-of-blocks: (also hidden-keys-count)
    ```
    def absorb(largest, total, sums, scores, values):
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return largest, total + 1, sums + weights @ values / weights.sum(axis=1, keepdims=True)
    ```
    Each block's output was computed by itself and added. A block with higher scores, or with more
    keys, must count more.
"""


def _state(absorb, state, block):
    """Return what absorb makes of a state and a block, in the right shapes."""
    with np.errstate(all="ignore"):
        result = call_keeping_inputs(absorb, *state, *block)
    message = "absorb should return three things: largest, total, sums."
    arrays = [as_array(part, "what absorb returned") for part in expect_parts(result, 3, message)]
    shapes, right = [a.shape for a in arrays], [part.shape for part in state]
    message = f"absorb returned arrays of shapes {shapes}; expected {right}."
    expect(shapes == right, message, "other-order" if shapes == right[::2] + right[1:2] else None)
    return [array.astype(float) for array in arrays]


def _expect_stream(absorb, scores, values, cuts):
    """Give absorb one block after the other, each with the right state before it."""
    num_queries, d_v = len(scores), values.shape[1]
    state = (np.full(num_queries, -np.inf), np.zeros(num_queries), np.zeros((num_queries, d_v)))
    for start, stop in zip([0, *cuts], [*cuts, len(values)], strict=True):
        block = scores[:, start:stop], values[start:stop]
        given = _state(absorb, state, block)
        largest = scores[:, :stop].max(axis=1)
        weights = np.exp(scores[:, :stop] - np.where(largest > -np.inf, largest, 0)[:, None])
        right = largest, weights.sum(axis=1), weights @ values[:stop]
        _expect_state(given, right, f"after {stop} keys")
        state = right


def _expect_state(given, right, when):
    hidden = np.isneginf(right[0])
    total = given[1][hidden]
    is_nan = np.isnan(total).any() and not np.isnan(given[1][~hidden]).any()
    expect(not is_nan, f"A total is NaN {when}.", "nan-where-hidden")
    message = f"A total is {total.max(initial=0):.4g} {when}."
    expect(not (total > 0).any(), message, "hidden-keys-count")
    is_zero = (given[0][hidden] == 0).any()
    expect(not is_zero, f"`largest` is 0 {when}; expected -inf.", "zero-for-nothing")
    expect(not (given[1] == np.inf).any(), f"`total` is infinite {when}.", "overflow")
    for name, seen, expected in zip(("largest", "total", "sums"), given, right, strict=True):
        expect_close(seen, expected, rtol=1e-6, what=f"{name} {when}")


@check(
    points=2,
    success_message="Both sums get the same factor, so their ratio is the output at any moment.",
)
def five_keys(absorb):
    """Scores 1, 3, 2, 5, 4 in blocks of 2, 2 and 1"""
    scores = np.array([[1.0, 3.0, 2.0, 5.0, 4.0], [0.0, -1.0, 2.0, 1.0, 0.5]])
    values = np.array(
        [[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [2.0, 2.0, 0.0], [-1.0, 1.0, 1.0], [3.0, 0.0, 1.0]]
    )
    _expect_stream(absorb, scores, values, [2, 4])


@check(points=1, success_message="The blocks do not matter: attention in blocks is exact.")
def the_split_is_without_effect(absorb):
    """Eleven keys: one block, blocks of one, and unequal blocks"""
    rng = np.random.default_rng(3)
    scores, values = rng.normal(size=(5, 11)), rng.normal(size=(11, 7))
    for cuts in ([3, 4], [], list(range(1, 11)), [9]):
        _expect_stream(absorb, scores, values, cuts)


@check(points=1, success_message="No exponent is above 0, so nothing overflows.")
def large_scores(absorb):
    """Scores of 1e4, rising and falling from block to block"""
    values = np.arange(12.0).reshape(6, 2)
    rising = np.array([[0.0, 1.0, 5e3, 5e3, 1e4, 9999.0]])
    for scores in (rising, rising[:, ::-1].copy()):
        _expect_stream(absorb, scores, values, [2, 4])


@check(points=1, success_message="As long as all keys are hidden, nothing is counted.")
def a_hidden_block_comes_first(absorb):
    """The first block is hidden from one query, the last from another"""
    rng = np.random.default_rng(5)
    scores, values = rng.normal(size=(3, 7)), rng.normal(size=(7, 2))
    scores[0, :3] = -np.inf
    scores[1, 5:] = -np.inf
    _expect_stream(absorb, scores, values, [2, 5])


@check(points=1, hidden=True)
def other_numbers(absorb, rng):
    """Other sizes, scores and splits"""
    scores = 4.0 * rng.normal(size=(3, 13))
    scores[rng.random(scores.shape) < 0.3] = -np.inf
    scores[2, :6] = -np.inf
    values = rng.normal(size=(13, 5))
    for cuts in ([1, 2, 6], [5, 11]):
        _expect_stream(absorb, scores, values, cuts)


ALSO_RIGHT = {
    "one key after the other": """
        def absorb(largest, total, sums, scores, values):
            largest, total, sums = largest.copy(), total.copy(), sums.copy()
            for i in range(len(scores)):
                for score, value in zip(scores[i], values):
                    if score == -np.inf:
                        continue
                    new = max(largest[i], score)
                    total[i] = total[i] * np.exp(largest[i] - new) + np.exp(score - new)
                    sums[i] = sums[i] * np.exp(largest[i] - new) + np.exp(score - new) * value
                    largest[i] = new
            return largest, total, sums
    """,
    "the block by itself, then a merge of two": """
        def absorb(largest, total, sums, scores, values):
            own = scores.max(axis=1)
            weights = np.exp(scores - np.where(own == -np.inf, 0, own)[:, None])
            new = np.maximum(largest, own)
            safe = np.where(new == -np.inf, 0, new)
            a, b = np.exp(largest - safe), np.exp(own - safe)
            sums = a[:, None] * sums + b[:, None] * (weights @ values)
            return new, a * total + b * weights.sum(axis=1), sums
    """,
}
