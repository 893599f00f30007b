"""A colleague wrote this attention. It runs, the shapes are right, and the hidden weights are 0.
Yet two things are wrong with it, and both have one cause.

Try it first on a small example: what does each row of the weights sum to? And does an output
change when only a *hidden* key changes? Then mend `masked_attention`.
"""

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="mask-after-softmax",
    chapter="masking",
    title="Find the fault: a mask in the wrong place",
    withhold=[
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
    ],
    hints=[
        "Softmax divides by a sum. Over which keys does that sum run in the code as it stands?",
        "A hidden key must be gone before the division, not after it. What score makes an "
        "exponential of 0?",
        "Swap the two steps: first `scores = np.where(mask, scores, -np.inf)`, then the softmax. "
        "Nothing has to be done to the weights afterwards.",
    ],
    misconceptions={
        "mask-after-softmax": "The mask cuts weights that were already shared out among all keys. "
        "What the hidden keys had is lost, so the rows sum to less than 1. Hide the scores before "
        "the softmax divides.",
        "hidden-key-matters": "A key that the mask hides changed the result: it still counts in "
        "the softmax's sum.",
        "no-mask": "The mask has no effect at all: hidden keys keep their weights.",
        "inverted": "The mask is read the wrong way round. Here True means: may attend.",
        "zero-score": "A hidden score of 0 still gets a weight, because e⁰ is 1.",
        "uniform": "Visible keys all got the same weight. They should keep their scores.",
    },
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


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _two(seen):
    expect(
        isinstance(seen, tuple | list) and len(seen) == 2,
        "masked_attention should return two things: output and weights.",
    )
    return seen


@check(points=1)
def rows_sum_to_one(masked_attention):
    """Every row of the weights sums to 1"""
    query, key, value, mask = _example()
    weights = expect_shape(
        _two(masked_attention(query, key, value, mask))[1], (3, 5), what="weights"
    )
    expect_close(
        weights.sum(axis=-1),
        np.ones(3),
        what="the sum of each row",
    )


@check(points=1)
def hidden_keys_do_not_matter(masked_attention):
    """A change behind the mask changes nothing"""
    query, key, value, mask = _example(1)
    mask = mask.copy()
    mask[:, 4] = False
    before = _two(masked_attention(query, key, value, mask))[0]
    key[4] = 3.0
    after = _two(masked_attention(query, key, value, mask))[0]
    expect_close(
        after,
        before,
        what="the output after hidden key 4 changed",
    )


@check(points=2)
def right_values(masked_attention):
    """Weights and output are those of masked attention"""
    query, key, value, mask = _example(2)
    output, weights = _two(masked_attention(query, key, value, mask))
    scores = query @ key.T / np.sqrt(7)
    right_output, right_weights = scaled_dot_product_attention(
        query, key, value, mask=mask, return_weights=True
    )
    expect_close(
        weights,
        right_weights,
        what="weights",
        mistakes={
            "mask-after-softmax": _softmax(scores) * mask,
            "no-mask": _softmax(scores),
            "inverted": _softmax(np.where(mask, -np.inf, scores)),
            "zero-score": _softmax(np.where(mask, scores, 0.0)),
            "uniform": mask / mask.sum(axis=-1, keepdims=True),
        },
    )
    expect_close(output, right_output, what="output")


@check(points=1, hidden=True)
def other_masks(masked_attention, rng):
    """Other masks and sizes"""
    for num_queries, num_keys in ((2, 11), (13, 5)):
        query, key, value, mask = _example(int(rng.integers(1 << 30)), num_queries, num_keys)
        mask = mask | (rng.random(mask.shape) < 0.2)
        mask[:, 0] = True
        expect_close(
            _two(masked_attention(query, key, value, mask))[0],
            scaled_dot_product_attention(query, key, value, mask=mask),
            what="output",
        )


WRONG = {
    "as it was": wrong(
        replace={
            "scores = np.where(mask, scores, -np.inf)": "pass",
            "return weights @": "weights = weights * mask\n    return weights @",
        },
        rejected_by=["rows_sum_to_one", "hidden_keys_do_not_matter", "right_values"],
        misconception="mask-after-softmax",
    ),
    "the mask is dropped": wrong(
        replace={"scores = np.where(mask, scores, -np.inf)": "pass"},
        rejected_by=["hidden_keys_do_not_matter", "right_values"],
        misconception="no-mask",
    ),
    "the mask is inverted": wrong(
        replace={"np.where(mask, scores, -np.inf)": "np.where(mask, -np.inf, scores)"},
        rejected_by=["right_values"],
        misconception="inverted",
    ),
    "hidden scores are zero": wrong(
        replace={"np.where(mask, scores, -np.inf)": "np.where(mask, scores, 0.0)"},
        rejected_by=["right_values"],
        misconception="zero-score",
    ),
    "scores times the mask": wrong(
        replace={"np.where(mask, scores, -np.inf)": "scores * mask"},
        rejected_by=["right_values"],
        misconception="zero-score",
    ),
    "the mask shared out evenly": wrong(
        """
        def masked_attention(query, key, value, mask):
            weights = mask / mask.sum(axis=-1, keepdims=True)
            return weights @ value, weights
        """,
        rejected_by=["right_values"],
        misconception="uniform",
    ),
    "only the values are hidden": wrong(
        """
        def masked_attention(query, key, value, mask):
            scores = query @ key.T / query.shape[-1] ** 0.5
            weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
            return (weights * mask) @ value, weights
        """,
        rejected_by=["hidden_keys_do_not_matter", "right_values"],
        misconception="no-mask",
    ),
}

ALSO_RIGHT = {
    "cut the exponentials, then divide": """
        def masked_attention(query, key, value, mask):
            scores = query @ key.T / query.shape[-1] ** 0.5
            shares = np.exp(scores) * mask
            weights = shares / shares.sum(axis=-1, keepdims=True)
            return weights @ value, weights
    """,
    "row by row over the visible keys": """
        def masked_attention(query, key, value, mask):
            weights = np.zeros(mask.shape)
            for i in range(len(query)):
                keys = np.flatnonzero(mask[i])
                scores = key[keys] @ query[i] / query.shape[1] ** 0.5
                shares = np.exp(scores - scores.max())
                weights[i, keys] = shares / shares.sum()
            return weights @ value, weights
    """,
}
