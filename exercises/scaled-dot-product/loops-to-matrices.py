"""`attention_with_loops` is right, and slow: it makes one number at a time. Every step of it has a
matrix form.

Write `attention` without a Python loop. It must give the same numbers for a batch of any size:
queries and keys of width $d_k$, values of width $d_v$, and not as many queries as keys. Unlike the
loops, it must also survive scores in the thousands.
"""

import math

import numpy as np

from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="loops-to-matrices",
    chapter="scaled-dot-product",
    title="From loops to matrices",
    withhold=[
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
    ],
    practice=True,
    hints=[
        "Score $(b, i, j)$ is the dot product of query $i$ and key $j$ of batch entry $b$. What "
        "shape has the array of all of them?",
        "`query @ key.swapaxes(-1, -2)` multiplies `(batch, num_queries, d_k)` by `(batch, d_k, "
        "num_keys)` and leaves the batch alone.",
        "After scaling and a softmax over the last axis, `weights @ value` multiplies `(batch, "
        "num_queries, num_keys)` by `(batch, num_keys, d_v)`.",
    ],
    misconceptions={
        "unscaled": "The scores were not divided by √d_k. The loops do it before they take the "
        "exponential.",
        "scaled-by-d": "The scores were divided by d_k, not by its square root.",
        "scaled-by-keys": "The scores were divided by the root of the number of keys. What counts "
        "is the width of one key, d_k.",
        "softmax-over-queries": "The softmax ran over the queries: the columns sum to 1. One row "
        "belongs to one query, and its weights over the keys sum to 1.",
        "no-softmax": "The scores were used as weights without a softmax.",
        "mixed-batch": "Entries of the batch were mixed: each has its own queries, keys, values.",
        "transposed": "Rows and columns of the score matrix changed places. Rows are queries.",
        "overflow": "The exponential of a large score is infinite. Subtract the largest score of "
        "each row first; the weights stay the same.",
        "hard": "Each query took the value of its best key alone.",
    },
)


def attention_with_loops(query, key, value):
    """Return attention, number by number: (batch, num_queries, d_v)."""
    batch, num_queries, d_k = query.shape
    num_keys, d_v = value.shape[1:]
    output = np.zeros((batch, num_queries, d_v))
    for b in range(batch):
        for i in range(num_queries):
            shares = []
            for j in range(num_keys):
                dot = sum(query[b, i, c] * key[b, j, c] for c in range(d_k))
                shares.append(math.exp(dot / math.sqrt(d_k)))
            for j in range(num_keys):
                output[b, i] += shares[j] / sum(shares) * value[b, j]
    return output


def attention(query, key, value):
    """Return the same without loops.

    query: (batch, num_queries, d_k)
    key: (batch, num_keys, d_k)   value: (batch, num_keys, d_v)
    """
    # BEGIN SOLUTION
    scores = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ value
    # END SOLUTION


def _softmax(scores, axis=-1):
    shares = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return shares / shares.sum(axis=axis, keepdims=True)


def _inputs(rng, batch, num_queries, num_keys, d_k, d_v):
    return (
        rng.normal(size=(batch, num_queries, d_k)),
        rng.normal(size=(batch, num_keys, d_k)),
        rng.normal(size=(batch, num_keys, d_v)),
    )


def _mistakes(query, key, value):
    raw = query @ key.swapaxes(-1, -2)
    d_k = query.shape[-1]
    scores = raw / np.sqrt(d_k)
    best = np.eye(raw.shape[-1])[scores.argmax(axis=-1)]
    return {
        "unscaled": _softmax(raw) @ value,
        "scaled-by-d": _softmax(raw / d_k) @ value,
        "scaled-by-keys": _softmax(raw / np.sqrt(key.shape[-2])) @ value,
        "softmax-over-queries": _softmax(scores, axis=-2) @ value,
        "no-softmax": scores @ value,
        "hard": best @ value,
        "mixed-batch": _softmax(query @ key[0].T / np.sqrt(d_k)) @ value[0],
    }


@check(points=1)
def shape(attention):
    """2 sentences, 3 queries, 5 keys, values of width 11"""
    inputs = _inputs(np.random.default_rng(0), 2, 3, 5, 7, 11)
    expect_shape(
        attention(*inputs), (2, 3, 11), what="attention(…)", mistakes={"transposed": (2, 5, 11)}
    )


@check(points=2)
def same_as_the_loops(attention):
    """The numbers of the loops"""
    query, key, value = _inputs(np.random.default_rng(1), 2, 3, 5, 7, 11)
    scores = np.einsum("bqd,bkd->bqk", query, key) / np.sqrt(7)
    expect_close(
        attention(query, key, value),
        _softmax(scores) @ value,
        what="attention(…)",
        mistakes=_mistakes(query, key, value),
    )


@check(points=1)
def large_scores(attention):
    """Scores in the thousands, which the loops do not survive"""
    query, key, value = _inputs(np.random.default_rng(2), 2, 3, 5, 7, 11)
    what = "attention(…) with large scores"
    seen = expect_shape(attention(1e4 * query, key, value), (2, 3, 11), what=what)
    expect(np.isfinite(seen).all(), "With large scores the output is NaN or infinite.", "overflow")
    scores = 1e4 * query @ key.swapaxes(-1, -2) / np.sqrt(7)
    expect_close(seen, _softmax(scores) @ value, what=what)


@check(points=1, hidden=True)
def as_many_queries_as_keys(attention, rng):
    """Square scores, where a transposed matrix has the right shape"""
    query, key, value = _inputs(rng, 3, 7, 7, 5, 7)
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(5)
    seen = expect_shape(attention(query, key, value), (3, 7, 7), what="attention(…)")
    mistakes = _mistakes(query, key, value)
    mistakes["transposed"] = _softmax(scores.swapaxes(-1, -2)) @ value
    expect_close(seen, _softmax(scores) @ value, what="attention(…)", mistakes=mistakes)


WRONG = {
    "not scaled": wrong(
        replace={" / math.sqrt(query.shape[-1])": ""},
        rejected_by=["same_as_the_loops"],
        misconception="unscaled",
    ),
    "divided by d_k": wrong(
        replace={"math.sqrt(query.shape[-1])": "query.shape[-1]"},
        rejected_by=["same_as_the_loops"],
        misconception="scaled-by-d",
    ),
    "divided by the root of the number of keys": wrong(
        replace={"query.shape[-1]": "key.shape[-2]"},
        rejected_by=["same_as_the_loops"],
        misconception="scaled-by-keys",
    ),
    "softmax over the queries": wrong(
        replace={"axis=-1": "axis=-2"},
        rejected_by=["same_as_the_loops"],
        misconception="softmax-over-queries",
    ),
    "no softmax": wrong(
        replace={"return weights @ value": "return scores @ value"},
        rejected_by=["same_as_the_loops"],
        misconception="no-softmax",
    ),
    "keys times queries": wrong(
        """
        def attention(query, key, value):
            scores = key @ query.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
            weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
            return weights @ query @ np.ones((query.shape[-1], value.shape[-1]))
        """,
        rejected_by=["shape"],
        misconception="transposed",
    ),
    "only the first sentence's keys": wrong(
        replace={"key.swapaxes(-1, -2)": "key[0].T", "weights @ value": "weights @ value[0]"},
        rejected_by=["same_as_the_loops"],
        misconception="mixed-batch",
    ),
    "calls the loops": wrong(
        """
        def attention_with_loops(query, key, value):
            output = np.zeros((*query.shape[:2], value.shape[-1]))
            for b in range(len(query)):
                for i in range(query.shape[1]):
                    scores = key[b] @ query[b, i] / math.sqrt(query.shape[-1])
                    shares = [math.exp(score) for score in scores]
                    output[b, i] = np.array(shares) @ value[b] / sum(shares)
            return output

        def attention(query, key, value):
            return attention_with_loops(query, key, value)
        """,
        rejected_by=["large_scores"],
        misconception="raises",
    ),
    "overflows": wrong(
        replace={" - scores.max(axis=-1, keepdims=True)": ""},
        rejected_by=["large_scores"],
        misconception="overflow",
    ),
    "the best key only": wrong(
        """
        def attention(query, key, value):
            best = (query @ key.swapaxes(-1, -2)).argmax(axis=-1)
            return np.take_along_axis(value, best[..., None], axis=1)
        """,
        rejected_by=["same_as_the_loops"],
        misconception="hard",
    ),
}

ALSO_RIGHT = {
    "einsum": """
        def attention(query, key, value):
            scores = np.einsum("bqd,bkd->bqk", query, key) / query.shape[2] ** 0.5
            weights = np.exp(scores - np.max(scores, axis=2, keepdims=True))
            weights /= weights.sum(2, keepdims=True)
            return np.einsum("bqk,bkv->bqv", weights, value)
    """,
    "scaled queries, np.matmul, division at the end": """
        def attention(query, key, value):
            query = query * query.shape[-1] ** -0.5
            scores = np.matmul(query, np.transpose(key, (0, 2, 1)))
            shares = np.exp(scores - scores.max(-1)[..., None])
            return np.matmul(shares, value) / np.sum(shares, axis=-1)[..., None]
    """,
}
