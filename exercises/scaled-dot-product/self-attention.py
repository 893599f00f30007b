"""Put the pieces together. `self_attention` gets the embeddings `x` of a sentence and the three
matrices $W^Q, W^K, W^V$. It computes queries, keys and values from the **same** sentence, scores
every query against every key, scales by $1/\\sqrt{d_k}$, takes the softmax of each row, and mixes
the values.

Return the output and the weights, in this order. Keep the type: `float32` gives `float32`, and
`float64` gives `float64`. The numbers must be right, not `nan`, for scores in the thousands too,
and the arguments must stay unchanged.
"""

import math

import numpy as np

from attnlab import mistakes
from coursekit import (
    CheckFailed,
    as_array,
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
    id="self-attention",
    chapter="scaled-dot-product",
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


@check(points=1)
def shapes(self_attention):
    """7 tokens of width 11, d_k = 3, d_v = 5: two results, their shapes, what they depend on"""
    inputs = _inputs(np.random.default_rng(0), 7, 11, 3, 5)
    output, weights = _both(self_attention, *inputs)
    shape = as_array(output, "the output").shape
    ids = {(7, 7): "order", (7, 11): "as-wide-as-embeddings", (7, 3): "as-wide-as-keys"}
    expect(shape == (7, 5), f"the output has shape {shape}; expected (7, 5).", ids.get(shape))
    expect_shape(weights, (7, 7), what="the array of weights")
    _expect_dependence(self_attention, inputs)


@check(points=2)
def numbers(self_attention):
    """The weights and the output"""
    _compare(self_attention, _inputs(np.random.default_rng(1), 7, 11, 3, 5))


@check(points=1)
def stays_float32(self_attention):
    """float32 in, float32 out; float64 in, float64 out"""
    for kind, other in (("float32", "float64"), ("float64", "float32")):
        inputs = [a.astype(kind) for a in _inputs(np.random.default_rng(2), 5, 7, 3, 2)]
        for what, seen in zip(RESULTS, _both(self_attention, *inputs), strict=True):
            dtype = np.asarray(seen).dtype
            message = f"The {what} has type {dtype}; expected {kind}."
            expect(dtype == kind, message, other if dtype == other else None)
        _expect_dependence(self_attention, inputs)


@check(points=1)
def large_scores(self_attention):
    """Scores in the thousands"""
    x, w_query, w_key, w_value = _inputs(np.random.default_rng(3), 7, 11, 3, 5)
    inputs = (x, 1e4 * w_query, w_key, w_value)
    for what, seen in zip(RESULTS, _both(self_attention, *inputs), strict=True):
        seen = as_array(seen, f"the {what}")
        expect(np.isfinite(seen).all(), f"With large scores the {what} contains NaN.", "overflow")
    rows, right = expect_shape(seen, (7, 7), what="the array of weights"), _weights(*inputs)
    empty = (rows == 0).all(axis=-1)
    zero_rows = empty.any() and np.allclose(rows[~empty], right[~empty], atol=1e-6)
    expect(not zero_rows, "With large scores, whole rows of weights are 0.", "zero-rows")
    _compare(self_attention, inputs)


RESULTS = ("output", "array of weights")


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
        expect(not same, f"With a different {what} the output is the same.")


def _both(self_attention, *inputs):
    seen = call_keeping_inputs(self_attention, *inputs)
    if not isinstance(seen, tuple | list) or len(seen) != 2:
        what = "None" if seen is None else "one thing"
        message = f"self_attention returned {what}; expected (output, weights)."
        raise CheckFailed(message, "not-two")
    return seen


def _weights(x, w_query, w_key, w_value):
    scores = x @ w_query @ (x @ w_key).T / np.sqrt(w_query.shape[1])
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


def _compare(self_attention, inputs):
    right = _weights(*inputs)
    output, weights = _both(self_attention, *inputs)
    expect_close(weights, right, what="The array of weights")
    expect_close(output, right @ (inputs[0] @ inputs[3]), what="The output")


@check(points=1, hidden=True)
def other_sizes(self_attention, rng):
    """Other sizes, where values are as wide as embeddings or as many as tokens"""
    _compare(self_attention, _inputs(rng, 5, 13, 2, 13))
    _compare(self_attention, _inputs(rng, 3, 7, 5, 3))


def _made(x, w_query, w_key, w_value):
    """Return what mistakes in the weights give, and in the output alone."""
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    right, rows = _weights(x, w_query, w_key, w_value), mistakes.of_weights(query, key)
    outputs = mistakes.of_attention(query, key, value)
    made = {id: lambda wrong=wrong: (wrong(), right) for id, wrong in outputs.items()}
    return made | {id: lambda wrong=wrong: (wrong() @ value, wrong()) for id, wrong in rows.items()}


shared_mistakes(mistakes.EXPLANATIONS, self_attention=_made)
_ROWS, _ROOT, _OUTPUT = "(axis=-1, keepdims=True)", "math.sqrt(query.shape[-1])", "weights @ value,"
_SHARES = f"weights / weights.sum{_ROWS}"
mistake(
    "scaled-by-model",
    "The scores were divided by √d_model. d_k is the width of a query after the projection, the "
    "length of w_query's second axis.",
    {_ROOT: "math.sqrt(x.shape[-1])"},
)
mistake(
    "transposed",
    "The roles of queries and keys are exchanged: this is softmax(K Qᵀ). Row i belongs to query i, "
    "column j to key j.",
    {"query @ key.T": "key @ query.T"},
)
mistake(
    "divided-by-model",
    "The scores were divided by d_model. The scale is 1/√d_k, with d_k the width of a query.",
    {_ROOT: "x.shape[-1]"},
)
mistake(
    "divided-by-tokens",
    "The scores were divided by the number of tokens, not by √d_k.",
    {_ROOT: "len(x)"},
)
mistake(
    "scaled-by-values",
    "The scores were divided by the square root of d_v, the width of the values. Scores compare "
    "queries with keys, so the scale is 1/√d_k.",
    {_ROOT: "math.sqrt(value.shape[-1])"},
)
mistake(
    "scores-of-embeddings",
    "The scores compare the embeddings with each other. They have to compare queries, x @ w_query, "
    "with keys, x @ w_key.",
    {f"query @ key.T / {_ROOT}": "x @ x.T / math.sqrt(x.shape[-1])"},
)
mistake(
    "causal",
    "Later tokens got no weight, as under a causal mask. Here every token attends to all tokens.",
    {"weights = np": "scores = np.where(np.tri(len(x)), scores, -np.inf)\n    weights = np"},
)
mistake(
    "value-added",
    "Each token's own value was added to the output. The output is the weighted sum alone.",
    {_OUTPUT: "weights @ value + value,"},
)
mistake(
    "embedding-added",
    "x was added to the output. The output is the weighted sum alone.",
    {_OUTPUT: "weights @ value + x,"},
)
mistake(
    "zero-rows",
    "Some rows of weights are all 0. Subtract from each row its own largest score; then no row has "
    "only exponentials of 0, and no NaN has to be replaced.",
    {f"max{_ROWS}": "max()", _SHARES: f"np.nan_to_num({_SHARES})"},
)
mistake(
    "unprojected",
    "The output is the weighted sum of the embeddings x. It has to be the weighted sum of the "
    "values, x @ w_value.",
    {_OUTPUT: "weights @ x,"},
)
mistake(
    "query-for-key",
    "Queries and keys were computed with the same matrix. The keys are x @ w_key.",
    {"x @ w_key": "x @ w_query"},
)
mistake(
    "as-wide-as-embeddings",
    "The output is as wide as the embeddings in x. It is made of the values, x @ w_value.",
    {_OUTPUT: "weights @ value @ w_value.T,"},
)
mistake(
    "as-wide-as-keys",
    "The output is as wide as queries and keys. It is made of the values, x @ w_value.",
    {_OUTPUT: "weights @ (query + key),"},
)
mistake("not-two", "Return both: `return output, weights`.", {"value, weights": "value"})
mistake(
    "order",
    "The two results are swapped. The output comes first, then the weights.",
    {"return weights @ value, weights": "return weights, weights @ value"},
)
mistake(
    "float64",
    "float32 came in and float64 went out. NumPy 2 widens the type when a float32 array meets a "
    "NumPy float64, as np.sqrt(d_k) is. math.sqrt gives a Python float, which leaves the type "
    "unchanged.",
    {"math.sqrt": "np.sqrt"},
)
mistake(
    "float32",
    "float64 came in and float32 went out, which loses half of the digits. Keep the type that "
    "comes in.",
    {_SHARES: f"({_SHARES}).astype('f4')", "x @ w_value": "(x @ w_value).astype('f4')"},
)
mistake(
    "overflow",
    "With large scores the result contains NaN. Subtract from each row its own largest score "
    "first: then no exponential is infinite, and no sum of them is 0.",
    {f" - scores.max{_ROWS}": ""},
)

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
