"""`attention_with_loops` is right but slow: it computes one number at a time. Every step of it has
a matrix form.

Write `attention` with matrix products in place of the loops over queries and keys. It must give the
same numbers for a batch of any size, one sentence included: queries and keys of width $d_k$, values
of width $d_v$, and any numbers of queries and keys, equal or not. It must also do two things that
the loops cannot: take arrays with one more axis in front of the batch, `(..., batch, num_queries,
d_k)`, and stay finite when scores are in the thousands. It returns the output alone and leaves its
arguments unchanged.
"""

import math

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_same,
    expect_shape,
)

exercise(
    title="From loops to matrices",
    version=2,
    withhold=[
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
    ],
    practice=True,
    hints=[
        "Score $(b, i, j)$ is the dot product of query $i$ and key $j$ of batch entry $b$. What is "
        "the shape of the array of all scores?",
        "`query @ key.swapaxes(-1, -2)` multiplies `(..., num_queries, d_k)` by `(..., d_k, "
        "num_keys)` and leaves the axes in front alone.",
        "After scaling and a softmax over the last axis, `weights @ value` multiplies `(..., "
        "num_queries, num_keys)` by `(..., num_keys, d_v)`.",
    ],
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
    """Return the same by matrix products.

    query: (..., batch, num_queries, d_k)
    key: (..., batch, num_keys, d_k)   value: (..., batch, num_keys, d_v)
    """
    # BEGIN SOLUTION
    scores = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ value
    # END SOLUTION


MISTAKES = r"""
one-sum: `.sum(axis=-1, keepdims=True)` → `.sum()`
    All weights of the array together sum to 1. Each row needs a sum of its own.
one-sum-a-sentence: `.sum(axis=-1` → `.sum(axis=(-2, -1)`
    The weights of all queries of a sentence sum to 1 together. Each row needs a sum of its own.
mixed-batch: `key.swapaxes(-1, -2)` → `key[0].T`, `weights @ value` → `weights @ value[0]`
    All sentences were given the keys and values of the first one. Each entry of the batch has its
    own.
transposed: `return weights` → `return weights.swapaxes(-1, -2) @ weights`
    The output has one row for each key. It needs one for each query.
lost-batch: `weights @ value` → `(weights @ value).squeeze()`
    The batch axis is missing. It stays even if the batch has only one sentence.
over-the-batch: `axis=-1` → `axis=0`
    The softmax runs over the first axis, so sentences that have nothing to do with each other
    compete. The keys are the last axis of the scores.
reshaped: `key.swapaxes(-1, -2)` → `key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])`
    The keys were reshaped to (..., d_k, num_keys), which mixes their numbers. Exchange the last two
    axes: `key.swapaxes(-1, -2)`.
scaled-by-batch: `math.sqrt(query.shape[-1])` → `math.sqrt(len(query))`
    The scores were divided by the square root of the size of the batch. The scale depends on how
    wide a key is (√d_k).
features-first: `weights @ value` → `(weights @ value).swapaxes(-1, -2)`
    The last two axes of the output are exchanged: rows are queries, and columns are the features of
    the values.
several: `weights @ value` → `weights @ value, weights`
    Return the output alone: `return output`, without the weights.
overflow: ` - scores.max(axis=-1, keepdims=True)` → ``
    With large scores the output is NaN: an exponential was infinite, or all exponentials of a row
    were 0. Subtract from each row its own largest score first; the weights stay the same.
clipped: `np.exp(scores - scores.max(axis=-1, keepdims=True))` → `np.exp(scores.clip(-500, 500))`
    Large scores that differ got the same weight. Limiting the scores changes their differences;
    subtracting the largest of a row keeps them.
zero-rows: ` - scores.max(axis=-1, keepdims=True)` → ``,
  `return weights` → `return np.nan_to_num(weights)`
    Some outputs are 0, as if no key had any weight. Where NaN was replaced by 0, avoid the NaN:
    subtract the largest score of each row.
unscaled: ` / math.sqrt(query.shape[-1])` → ``
scaled-by-d: `math.sqrt(query.shape[-1])` → `query.shape[-1]`
scaled-by-num-keys: (also scaled-by-num-tokens) `query.shape[-1]` → `key.shape[-2]`
wrong-axis: `axis=-1` → `axis=-2`
no-softmax: `return weights` → `return scores`
raises: `def attention(query, key, value): return attention_with_loops(query, key, value)`
changes-arguments: `scores = query @` → `query *= 2; scores = query / 2 @`
hard: `return weights` → `return (weights == weights.max(axis=-1, keepdims=True))`
multiplied-by-root: `/ math` → `* math`
scaled-by-num-queries: (also scaled-by-num-tokens) `query.shape[-1]` → `query.shape[-2]`
scaled-by-value-width: `query.shape[-1]` → `value.shape[-1]`
cosine: `math.sqrt(query.shape[-1])` → `np.linalg.norm(query, axis=-1)[..., None]`,
  `key.swapaxes(-1, -2)` → `(key / np.linalg.norm(key, axis=-1)[..., None]).swapaxes(-1, -2)`
scaled-after-softmax: ` / math.sqrt(query.shape[-1])` → ``,
  `return weights` → `return weights / math.sqrt(query.shape[-1])`
not-normalised: (also overflow) ` - scores.max(axis=-1, keepdims=True)` → ``,
  ` / weights.sum(axis=-1, keepdims=True)` → ``
not-normalised-shifted: ` / weights.sum(axis=-1, keepdims=True)` → ``
one-more-in-the-sum: `.sum(` → `.sum(initial=1, `
softmax-twice: `return weights` →
  `weights = np.exp(weights); return weights / weights.sum(axis=-1, keepdims=True)`
sum-normalised: `np.exp(scores - scores.max(axis=-1, keepdims=True))` → `scores`
base-two: `np.exp(` → `np.exp2(`
uniform: `np.exp(scores - scores.max(axis=-1, keepdims=True))` → `np.ones_like(scores)`
one-softmax-for-all: (also one-sum-a-sentence) `axis=-1` → `axis=(-2, -1)`
returns-weights: ` @ value` → ``
returns-scores: `return weights @ value` → `return scores`
keys-as-values: `@ value` → `@ key`
queries-as-values: `@ value` → `@ query`
weights-transposed: `return weights` → `return weights.swapaxes(-1, -2)`
values-in-other-order: `@ value` → `@ value[..., ::-1, :]`
scaled-by-num-tokens:
"""


def _inputs(rng, batch, num_queries, num_keys, d_k, d_v):
    sizes = ((num_queries, d_k), (num_keys, d_k), (num_keys, d_v))
    return tuple(rng.normal(size=(*np.atleast_1d(batch), *size)) for size in sizes)


@check(points=1)
def shape(attention):
    """2 sentences, then 1: 3 queries, 5 keys, values of width 11. All of them have an effect"""
    for batch in (2, 1):
        inputs = _inputs(np.random.default_rng(0), batch, 3, 5, 7, 11)
        seen = call_keeping_inputs(attention, *inputs)
        count = len(seen) if isinstance(seen, tuple) else 1
        expect(count == 1, f"attention(…) returned {count} things; expected one array.", "several")
        expect_shape(seen, (batch, 3, 11), what="attention(…)")
        again = np.allclose(call_keeping_inputs(attention, *inputs), seen, equal_nan=True)
        expect(again, "A second call with the same arguments gives another output.")
        for i, what in enumerate(("query", "key", "value")):
            changed = [2 * array if i == j else array for j, array in enumerate(inputs)]
            same = np.array_equal(call_keeping_inputs(attention, *changed), seen)
            expect(not same, f"With another {what} the output is the same.")


@check(points=2)
def same_as_the_loops(attention):
    """The numbers of the loops, also with one more axis in front of the batch"""
    for batch in (2, (3, 2)):
        _compare(attention, np.random.default_rng(1), batch, 3, 5, 7, 11)


def _compare(attention, rng, batch, *sizes):
    inputs = _inputs(rng, batch, *sizes)
    what = "attention(…)" if np.ndim(batch) == 0 else f"attention(…) with {batch} in front"
    expect_same(attention, scaled_dot_product_attention, *inputs, what=what)


@check(points=1)
def large_scores(attention):
    """Scores in the thousands, for which the loops overflow"""
    for batch in (2, (3, 2)):
        query, key, value = _inputs(np.random.default_rng(2), batch, 3, 5, 7, 11)
        inputs, what = (1e4 * query, key, value), "attention(…) with large scores"
        shape = (*np.atleast_1d(batch), 3, 11)
        seen = expect_shape(call_keeping_inputs(attention, *inputs), shape, what=what)
        is_finite = np.isfinite(seen).all()
        expect(is_finite, "With large scores the output is NaN or infinite.", "overflow")
        expect_close(seen, scaled_dot_product_attention(*inputs), what=what)


@check(points=1, hidden=True)
def as_many_queries_as_keys(attention, rng):
    """Square scores, where a transposed matrix has the right shape"""
    for batch in (3, (2, 3)):
        _compare(attention, rng, batch, 7, 7, 5, 11)


ALSO_RIGHT = {
    "einsum": """
        def attention(query, key, value):
            scores = np.einsum("...qd,...kd->...qk", query, key) / query.shape[-1] ** 0.5
            weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            return np.einsum("...qk,...kv->...qv", weights, value)
    """,
    "scaled queries, np.matmul, division at the end": """
        def attention(query, key, value):
            query = query * query.shape[-1] ** -0.5
            scores = np.matmul(query, np.moveaxis(key, -1, -2))
            shares = np.exp(scores - scores.max(-1)[..., None])
            return np.matmul(shares, value) / np.sum(shares, axis=-1)[..., None]
    """,
}
