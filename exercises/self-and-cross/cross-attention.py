"""Two sequences of token vectors are given: `x`, shape `(num_queries, d_model)`, and `y`, shape
`(num_keys, d_model)`. The tokens of `x` attend to those of `y`: queries are computed from `x`, keys
and values from `y`. Write `cross_attention(x, y, w_query, w_key, w_value)` with **scaled** dot
products. It returns two arrays, in this order:

1. the output, shape `(num_queries, d_v)`,
2. the weights, shape `(num_queries, num_keys)`.

A token is a row, so its query is `x @ w_query`, without a transpose. Scores may be in the
thousands; output and weights must stay finite. Leave the arguments unchanged. If `y` is `x` itself,
the same function computes self-attention.
"""

import math
from functools import partial

import numpy as np

from attn import scaled_dot_product_attention
from attnlab import mistakes
from coursekit import (
    CheckFailed,
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    mistake,
    shared_mistakes,
)

exercise(
    id="cross-attention",
    chapter="self-and-cross",
    title="One function for both",
    withhold=[
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
    ],
    hints=[
        "There are three projections. Which of the two sequences is each of them computed from?",
        "Only the queries are computed from `x`. Then `scores` has shape `(num_queries, "
        "num_keys)`.",
        "`query, key, value = x @ w_query, y @ w_key, y @ w_value`; the scores are `query @ key.T "
        "/ math.sqrt(…)`; the softmax runs over the keys; the output is `weights @ value`.",
    ],
)


def cross_attention(x, y, w_query, w_key, w_value):
    """Return output (num_queries, d_v), weights (num_queries, num_keys).

    x: (num_queries, d_model)   y: (num_keys, d_model)
    w_query, w_key: (d_model, d_k)   w_value: (d_model, d_v)
    """
    # BEGIN SOLUTION
    query, key, value = x @ w_query, y @ w_key, y @ w_value
    scores = query @ key.T / math.sqrt(query.shape[-1])
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ value, weights
    # END SOLUTION


def _draw(rng, num_queries, num_keys, d_model, d_k, d_v):
    x, y = rng.normal(size=(num_queries, d_model)), rng.normal(size=(num_keys, d_model))
    return x, y, *(rng.normal(size=(d_model, d)) / math.sqrt(d_model) for d in (d_k, d_k, d_v))


def _right(x, y, w_query, w_key, w_value):
    query, key, value = x @ w_query, y @ w_key, y @ w_value
    return scaled_dot_product_attention(query, key, value, return_weights=True)


def _is(array, other):
    return array.shape == other.shape and np.allclose(array, other)


def _call(cross_attention, given):
    """Return what the call returns: two arrays."""
    x, y, *matrices = given
    try:
        seen = call_keeping_inputs(cross_attention, *given)
    except ValueError as error:
        said = f"With {len(x)} tokens in x and {len(y)} in y, cross_attention raised ValueError: "
        # Of sequences of one length every projection can be computed, and the output tells.
        equal = (x, np.cos(x), *matrices)
        output, what = (
            cross_attention(*equal)[0],
            f"{said}{error}. With {len(x)} in both the output",
        )
        expect_close(output, _right(*equal)[0], atol=1e-7, what=what)
        raise CheckFailed(f"{said}{error}") from None
    if isinstance(seen, list | tuple) and len(seen) == 2:
        return as_array(seen[0], "the output"), as_array(seen[1], "the array of weights")
    if isinstance(seen, list | tuple):
        raise CheckFailed(f"cross_attention returned {len(seen)} things; expected two.")
    alone = as_array(seen, "the result of cross_attention")
    message = "cross_attention returned one array; expected two: output and weights."
    for id, array in zip(("output-only", "weights-only"), _right(*given), strict=True):
        expect(not _is(alone, array), message, id)
    raise CheckFailed(message)


def _expect_cross(cross_attention, given):
    right, right_weights = _right(*given)
    output, weights = _call(cross_attention, given)
    if _is(output, right_weights) and _is(weights, right):
        shapes = f"The first array has shape {output.shape} and the second {weights.shape}."
        raise CheckFailed(shapes, "weights-first")
    expect_close(output, right, atol=1e-7, what="the output")
    expect_close(weights, right_weights, atol=1e-7, what="the second array, the weights,")


@check(points=2, success_message="Each of the 3 outputs is a weighted mean of the 5 values.")
def two_sentences(cross_attention):
    """Three tokens attend to five"""
    _expect_cross(cross_attention, _draw(np.random.default_rng(0), 3, 5, 7, 13, 2))


@check(points=2, success_message="Queries come from x, keys and values from y.")
def equally_long(cross_attention):
    """Two different sequences of the same length: no shape gives a mistake away"""
    _expect_cross(cross_attention, _draw(np.random.default_rng(1), 5, 5, 7, 3, 2))


@check(points=1, success_message="With y = x the same function computes self-attention.")
def itself(cross_attention):
    """A sequence that attends to itself: self-attention"""
    x, _, *matrices = _draw(np.random.default_rng(2), 5, 5, 11, 3, 2)
    _expect_cross(cross_attention, (x, x, *matrices))


@check(points=1, success_message="The softmax depends only on the differences between scores.")
def large_scores(cross_attention):
    """Scores in the thousands"""
    x, y, w_query, *others = _draw(np.random.default_rng(3), 3, 5, 7, 11, 2)
    large = (x, y, 1e4 * w_query, *others)
    seen = _call(cross_attention, large)
    if not all(np.isfinite(part).all() for part in seen):
        calm = _call(cross_attention, (x, y, w_query, *others))
        finite = all(np.isfinite(part).all() for part in calm)
        message = "With scores in the thousands the result contains NaN."
        expect(False, message, "overflow" if finite else None)
    for part, right, what in zip(seen, _right(*large), ("output", "array of weights"), strict=True):
        expect_close(part, right, what=f"with large scores the {what}")


@check(points=1, hidden=True)
def other_sizes(cross_attention, rng):
    """Other lengths and widths"""
    for sizes in ((2, 7, 5, 3, 11), (7, 2, 3, 5, 11), (1, 7, 5, 3, 2)):
        _expect_cross(cross_attention, _draw(rng, *sizes))


def _pairs(x, y, w_query, w_key, w_value):
    """The shared mistakes as outputs and weights; where one is not concerned, it is right."""
    query, key, value = x @ w_query, y @ w_key, y @ w_value
    outputs, weights = mistakes.of_attention(query, key, value), mistakes.of_weights(query, key)
    # Here the first two are questions of matrices, and the third is scores-returned.
    del outputs["keys-as-values"], outputs["queries-as-values"], weights["no-softmax"]
    right = _right(x, y, w_query, w_key, w_value)

    def pair(id):
        made = zip((outputs, weights), right, strict=True)
        return tuple(some[id]() if id in some else known for some, known in made)

    return {id: partial(pair, id) for id in outputs | weights}


_QUERY, _KEY, _VALUE = "x @ w_query", "y @ w_key", "y @ w_value"
_START, _ROOT = "query, key, value =", "math.sqrt(query.shape[-1])"
_RETURNED = "weights @ value, weights"

shared_mistakes(mistakes.EXPLANATIONS, cross_attention=_pairs)
mistake(
    "roles-swapped",
    "The roles of the two sequences are exchanged. The queries are computed from x, keys and "
    "values from y.",
    {_START: f"x, y = y, x\n    {_START}"},
)
mistake(
    "ignores-y",
    "Queries, keys and values were all computed from x. Keys and values must be computed from y.",
    {_START: f"y = x\n    {_START}"},
)
mistake(
    "ignores-x",
    "Queries, keys and values were all computed from y. The queries must be computed from x.",
    {_START: f"x = y\n    {_START}"},
)
mistake(
    "values-of-x",
    "The values were computed from x. They belong to the keys, so they are computed from y.",
    {_VALUE: "x @ w_value"},
)
mistake(
    "keys-of-x",
    "The keys were computed from x. They are computed from y, as are the values.",
    {_KEY: "x @ w_key"},
)
mistake(
    "only-keys-of-x",
    "Queries and values were computed from y, and keys from x. Compute the queries from x and the "
    "keys from y.",
    {_QUERY: "y @ w_query", _KEY: "x @ w_key"},
)
mistake(
    "only-values-of-x",
    "Queries and keys were computed from y, and values from x. The queries are computed from x, "
    "keys and values from y.",
    {_QUERY: "y @ w_query", _VALUE: "x @ w_value"},
)
mistake(
    "both-as-one",
    "Keys and values were computed from x and y together, so the tokens of x attend to each other "
    "as well. Here they attend to y alone.",
    {_START: f"y = np.concatenate([x, y])\n    {_START}"},
)
mistake(
    "all-of-both",
    "x and y were joined into one sequence that attends to itself. Here the tokens of x attend to "
    "y alone.",
    {_START: f"x = y = np.concatenate([x, y])\n    {_START}"},
)
mistake(
    "weights-first",
    "Both arrays are right but in the wrong order: the output comes first.",
    {_RETURNED: "weights, weights @ value"},
)
mistake(
    "unprojected",
    "The weights were applied to y itself. They have to be applied to the values, y @ w_value.",
    {_VALUE: "y"},
)
mistake(
    "values-by-other-matrix",
    "The values were computed with w_key or w_query. They are y @ w_value.",
    {_VALUE: _KEY},
    {_VALUE: "y @ w_query"},
)
mistake(
    "one-matrix",
    "Queries and keys were computed with the same matrix. The queries need w_query, the keys "
    "w_key.",
    {_KEY: "y @ w_query"},
    {_QUERY: "x @ w_key"},
)
mistake(
    "matrices-exchanged",
    "The matrices were exchanged: the queries were computed with w_key and the keys with w_query.",
    {f"{_QUERY}, {_KEY}": "x @ w_key, y @ w_query"},
)
mistake(
    "scaled-by-d-model",
    "The scores were divided by √d_model. Divide them by √d_k, where d_k is the width of queries "
    "and keys.",
    {_ROOT: "math.sqrt(x.shape[-1])"},
)
mistake(
    "divided-by-d-model",
    "The scores were divided by d_model. Divide them by √d_k, where d_k is the width of queries "
    "and keys.",
    {_ROOT: "x.shape[-1]"},
)
mistake(
    "divided-by-num-keys",
    "The scores were divided by the number of keys. Divide them by √d_k, where d_k is the width of "
    "queries and keys.",
    {_ROOT: "len(y)"},
)
mistake(
    "overflow",
    "With large scores the result contains NaN: an exponential is infinite, or all those of a row "
    "are 0. Subtract from each row of the scores its own largest score first.",
    {"scores - scores.max(axis=-1, keepdims=True)": "scores"},
)
mistake(
    "output-twice",
    "This is the output. The second array has to be the weights.",
    {_RETURNED: "weights @ value, weights @ value"},
)
mistake(
    "scores-returned",
    "The output is right, but the second array holds the scores. It has to hold their softmax, the "
    "weights.",
    {_RETURNED: "weights @ value, scores"},
)
mistake(
    "output-only",
    "This is the output alone. Return the output and the weights.",
    {_RETURNED: "weights @ value"},
)
mistake(
    "weights-only",
    "These are the weights alone. Return the output and the weights.",
    {_RETURNED: "weights"},
)

ALSO_RIGHT = {
    "a loop over the tokens of x": """
        def cross_attention(x, y, w_query, w_key, w_value):
            outputs, all_weights = [], []
            for token in x:
                scores = (y @ w_key) @ (token @ w_query) / len(w_query[0]) ** 0.5
                shares = np.exp(scores - scores.max())
                weights = shares / shares.sum()
                outputs.append(weights @ (y @ w_value))
                all_weights.append(weights)
            return np.array(outputs), np.array(all_weights)
    """,
    "einsum": """
        def cross_attention(x, y, w_query, w_key, w_value):
            scores = np.einsum("qm,md,kn,nd->qk", x, w_query, y, w_key)
            scores = scores / np.sqrt(w_key.shape[1])
            weights = np.exp(scores - scores.max(1)[:, None])
            weights /= weights.sum(1)[:, None]
            return weights @ y @ w_value, weights
    """,
}
