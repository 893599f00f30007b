"""A library desk has one question and two books. The question is the query $q = (1, 0)$. The
books' labels are the keys $k_1 = (1, 1)$ and $k_2 = (0, 1)$, and what they say are the values
$v_1 = (0.5, 0.5)$ and $v_2 = (0.2, 0.8)$.

Write `context_vector`: the dot product of the query with each key, softmax over the keys, then
the sum of the values with those weights. Do **not** scale the scores. Your function must work
for any number of keys and any widths.
"""

import numpy as np

from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

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
    ],
    misconceptions={
        "no-softmax-or-hard": "[0.5, 0.5] is the first value alone. Either the scores (1, 0) were "
        "used as weights without a softmax, or only the best key was taken. Softmax gives every "
        "key a share: which share does a score of 0 get?",
        "no-softmax": "The scores themselves were used as weights. They can be negative and need "
        "not sum to 1; softmax turns them into shares that do.",
        "hard": "This is the value of the best key alone. Softmax gives every key a share, and the "
        "best key the largest.",
        "scaled": "The scores were divided by √d_k. That is scaled dot-product attention, the next "
        "chapter's subject; this exercise asks for plain dot products.",
        "uniform": "That is the plain mean of the values: every key got the same weight. But the "
        "scores differ; which weights does softmax make of them?",
        "swapped": "The weights are right but sit on the wrong values. The weight of key i belongs "
        "to value i.",
        "not-normalised": "The weights do not sum to 1. Softmax divides each exponential by the "
        "sum of all of them.",
        "returns-weights": "These are the weights, one for each key. The context vector is what "
        "they make of the values.",
        "overflow": "exp of a large score is infinite. Softmax does not change when the same "
        "number is taken from all scores, so take away the largest one first.",
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
    weights = np.exp([1.0, 0.0])
    expect_close(
        context_vector(QUERY, KEYS, VALUES),
        [0.41932, 0.58068],
        atol=0.005,
        what="context_vector(q, K, V)",
        mistakes={
            "no-softmax-or-hard": [0.5, 0.5],
            "scaled": [0.40093, 0.59907],
            "uniform": [0.35, 0.65],
            "swapped": [0.28068, 0.71932],
            "not-normalised": weights @ VALUES,
            "returns-weights": weights / weights.sum(),
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
    seen = context_vector(np.array([0.3, -0.2, 0.5]), keys, values)
    expect_shape(seen, (7,), what="context_vector(q, K, V)", mistakes={"returns-weights": (5,)})
    scores = keys @ np.array([0.3, -0.2, 0.5])
    weights = np.exp(scores) / np.exp(scores).sum()
    expect_close(
        seen,
        weights @ values,
        what="context_vector(q, K, V)",
        mistakes={
            "no-softmax": scores @ values,
            "hard": values[scores.argmax()],
            "swapped": weights[::-1] @ values,
            "scaled": _softmax(scores / np.sqrt(3)) @ values,
            "uniform": values.mean(axis=0),
            "not-normalised": np.exp(scores) @ values,
        },
    )


QUERY, KEYS = np.array([1.0, 0.0]), np.array([[1.0, 1.0], [0.0, 1.0]])
VALUES = np.array([[0.5, 0.5], [0.2, 0.8]])


def _softmax(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


@check(points=1, hidden=True)
def large_scores(context_vector, rng):
    """Stays finite when scores are large"""
    keys = rng.normal(size=(5, 3))
    query = 1e4 * rng.normal(size=3)
    keys[0] = query / np.linalg.norm(query)
    values = rng.normal(size=(5, 2))
    seen = context_vector(query, keys, values)
    what = "context_vector(q, K, V), with scores near 10000,"
    expect_shape(seen, (2,), what=what, mistakes={"returns-weights": (5,)})
    expect(np.isfinite(seen).all(), f"{what} is NaN or infinite.", "overflow")
    expect_close(
        seen,
        _softmax(keys @ query) @ values,
        what=what,
        mistakes={"uniform": values.mean(axis=0), "no-softmax": keys @ query @ values},
    )


WRONG = {
    "scores as weights": wrong(
        """
        def context_vector(query, keys, values):
            return (keys @ query) @ values
        """,
        rejected_by=["worked_example", "any_width"],
        misconception="no-softmax",
    ),
    "only the best key": wrong(
        """
        def context_vector(query, keys, values):
            return values[(keys @ query).argmax()]
        """,
        rejected_by=["worked_example", "any_width"],
        misconception="hard",
    ),
    "scaled": wrong(
        replace={"scores = keys @ query": "scores = keys @ query / np.sqrt(len(query))"},
        rejected_by=["worked_example", "any_width"],
        misconception="scaled",
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
        misconception="swapped",
    ),
    "not divided by the sum": wrong(
        """
        def context_vector(query, keys, values):
            return np.exp(keys @ query) @ values
        """,
        rejected_by=["worked_example", "any_width"],
        misconception="not-normalised",
    ),
    "returns the weights": wrong(
        replace={"return weights @ values": "return weights"},
        rejected_by=["worked_example", "any_width"],
        misconception="returns-weights",
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
