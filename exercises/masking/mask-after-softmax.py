"""A colleague wrote this attention function. It runs, the shapes are right, and the hidden weights
are 0. Yet two things are wrong with it, and both have the same cause.

Try it first on a small example: what does each row of the weights sum to? And does an output change
when only a *hidden* key changes? Then repair `masked_attention`. Scores may be large, including
those of hidden keys. Leave the arguments unchanged.
"""

from functools import partial

import numpy as np

from attn import scaled_dot_product_attention
from attnlab import mistakes
from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
    shared_mistakes,
)

exercise(
    id="mask-after-softmax",
    chapter="masking",
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


def _example(seed=0, num_queries=3, num_keys=5):
    rng = np.random.default_rng(seed)
    mask = np.array([[(i + 2 * j) % 3 != 0 for j in range(num_keys)] for i in range(num_queries)])
    query, key = rng.normal(size=(num_queries, 7)), rng.normal(size=(num_keys, 7))
    return query, key, rng.normal(size=(num_keys, 2)), mask


def _call(masked_attention, query, key, value, mask):
    seen = call_keeping_inputs(masked_attention, query, key, value, mask)
    expect(
        isinstance(seen, tuple | list) and len(seen) == 2,
        "masked_attention should return two things: output and weights.",
    )
    weights = expect_shape(seen[1], mask.shape, what="weights")
    return expect_shape(seen[0], (len(query), value.shape[1]), what="output"), weights


def _compare(masked_attention, query, key, value, mask):
    output, weights = _call(masked_attention, query, key, value, mask)
    right = scaled_dot_product_attention(query, key, value, mask=mask, return_weights=True)
    expect_close(weights, right[1], what="weights")
    expect_close(output, right[0], what="output")


@check(points=1)
def rows_sum_to_one(masked_attention):
    """Every row of the weights sums to 1; only visible keys have weights, and these differ"""
    *arguments, mask = _example()
    weights = _call(masked_attention, *arguments, mask)[1]
    expect_close(weights.sum(axis=-1), np.ones(3), what="the sum of each row")
    expect(((weights > 0) == mask).all(), "The keys with weights are not exactly the visible ones.")
    spread = [float(np.ptp(row[seen])) for row, seen in zip(weights, mask, strict=True)]
    expect(min(spread) > 1e-6, "In some row, all visible keys have the same weight.")


@check(points=1)
def hidden_keys_do_not_matter(masked_attention):
    """A change to a hidden key and its value changes nothing; query and value have an effect"""
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


@check(points=1)
def huge_scores(masked_attention):
    """Huge scores of a visible key, and of a hidden one"""
    for which, misconception in (("visible", "overflow"), ("hidden", "hidden-too-late")):
        query, key, value, mask = _example(3)
        mask[:, 2] = which == "visible"
        calm = _call(masked_attention, query, key, value, mask)[1]
        key[2] *= 1e5
        weights = _call(masked_attention, query, key, value, mask)[1]
        if np.isfinite(calm).all():
            message = f"Key 2 is {which}, its scores are huge: weights are NaN."
            expect(np.isfinite(weights).all(), message, misconception)
        _compare(masked_attention, query, key, value, mask)


@check(points=1)
def very_low_scores(masked_attention):
    """Visible scores that are all very low: only they count"""
    query, key, value, mask = _example(4)
    mask[:, 2] = False
    query, key = np.abs(query), -1e3 * np.abs(key)
    key[2] *= -1e-3
    weights = _call(masked_attention, query, key, value, mask)[1]
    usual = _call(masked_attention, *_example())[1][~_example()[3]]
    if (weights[:, 2] > 0).all() and np.abs(usual).max() < 1e-6:
        message = f"Hidden key 2 has the weights {np.round(weights[:, 2], 3)}."
        expect(False, message, "finite-instead")
    _compare(masked_attention, query, key, value, mask)


@check(points=1, hidden=True)
def other_masks(masked_attention, rng):
    """Other masks and sizes"""
    for num_queries, num_keys in ((2, 11), (13, 5)):
        query, key, value, mask = _example(int(rng.integers(1 << 30)), num_queries, num_keys)
        mask = mask | (rng.random(mask.shape) < 0.2)
        mask[:, 0] = True
        _compare(masked_attention, query, key, value, mask)


def _pairs(query, key, value, mask):
    """The shared mistakes as outputs and weights; where one is not concerned, it is right."""
    outputs = mistakes.of_attention(query, key, value, mask=mask)
    weights = mistakes.of_weights(query, key, mask=mask)
    right = scaled_dot_product_attention(query, key, value, mask=mask, return_weights=True)
    del outputs["no-mask"], weights["no-mask"]  # weights-unmasked

    def pair(id):
        made = zip((outputs, weights), right, strict=True)
        return tuple(some[id]() if id in some else known for some, known in made)

    return {id: partial(pair, id) for id in outputs | weights}


_HIDE = "scores = np.where(mask, scores, -np.inf)"

shared_mistakes(mistakes.EXPLANATIONS, masked_attention=_pairs)
mistake("mask-after-softmax", "", {_HIDE: "pass", "return": "weights = weights * mask\n    return"})
mistake("mask-as-zero", "", {"-np.inf": "0.0"}, {_HIDE: "scores = scores * mask"})
mistake(
    "hidden-key-matters",
    "A key that the mask hides changed the result: it still counts in the softmax's sum or in the "
    "output.",
    {"-np.inf": "scores - 2.0"},
)
mistake(
    "weights-first",
    "The second array has the shape of the output. The output comes first, then the weights.",
    {"weights @ value, weights": "weights, weights @ value"},
)
mistake(
    "weights-unmasked",
    "The weights are the same as without a mask: hidden keys have weight.",
    {_HIDE: "pass"},
    {_HIDE: "pass", "return weights": "return (weights * mask)"},
)
mistake(
    "causal-instead",
    "The weights are those of a causal mask. Use the given mask.",
    {"np.where(mask": "np.where(np.tri(*mask.shape, dtype=bool)"},
)
mistake(
    "finite-instead",
    "Hidden keys have weight where all visible scores are very low, because they got a finite "
    "score instead of −inf.",
    {"-np.inf": "-100.0"},
)
mistake(
    "overflow",
    "With large scores, the result is NaN: an exponential is infinite, or all exponentials in a "
    "row are 0. First subtract from each score the largest score in its row.",
    {"scores - scores.max(axis=-1, keepdims=True)": "scores"},
)
mistake(
    "hidden-too-late",
    "The score of a hidden key was used before it was hidden, so a huge score spoils the row. Hide "
    "the scores first, then take the maximum and the exponentials.",
    {_HIDE: "pass", "keepdims=True))": "keepdims=True)) * mask"},
)

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
