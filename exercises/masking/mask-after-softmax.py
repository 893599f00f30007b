"""A colleague wrote this attention. It runs, the shapes are right, and the hidden weights are 0.
Yet two things are wrong with it, and both have the same cause.

Try it first on a small example: what does each row of the weights sum to? And does an output
change when only a *hidden* key changes? Then repair `masked_attention`. Scores may be large,
including those of hidden keys. Leave the arguments as they are.
"""

import numpy as np

from attn import attention_weights, scaled_dot_product_attention
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_parts,
    expect_shape,
)

exercise(
    title="Find the fault in a masked attention",
    version=2,
    withhold=[
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
    ],
    hints=[
        "The softmax divides by a sum. Over which keys does that sum run in the code as it stands?",
        "A hidden key must be gone before the division, not after it. Which score has an "
        "exponential of 0?",
        "Swap the two steps: first `scores = np.where(mask, scores, -np.inf)`, then the softmax. "
        "Nothing has to be done to the weights afterwards.",
    ],
)


def masked_attention(query, key, value, mask):
    """Return (output, weights) of attention under a mask.

    query: (num_queries, d_k)
    key: (num_keys, d_k)   value: (num_keys, d_v)
    mask: (num_queries, num_keys), True = may attend; no row is all False
    """
    scores = query @ key.T / query.shape[-1] ** 0.5
    # BEGIN SOLUTION
    # STARTER: weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    # STARTER: weights = weights / weights.sum(axis=-1, keepdims=True)
    # STARTER: weights = np.where(mask, weights, 0.0)
    scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    # END SOLUTION
    return weights @ value, weights


MISTAKES = r"""
hidden-key-matters: `-np.inf` → `-3.0`
    A key that the mask hides changed the result: it still counts in the softmax's sum, or in the
    output.
weights-first: `weights @ value, weights` → `weights, weights @ value`
    Both arrays are right, but in the other order: the output comes first.
weights-unmasked: (also hidden-key-matters) `np.where(mask, scores, -np.inf)` → `scores`
or (also hidden-key-matters) `np.where(mask, scores, -np.inf)` → `scores`,
  `return weights @` → `return weights * mask @`
    These are the weights without any mask: hidden keys have weight.
causal-instead: (also hidden-key-matters) `np.where(mask,` →
  `np.where(np.tri(*mask.shape, dtype=bool),`
    The weights are those of a causal mask. Use the mask that is given.
finite-instead: `-np.inf` → `-100.0`
    Hidden keys have weight where all visible scores are very low: they got a finite score in place
    of −inf.
overflow: ` - scores.max(axis=-1, keepdims=True)` → ``
    With large scores the result is NaN: an exponential is infinite, or all those of a row are 0.
    Subtract the largest score of its own row from each score first.
hidden-too-late: `np.where(mask, scores, -np.inf)` → `scores`,
  `keepdims=True))` → `keepdims=True)) * mask`
    The score of a hidden key was used before it was hidden, so a huge one spoils the row. Hide the
    scores first, then take the maximum and the exponentials.
mask-after-softmax: (also hidden-key-matters, hidden-too-late) `np.where(mask, scores, -np.inf)` →
  `scores`, `weights.sum(axis=-1, keepdims=True)` → `weights.sum(axis=-1, keepdims=True) * mask`
mask-inverted: (also hidden-key-matters, overflow) `scores, -np.inf` → `-np.inf, scores`
mask-as-zero: (also hidden-key-matters) `-np.inf` → `0.0`
uniform: `np.exp(scores - scores.max(axis=-1, keepdims=True))` → `mask`
mask-added: (also hidden-key-matters) `np.where(mask, scores, -np.inf)` → `scores + mask`
unscaled: ` / query.shape[-1] ** 0.5` → ``
scaled-by-d: ` ** 0.5` → ``
multiplied-by-root: `/ query` → `* query`
scaled-by-num-keys: `query.shape[-1]` → `len(key)`
scaled-by-num-queries: `query.shape[-1]` → `len(query)`
scaled-by-value-width: `query.shape[-1]` → `value.shape[-1]`
cosine: ` / query.shape[-1] ** 0.5` →
  ` / np.outer(*(np.linalg.norm(rows, axis=-1) for rows in (query, key)))`
scaled-after-softmax: ` / query.shape[-1] ** 0.5` → ``,
  `return weights` → `weights /= query.shape[-1] ** 0.5; return weights`
no-softmax: `return` → `weights = np.where(mask, scores, 0.0); return`
not-normalised: (also overflow) ` - scores.max(axis=-1, keepdims=True)` → ``,
  ` / weights.sum(axis=-1, keepdims=True)` → ``
not-normalised-shifted: ` / weights.sum(axis=-1, keepdims=True)` → ``
one-more-in-the-sum: `.sum(` → `.sum(initial=1, `
softmax-twice: (also hidden-key-matters) `return` →
  `weights = np.exp(weights); weights /= weights.sum(axis=-1, keepdims=True); return`
sum-normalised: `np.exp(scores - scores.max(axis=-1, keepdims=True))` →
  `np.where(mask, scores, 0.0)`
base-two: `np.exp(` → `np.exp2(`
hard: `return` → `weights = (scores == scores.max(axis=-1, keepdims=True)) * 1.0; return`
wrong-axis: `axis=-1` → `axis=0`
one-softmax-for-all: `axis=-1` → `axis=None`
log-weights: `@ value, weights` → `@ value, np.log(weights)`
rows-are-keys: `@ value, weights` → `@ value, weights.T`
returns-weights: `weights @ value, weights` → `weights, weights`
returns-scores: `weights @ value, weights` → `scores, weights`
keys-as-values: `@ value` → `@ key`
values-in-other-order: (also hidden-key-matters) `@ value` → `@ value[::-1]`
"""


def _example(seed=0, num_queries=3, num_keys=5):
    rng = np.random.default_rng(seed)
    mask = np.array([[(i + 2 * j) % 3 != 0 for j in range(num_keys)] for i in range(num_queries)])
    query, key = rng.normal(size=(num_queries, 7)), rng.normal(size=(num_keys, 7))
    return query, key, rng.normal(size=(num_keys, 2)), mask


def _call(masked_attention, query, key, value, mask):
    seen = call_keeping_inputs(masked_attention, query, key, value, mask)
    expect_parts(seen, 2, "masked_attention should return two things: output and weights.")
    right = scaled_dot_product_attention(query, key, value, mask=mask, return_weights=True)
    pairs = list(zip((as_array(array) for array in seen), right[::-1], strict=True))
    if all(array.shape == other.shape and np.allclose(array, other) for array, other in pairs):
        expect(False, "The first array holds the weights.", "weights-first")
    output = expect_shape(seen[0], (len(query), value.shape[1]), what="output")
    return output, expect_shape(seen[1], mask.shape, what="weights")


def _compare(masked_attention, *arguments):
    _expect_right(*_call(masked_attention, *arguments), *arguments)


def _expect_right(output, weights, query, key, value, mask):
    expect_close(weights, attention_weights(query, key, mask=mask), what="weights")
    right = scaled_dot_product_attention(query, key, value, mask=mask)
    expect_close(output, right, what="output")


@check(points=1)
def rows_sum_to_one(masked_attention):
    """Every row of the weights sums to 1; only visible keys have weights, and different ones"""
    *arguments, mask = _example()
    weights = _call(masked_attention, *arguments, mask)[1]
    expect_close(weights.sum(axis=-1), np.ones(3), what="the sum of each row")
    expect(((weights > 0) == mask).all(), "Not all visible keys, and they alone, have weights.")
    spread = [float(np.ptp(row[seen])) for row, seen in zip(weights, mask, strict=True)]
    expect(min(spread) > 1e-6, "In some row all visible keys have the same weight.")


@check(points=1)
def hidden_keys_do_not_matter(masked_attention):
    """A change of a hidden key and its value changes nothing; query and value have an effect"""
    query, key, value, mask = _example(1)
    mask[:, 4] = False
    before = _call(masked_attention, query, key, value, mask)[0]
    for what, changed in (("queries", (-query, key, value)), ("values", (query, key, -value))):
        same = np.array_equal(before, _call(masked_attention, *changed, mask)[0])
        expect(not same, f"All {what} changed, and the output did not.")
    key[4] = value[4] = 3.0
    after = _call(masked_attention, query, key, value, mask)[0]
    moved = np.abs(after - before).max()
    message = f"Hidden key 4 changed, and the output changed by up to {moved:.3g}."
    expect(moved <= 1e-6 or not np.isfinite(moved), message, "hidden-key-matters")
    expect(np.isfinite(moved), "The output holds NaN or infinite numbers.")


@check(points=2)
def right_values(masked_attention):
    """Weights and output are those of masked attention"""
    _compare(masked_attention, *_example(2))


def _with_huge_score(masked_attention, hidden, misconception):
    query, key, value, mask = _example(3)
    mask[:, 2] = not hidden
    calm = _call(masked_attention, query, key, value, mask)[1]
    key[2] *= 1e5
    with np.errstate(all="ignore"):
        output, weights = _call(masked_attention, query, key, value, mask)
    if np.isfinite(calm).all() and not np.isfinite(weights).all():
        which = "hidden" if hidden else "visible"
        expect(False, f"Key 2 is {which}, its scores are huge: weights are NaN.", misconception)
    _expect_right(output, weights, query, key, value, mask)


@check(points=1)
def huge_scores(masked_attention):
    """Huge scores of a visible key, and of a hidden one"""
    _with_huge_score(masked_attention, False, "overflow")
    _with_huge_score(masked_attention, True, "hidden-too-late")


@check(points=1)
def very_low_scores(masked_attention):
    """Visible scores that are all very low: only they count"""
    query, key, value, mask = _example(4)
    mask[:, 2] = False
    query, key = np.abs(query), -1e3 * np.abs(key)
    key[2] *= -1e-3
    output, weights = _call(masked_attention, query, key, value, mask)
    usual = _call(masked_attention, *_example())[1][~_example()[3]]
    if (weights[:, 2] > 0).all() and np.abs(usual).max() < 1e-6:
        message = f"Hidden key 2 has the weights {np.round(weights[:, 2], 3)}."
        expect(False, message, "finite-instead")
    _expect_right(output, weights, query, key, value, mask)


@check(points=1, hidden=True)
def other_masks(masked_attention, rng):
    """Other masks and sizes"""
    for num_queries, num_keys in ((2, 11), (13, 5)):
        query, key, value, mask = _example(int(rng.integers(1 << 30)), num_queries, num_keys)
        mask = mask | (rng.random(mask.shape) < 0.2)
        mask[:, 0] = True
        _compare(masked_attention, query, key, value, mask)


ALSO_RIGHT = {
    "hide the exponentials, with the largest visible score": """
        def masked_attention(query, key, value, mask):
            scores = query @ key.T / query.shape[-1] ** 0.5
            largest = np.max(scores, axis=-1, where=mask, initial=-np.inf, keepdims=True)
            weights = np.exp(np.minimum(scores - largest, 0.0)) * mask
            weights /= weights.sum(axis=-1, keepdims=True)
            return weights @ value, weights
    """,
    "row by row over the visible keys": """
        def masked_attention(query, key, value, mask):
            weights = np.zeros(mask.shape)
            for i in range(len(query)):
                keys = np.flatnonzero(mask[i])
                scores = key[keys] @ query[i] / query.shape[1] ** 0.5
                exponentials = np.exp(scores - scores.max())
                weights[i, keys] = exponentials / exponentials.sum()
            return weights @ value, weights
    """,
}
