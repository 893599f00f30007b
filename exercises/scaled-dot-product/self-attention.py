"""Put the pieces together. `self_attention` gets the embeddings `x` of a sentence and the three
matrices $W^Q, W^K, W^V$. It computes queries, keys and values from the **same** sentence, scores
every query against every key, scales by $1/\\sqrt{d_k}$, takes the softmax of each row, and mixes
the values.

Return two things, the output and the weights, in this order. The type stays: `float32` in gives
`float32` out, and `float64` gives `float64`. The numbers must be right for scores in the thousands
too, not `nan`, and the arguments stay unchanged.
"""

import math

import numpy as np

from attn import scaled_dot_product_attention
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
    title="Self-attention in NumPy",
    version=2,
    withhold=[
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
    ],
    hints=[
        "Three projections of the same `x`: what shape does each have, and which two of them must "
        "be equally wide?",
        "`scores = query @ key.T / math.sqrt(d_k)` has shape `(num_tokens, num_tokens)`; row i "
        "belongs to query i.",
        "Softmax along `axis=-1` with `keepdims=True`, then `output = weights @ value`. "
        "If a wider type comes out, look at the number that you scale by.",
    ],
)


def self_attention(x, w_query, w_key, w_value):
    """Return the output and the weights.

    x: (num_tokens, d_model)
    w_query, w_key: (d_model, d_k)   w_value: (d_model, d_v)
    output: (num_tokens, d_v)   weights: (num_tokens, num_tokens)
    """
    # BEGIN SOLUTION
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.T / math.sqrt(query.shape[-1])  # (num_tokens, num_tokens)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights
    # END SOLUTION


MISTAKES = r"""
scaled-by-model: `query.shape[-1]` → `x.shape[-1]`
    The scores were divided by √d_model. d_k is the width of a query after the projection, the
    second axis of w_query.
transposed: `query @ key.T` → `key @ query.T`
    The roles of queries and keys are exchanged: this is softmax(K Qᵀ). Row i belongs to query i,
    column j to key j.
divided-by-model: `math.sqrt(query.shape[-1])` → `x.shape[-1]`
    The scores were divided by d_model. The scale is 1/√d_k, with d_k the width of a query.
divided-by-tokens: `math.sqrt(query.shape[-1])` → `len(x)`
    The scores were divided by the number of tokens, not by √d_k.
scaled-by-values: `query.shape[-1]` → `value.shape[-1]`
    The scores were divided by the square root of d_v, the width of the values. Scores compare
    queries with keys, so the scale is 1/√d_k.
scores-of-embeddings: `x @ w_query, x @ w_key` → `x, x`
    The scores compare the embeddings with each other. They have to compare queries, x @ w_query,
    with keys, x @ w_key.
causal: `weights = np.exp` → `scores[np.triu_indices(len(x), 1)] = -np.inf; weights = np.exp`
    Later tokens got no weight, as under a causal mask. Here every token attends to all tokens.
value-added: `weights @ value` → `weights @ value + value`
    Each token's own value was added to the output. The output is the weighted sum alone.
embedding-added: `weights @ value` → `weights @ value + x`
    x was added to the output. The output is the weighted sum alone.
zero-rows: `max(axis=-1, keepdims=True)` → `max()`,
  `weights / weights.sum(axis=-1, keepdims=True)` →
  `np.nan_to_num(weights / weights.sum(axis=-1, keepdims=True))`
    Some weights are 0 in a whole row. Subtract from each row its own largest score; then no row has
    only exponentials of 0, and no NaN has to be replaced.
unprojected: (also as-wide-as-embeddings) `weights @ value` → `weights @ x`
    The output is the weighted sum of the embeddings x. It has to be the weighted sum of the values,
    x @ w_value.
query-for-key: `x @ w_key` → `x @ w_query`
    Queries and keys were computed with the same matrix. The keys are x @ w_key.
as-wide-as-embeddings: `weights @ value` → `weights @ value @ w_value.T`
    The output is as wide as the embeddings in x. It is made of the values, x @ w_value.
as-wide-as-keys:
    The output is as wide as queries and keys. It is made of the values, x @ w_value.
not-two: `weights @ value, weights` → `weights @ value`
    Return both: `return output, weights`.
order: `weights @ value, weights` → `weights, weights @ value`
    The two results are swapped. The output comes first, then the weights.
float64: `math.sqrt` → `np.sqrt`
    float32 came in and float64 went out. NumPy 2 widens when a float32 array meets a NumPy float64,
    and np.sqrt(d_k) is one. math.sqrt gives a Python float, which leaves the type alone.
float32: `return weights @ value, weights` →
  `return (weights @ value).astype(np.float32), weights.astype(np.float32)`
    float64 came in and float32 went out, which loses half of the digits. Keep the type that comes
    in.
overflow: ` - scores.max(axis=-1, keepdims=True)` → ``
    With large scores the result has NaN. Subtract from each row its own largest score first: then
    no exponential is infinite, and no sum of them is 0.
unscaled: ` / math.sqrt(query.shape[-1])` → ``
scaled-by-d: `math.sqrt(query.shape[-1])` → `query.shape[-1]`
scaled-by-num-tokens: `query.shape[-1]` → `len(x)`
wrong-axis: `axis=-1, keepdims=True` → `axis=0`
multiplied-by-root: `/ math` → `* math`
cosine: `math.sqrt(query.shape[-1])` →
  `np.outer(*(np.linalg.norm(rows, axis=-1) for rows in (query, key)))`
scaled-after-softmax: ` / math.sqrt(query.shape[-1])` → ``,
  `return` → `weights = weights / math.sqrt(query.shape[-1]); return`
no-softmax: `return` → `weights = scores; return`
not-normalised: (also overflow) ` - scores.max(axis=-1, keepdims=True)` → ``,
  ` / weights.sum(axis=-1, keepdims=True)` → ``
not-normalised-shifted: ` / weights.sum(axis=-1, keepdims=True)` → ``
one-more-in-the-sum: `.sum(` → `.sum(initial=1, `
softmax-twice: `return` →
  `weights = np.exp(weights); weights /= weights.sum(axis=-1, keepdims=True); return`
sum-normalised: `np.exp(scores - scores.max(axis=-1, keepdims=True))` → `scores`
base-two: `np.exp(` → `np.exp2(`
hard: (also float64) `return` →
  `weights = (scores == scores.max(axis=-1, keepdims=True)) * 1.0; return`
uniform: `np.exp(scores - scores.max(axis=-1, keepdims=True))` → `np.ones_like(scores)`
one-softmax-for-all: (also zero-rows) `axis=-1` → `axis=None`
log-weights: (also overflow) `@ value, weights` → `@ value, np.log(weights)`
rows-are-keys: `@ value, weights` → `@ value, weights.T`
returns-weights: (also order) `weights @ value, weights` → `weights, weights`
returns-scores: `weights @ value, weights` → `scores, weights`
queries-as-values: (also as-wide-as-keys) `weights @ value` → `weights @ query`
weights-transposed: `weights @ value` → `weights.T @ value`
values-in-other-order: `weights @ value` → `weights @ value[::-1]`
keys-as-values: (also as-wide-as-keys) `weights @ value` → `weights @ key`
"""


_NAMES = ("output", "array of weights")


@check(points=1)
def shapes(self_attention):
    """7 tokens of width 11, d_k = 3, d_v = 5: two results, their shapes, what they depend on"""
    inputs = _inputs(np.random.default_rng(0), 7, 11, 3, 5)
    output, weights = _both(self_attention, *inputs)
    expect_shape(output, (7, 5), what="the output")
    expect_shape(weights, (7, 7), what="the array of weights")
    _expect_dependence(self_attention, inputs)


@check(points=2)
def numbers(self_attention):
    """The weights and the output"""
    _compare(self_attention, _inputs(np.random.default_rng(1), 7, 11, 3, 5))


@check(points=1)
def stays_float32(self_attention):
    """float32 in, float32 out; float64 in, float64 out"""
    for kind, other in ((np.float32, "float64"), (np.float64, "float32")):
        inputs = [a.astype(kind) for a in _inputs(np.random.default_rng(2), 5, 7, 3, 2)]
        for what, seen in zip(_NAMES, _both(self_attention, *inputs), strict=True):
            dtype = as_array(seen, f"the {what}").dtype
            message = f"The {what} has type {dtype}; expected {np.dtype(kind)}."
            expect(dtype == kind, message, other if dtype == other else None)
        _expect_dependence(self_attention, inputs)


@check(points=1)
def large_scores(self_attention):
    """Scores in the thousands"""
    x, w_query, w_key, w_value = _inputs(np.random.default_rng(3), 7, 11, 3, 5)
    inputs = (x, 1e4 * w_query, w_key, w_value)
    for what, seen in zip(_NAMES, _both(self_attention, *inputs), strict=True):
        seen = as_array(seen, f"the {what}")
        expect(np.isfinite(seen).all(), f"With large scores the {what} has NaN.", "overflow")
    rows = expect_shape(seen, (7, 7), what="the array of weights")
    _, right = _right(*inputs)
    empty = (rows == 0).all(axis=-1)
    others_are_right = np.allclose(rows[~empty], right[~empty], atol=1e-6)
    message = "With large scores, whole rows of weights are 0."
    expect(not (empty.any() and others_are_right), message, "zero-rows")
    _compare(self_attention, inputs)


def _inputs(rng, num_tokens, d_model, d_k, d_v):
    x = rng.normal(size=(num_tokens, d_model))
    return x, *(rng.normal(size=(d_model, d)) / np.sqrt(d_model) for d in (d_k, d_k, d_v))


def _expect_dependence(self_attention, inputs):
    """Change each argument in turn: the output has to change with it, and only then."""
    output, _ = _both(self_attention, *inputs)
    again = np.allclose(_both(self_attention, *inputs)[0], output, equal_nan=True)
    expect(again, "A second call with the same arguments gives another output.")
    for i, what in enumerate(("x", "w_query", "w_key", "w_value")):
        changed = [2 * array if i == j else array for j, array in enumerate(inputs)]
        same = np.array_equal(_both(self_attention, *changed)[0], output)
        expect(not same, f"With another {what} the output is the same.")


def _both(self_attention, *inputs):
    seen = call_keeping_inputs(self_attention, *inputs)
    returned = "None" if seen is None else "one thing"
    message = f"self_attention returned {returned}; expected (output, weights)."
    return expect_parts(seen, 2, message, "not-two")


def _right(x, w_query, w_key, w_value):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    return scaled_dot_product_attention(query, key, value, return_weights=True)


def _compare(self_attention, inputs):
    (output, weights), right = _both(self_attention, *inputs), _right(*inputs)
    expect_close(weights, right[1], what="The array of weights")
    expect_close(output, right[0], what="The output")


@check(points=1, hidden=True)
def other_sizes(self_attention, rng):
    """Other sizes, where values are as wide as embeddings or as many as tokens"""
    _compare(self_attention, _inputs(rng, 5, 13, 2, 13))
    _compare(self_attention, _inputs(rng, 3, 7, 5, 3))


ALSO_RIGHT = {
    "einsum": """
        def self_attention(x, w_query, w_key, w_value):
            query, key, value = (np.einsum("td,de->te", x, w) for w in (w_query, w_key, w_value))
            scores = np.einsum("id,jd->ij", query, key) * w_key.shape[1] ** -0.5
            shares = np.exp(scores - scores.max(1)[:, None])
            weights = shares / shares.sum(1)[:, None]
            return np.einsum("ij,jv->iv", weights, value), weights
    """,
    "row by row, as a list": """
        def self_attention(x, w_query, w_key, w_value):
            keys, values = x @ w_key, x @ w_value
            outputs, rows = [], []
            for query in x @ w_query:
                scores = keys @ query / math.sqrt(len(query))
                weights = np.exp(scores - scores.max())
                rows.append(weights / weights.sum())
                outputs.append(rows[-1] @ values)
            return [np.stack(outputs), np.stack(rows)]
    """,
}
