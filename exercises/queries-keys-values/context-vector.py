"""You come to a library with one question, and there are two books. The question is the query $q =
(1, 0)$. The books' labels are the keys $k_1 = (1, 1)$ and $k_2 = (0, 1)$, and what they say are
the values $v_1 = (0.5, 0.5)$ and $v_2 = (0.2, 0.8)$.

Write `context_vector`: the dot product of the query with each key, softmax over the keys, then the
sum of the values with those weights. Do **not** scale the scores. Your function must work for any
number of keys and any widths. Scores may be as large as 10,000, and those that differ by 1 still
get different weights. Leave the arguments unchanged.
"""

import numpy as np

import attn
from attnlab import mistakes
from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    wrong,
)

exercise(
    id="context-vector",
    chapter="queries-keys-values",
    title="The context vector, in code",
    withhold=[
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
    ],
    hints=[
        "Which two things are compared, and how many scores does one query get when there are "
        "`num_keys` keys?",
        "`keys @ query` has shape `(num_keys,)`. Softmax turns those scores into weights that "
        "sum to 1; `np.exp` does the exponential.",
        "With `weights` of shape `(num_keys,)` and `values` of shape `(num_keys, d_v)`, the "
        "context vector is `weights @ values`, of shape `(d_v,)`. What is left is one line for "
        "`weights`.",
        "`np.exp` overflows above about 709, in `float32` above 88. `np.exp(scores - scores.max())` gives the same "
        "weights without the overflow.",
    ],
    misconceptions={
        "scaled-by-root-two": "The first score came out as 1/√2 and not as 1: the scores were "
        "divided by √d_k, the next chapter's subject, or the vectors by their lengths. This "
        "exercise asks for plain dot products.",
        "no-softmax-or-hard": "[0.5, 0.5] equals the first value, as if the second key had no "
        "weight. The softmax turns its score of 0 into the weight e⁰ / (e¹ + e⁰) = 0.27.",
        "weights-exchanged": "The second value got the weight of the first. The first key has the "
        "larger score, 1, so its value gets the larger weight.",
        "negated": "The scores have the wrong sign: the key that fits best gets the least weight.",
        "averaged": "The weighted sum was divided by the number of keys. The weights sum to 1, so "
        "the sum is a mean already.",
        "one-per-key": "The result has one number for each key. The context vector has one for "
        "each feature of the values: multiply each value by its weight and add the values up.",
        "fixed-sizes": "The result has two numbers, whatever the sizes of the arguments. Compute "
        "it from the arguments, not from the numbers of the worked example.",
        "compares-values": "The query was compared with the values. Scores compare it with the "
        "keys; the values are only summed.",
        "softmax-last": "The softmax was taken at the end, of the sum. It belongs to the scores, "
        "before they meet the values.",
        "clipped": "Two large scores that differ by 1 got the same weight. Limiting the scores "
        "changes their differences; subtracting the largest one keeps them.",
        "overflow": "exp of a large score is infinite, and infinity divided by infinity is NaN. "
        "The softmax does not change when the same number is subtracted from all scores: subtract "
        "the largest one first.",
    },
)


def context_vector(query, keys, values):
    """Return the context vector of one query, shape (d_v,).

    query: (d_k,)   keys: (num_keys, d_k)   values: (num_keys, d_v)
    """
    # BEGIN SOLUTION
    scores = keys @ query  # (num_keys,)
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    return weights @ values
    # END SOLUTION


@check(
    points=2,
    success_message="The scores 1 and 0 become the weights 0.731 and 0.269, and the context vector "
    "is 0.731·(0.5, 0.5) + 0.269·(0.2, 0.8).",
)
def worked_example(context_vector):
    """The two books: q = (1, 0)"""
    known = _mistakes(QUERY, KEYS, VALUES)
    # With the scores 1 and 0, these give the same numbers.
    alike = ("no-softmax", "hard", "softmax-last", "cosine", "sum-normalised")
    for id in (*alike, "values-in-other-order", "negated"):
        del known[id]
    expect_close(
        call_keeping_inputs(context_vector, QUERY, KEYS, VALUES),
        _right(QUERY, KEYS, VALUES),
        atol=1e-4,
        what="context_vector(q, K, V)",
        mistakes={
            **known,
            "no-softmax-or-hard": [0.5, 0.5],
            "weights-exchanged": _softmax(-KEYS @ QUERY) @ VALUES,
            "scaled-by-root-two": _softmax(KEYS @ QUERY / np.sqrt(2)) @ VALUES,
            "compares-values": _softmax(VALUES @ QUERY) @ VALUES,
        },
    )


@check(
    points=1,
    success_message="No size is written into your function: it reads them from its arguments.",
)
def any_width(context_vector):
    """Works for 5 keys of width 3 and values of width 7"""
    steps = np.arange(5)
    keys = np.stack([np.sin(steps), np.cos(steps), steps / 5], axis=1)
    values = np.arange(35.0).reshape(5, 7) ** 2 / 100
    query = np.array([0.3, -0.2, 0.5])
    seen = expect_shape(
        call_keeping_inputs(context_vector, query, keys, values),
        (7,),
        what="context_vector(q, K, V)",
        mistakes={"one-per-key": (5,), "fixed-sizes": (2,)},
    )
    expect_close(
        seen,
        _right(query, keys, values),
        what="context_vector(q, K, V)",
        mistakes=_mistakes(query, keys, values),
    )


@check(points=1, success_message="Only the differences between the scores count.")
def thousands(context_vector):
    """Scores of 2,001, 2,000 and 0"""
    query, keys = np.array([1000.0, 1.0]), np.array([[2.0, 1.0], [2.0, 0.0], [1.0, -1000.0]])
    values = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0], [5.0, 7.0, 0.0]])
    seen = call_keeping_inputs(context_vector, query, keys, values)
    what = "context_vector(q, K, V), with the scores 2001, 2000 and 0,"
    expect_shape(seen, (3,), what=what)
    expect(np.isfinite(seen).all(), f"{what} is NaN or infinite.", "overflow")
    known = {**_mistakes(query, keys, values), "clipped": values[:2].mean(axis=0)}
    expect_close(seen, _right(query, keys, values), what=what, mistakes=known)


QUERY, KEYS = np.array([1.0, 0.0]), np.array([[1.0, 1.0], [0.0, 1.0]])
VALUES = np.array([[0.5, 0.5], [0.2, 0.8]])


def _right(query, keys, values):
    return attn.scaled_dot_product_attention(query[None], keys, values, scale=1.0)[0]


def _softmax(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def _mistakes(query, keys, values):
    """What the known mistakes compute for one query."""
    of_one_row = mistakes.of_attention(query[None], keys, values, scale=1.0)
    # One query has one row: a softmax over the queries would only leave the weights out.
    del of_one_row["wrong-axis"]
    rows = {
        id: mistakes.Mistake(id, lambda mistake=mistake: mistake()[0])
        for id, mistake in of_one_row.items()
    }
    own = {
        "softmax-last": lambda: _softmax(keys @ query @ values),
        "negated": _softmax(-keys @ query) @ values,
        "averaged": lambda: _right(query, keys, values) / len(keys),
    }
    return {**rows, **own}


@check(points=1, hidden=True)
def large_scores(context_vector, rng):
    """Stays finite when scores are large"""
    keys = rng.normal(size=(5, 3))
    query = 1e4 * rng.normal(size=3)
    keys[0] = query / np.linalg.norm(query)
    values = rng.normal(size=(5, 7))
    seen = call_keeping_inputs(context_vector, query, keys, values)
    what = "context_vector(q, K, V), with scores near 10000,"
    expect_shape(seen, (7,), what=what, mistakes={"one-per-key": (5,), "fixed-sizes": (2,)})
    expect(np.isfinite(seen).all(), f"{what} is NaN or infinite.", "overflow")
    # Nearly all weight is on one key, so different mistakes give the same: none is named.
    expect_close(seen, _right(query, keys, values), what=what)


WRONG = {
    "clips the scores": wrong(
        replace={"scores = keys @ query": "scores = np.clip(keys @ query, -500, 500)"},
        rejected_by=["thousands"],
        misconception="clipped",
    ),
    "scores as weights": wrong(
        """
        def context_vector(query, keys, values):
            return (keys @ query) @ values
        """,
        rejected_by=["worked_example", "any_width"],
        misconception="no-softmax",
        also=["no-softmax-or-hard"],
    ),
    "only the best key": wrong(
        """
        def context_vector(query, keys, values):
            return values[(keys @ query).argmax()]
        """,
        rejected_by=["worked_example", "any_width"],
        misconception="hard",
        also=["no-softmax-or-hard"],
    ),
    "scaled": wrong(
        replace={"scores = keys @ query": "scores = keys @ query / np.sqrt(len(query))"},
        rejected_by=["worked_example", "any_width"],
        misconception="scaled",
        also=["scaled-by-root-two"],
    ),
    "plain mean": wrong(
        """
        def context_vector(query, keys, values):
            return values.mean(axis=0)
        """,
        rejected_by=["worked_example", "any_width"],
        misconception="uniform",
    ),
    "weights swapped": wrong(
        replace={"return weights @ values": "return weights[::-1] @ values"},
        rejected_by=["worked_example", "any_width"],
        misconception="values-in-other-order",
        also=["weights-exchanged"],
    ),
    "the sign of the scores": wrong(
        replace={"scores = keys @ query": "scores = -keys @ query"},
        rejected_by=["worked_example", "any_width"],
        misconception="negated",
        also=["weights-exchanged"],
    ),
    "mean of the products": wrong(
        replace={"return weights @ values": "return (weights[:, None] * values).mean(axis=0)"},
        rejected_by=["worked_example", "any_width"],
        misconception="averaged",
    ),
    "not divided by the sum": wrong(
        """
        def context_vector(query, keys, values):
            return np.exp(keys @ query) @ values
        """,
        rejected_by=["worked_example", "any_width"],
        misconception="not-normalised",
        also=["overflow"],
    ),
    "returns the weights": wrong(
        replace={"return weights @ values": "return weights"},
        rejected_by=["worked_example", "any_width"],
        misconception="returns-weights",
        also=["one-per-key"],
    ),
    "compares with the values": wrong(
        replace={"keys @ query": "values @ query"},
        rejected_by=["worked_example"],
        misconception="compares-values",
    ),
    "lengths divided out": wrong(
        replace={
            "keys @ query": "keys @ query / np.linalg.norm(keys, axis=1) / np.linalg.norm(query)"
        },
        rejected_by=["worked_example", "any_width"],
        misconception="cosine",
        also=["scaled-by-root-two"],
    ),
    "softmax of the sum": wrong(
        """
        def context_vector(query, keys, values):
            context = keys @ query @ values
            return np.exp(context - context.max()) / np.exp(context - context.max()).sum()
        """,
        rejected_by=["any_width"],
        misconception="softmax-last",
        also=["no-softmax-or-hard"],
    ),
    "the worked example's numbers": wrong(
        """
        def context_vector(query, keys, values):
            return np.array([0.731059, 0.268941]) @ np.array([[0.5, 0.5], [0.2, 0.8]])
        """,
        rejected_by=["any_width", "large_scores"],
        misconception="fixed-sizes",
    ),
    "sums the features of each value": wrong(
        replace={"weights @ values": "(weights[:, None] * values).sum(axis=1)"},
        rejected_by=["any_width"],
        misconception="one-per-key",
        also=["returns-weights"],
    ),
    "changes the query": wrong(
        """
        def context_vector(query, keys, values):
            query -= 0.0
            query *= 2.0
            scores = keys @ query / 2.0
            weights = np.exp(scores - scores.max())
            return weights / weights.sum() @ values
        """,
        rejected_by=["worked_example", "any_width"],
        misconception="changes-arguments",
    ),
    "overflows": wrong(
        replace={"np.exp(scores - scores.max())": "np.exp(scores)"},
        rejected_by=["large_scores"],
        misconception="overflow",
    ),
}

ALSO_RIGHT = {
    "einsum": """
        def context_vector(query, keys, values):
            scores = np.einsum("kd,d->k", keys, query)
            scores = scores - np.max(scores)
            weights = np.exp(scores) / np.sum(np.exp(scores))
            return np.einsum("k,kv->v", weights, values)
    """,
    "a loop": """
        def context_vector(query, keys, values):
            scores = [float(np.dot(key, query)) for key in keys]
            top = max(scores)
            shares = [np.exp(score - top) for score in scores]
            total = sum(shares)
            context = np.zeros(values.shape[1])
            for share, value in zip(shares, values):
                context += share / total * value
            return context
    """,
}
