"""Two sequences of token vectors are given: `x`, shape `(num_queries, d_model)`, and `y`, shape
`(num_keys, d_model)`. The tokens of `x` attend to those of `y`: queries are computed from `x`, keys
and values from `y`. Write `cross_attention(x, y, w_query, w_key, w_value)` with **scaled** dot
products. It returns two arrays, in this order:

1. the output, shape `(num_queries, d_v)`,
2. the weights, shape `(num_queries, num_keys)`.

A token is a row, so its query is `x @ w_query`, without a transpose. Scores may be in the
thousands; output and weights stay finite. Leave the arguments unchanged. If `y` is `x` itself, the
same function computes self-attention.
"""

import math

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
)

exercise(
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


MISTAKES = r"""
roles-swapped: `x @ w_query, y @ w_key, y @ w_value` → `y @ w_query, x @ w_key, x @ w_value`
    The two sequences have exchanged their roles. The queries are computed from x, keys and values
    from y.
ignores-y: `y @ w_key, y @ w_value` → `x @ w_key, x @ w_value`
    Queries, keys and values were all computed from x. Keys and values must be computed from y.
ignores-x: `x @ w_query` → `y @ w_query`
    Queries, keys and values were all computed from y. The queries must be computed from x.
values-of-x: `y @ w_value` → `x @ w_value`
    The values were computed from x. They belong to the keys, so they are computed from y.
keys-of-x: `y @ w_key` → `x @ w_key`
    The keys were computed from x. They are computed from y, as are the values.
only-keys-of-x: `x @ w_query, y @ w_key` → `y @ w_query, x @ w_key`
    Queries and values were computed from y, and keys from x. It is the other way round for the
    queries and the keys.
only-values-of-x: `x @ w_query, y @ w_key, y @ w_value` → `y @ w_query, y @ w_key, x @ w_value`
    Queries and keys were computed from y, and values from x. The queries are computed from x, keys
    and values from y.
both-as-one: `y @ w_key, y @ w_value` → `np.vstack([x, y]) @ w_key, np.vstack([x, y]) @ w_value`
    Keys and values were computed from x and y together, so the tokens of x attend to each other as
    well. Here they attend to y alone.
all-of-both: `query, key, value =` → `x = y = np.vstack([x, y]); query, key, value =`
    x and y were joined into one sequence that attends to itself. Here the tokens of x attend to y
    alone.
weights-first: `weights @ value, weights` → `weights, weights @ value`
    Both arrays are right, but in the other order: the output comes first.
unprojected: `y @ w_value` → `y`
    The weights were applied to y itself. They have to be applied to the values, y @ w_value.
values-by-other-matrix: `y @ w_value` → `y @ w_key`
    The values were computed with w_key or w_query. They are y @ w_value.
one-matrix: `y @ w_key` → `y @ w_query`
    Queries and keys were computed with the same matrix. The queries have w_query, the keys w_key.
matrices-exchanged: `x @ w_query, y @ w_key` → `x @ w_key, y @ w_query`
    The matrices were exchanged: the queries were computed with w_key and the keys with w_query.
scaled-by-d-model: `query.shape[-1]` → `x.shape[-1]`
    The scores were divided by √d_model, with the width of x and y. Divide them by √d_k, with the
    width of the queries and keys.
divided-by-d-model: `math.sqrt(query.shape[-1])` → `x.shape[-1]`
    The scores were divided by d_model. Divide them by √d_k, with the width of the queries and keys.
divided-by-num-keys: `math.sqrt(query.shape[-1])` → `len(y)`
    The scores were divided by the number of keys. Divide them by √d_k, with the width of the
    queries and keys.
overflow: ` - scores.max(axis=-1, keepdims=True)` → ``
    With large scores the result holds NaN: an exponential is infinite, or all those of a row are 0.
    Subtract from each row of the scores its own largest score first.
output-twice: `weights @ value, weights` → `weights @ value, weights @ value`
    This is the output. The second array has to be the weights.
scores-returned: `weights @ value, weights` → `weights @ value, scores`
    The output is right, and the second array holds the scores. It has to hold the weights, their
    softmax.
output-only: `weights @ value, weights` → `weights @ value`
    This is the output alone. Return the output and the weights.
weights-only: `weights @ value, weights` → `weights`
    These are the weights alone. Return the output and the weights.
wrong-axis: `axis=-1` → `axis=0`
unscaled: ` / math.sqrt(query.shape[-1])` → ``
scaled-by-value-width: `query.shape[-1]` → `value.shape[-1]`
no-softmax: `exponentials / exponentials.sum(axis=-1, keepdims=True)` → `scores`
"""


def _draw(rng, num_queries, num_keys, d_model, d_k, d_v):
    x, y = rng.normal(size=(num_queries, d_model)), rng.normal(size=(num_keys, d_model))
    return x, y, *(rng.normal(size=(d_model, d)) / math.sqrt(d_model) for d in (d_k, d_k, d_v))


def _from(queries_from, keys_from, values_from, matrices):
    """Return output and weights, with each projection computed from any sequence."""
    w_query, w_key, w_value = matrices
    projected = queries_from @ w_query, keys_from @ w_key, values_from @ w_value
    return scaled_dot_product_attention(*projected, return_weights=True)


def _right(x, y, w_query, w_key, w_value):
    query, key, value = x @ w_query, y @ w_key, y @ w_value
    return scaled_dot_product_attention(query, key, value, return_weights=True)


def _wrong_outputs(given):
    """Return what known mistakes give as output: a function each."""
    x, y, *matrices = given
    w_query, w_key, w_value = matrices
    both = np.concatenate([x, y])
    right = _right(*given)
    sides = {
        "roles-swapped": (y, x, x),
        "ignores-y": (x, x, x),
        "ignores-x": (y, y, y),
        "values-of-x": (x, y, x),
        "keys-of-x": (x, x, y),
        "only-keys-of-x": (y, x, y),
        "only-values-of-x": (y, y, x),
        "both-as-one": (x, both, both),
        "all-of-both": (both, both, both),
    }
    # The defaults keep each function's own sequences.
    outputs = {
        id: lambda sources=sources: _from(*sources, matrices)[0] for id, sources in sides.items()
    }
    outputs["unprojected"] = lambda: right[1] @ y
    outputs["matrices-exchanged"] = lambda: _from(x, y, y, (w_key, w_query, w_value))[0]
    for id, divisor in {
        "scaled-by-d-model": math.sqrt(x.shape[1]),
        "divided-by-d-model": x.shape[1],
        "divided-by-num-keys": len(y),
    }.items():
        query = x @ w_query / divisor
        outputs[id] = lambda query=query: scaled_dot_product_attention(
            query, y @ w_key, y @ w_value, scale=1.0
        )
    shared = mistakes.of_attention(x @ w_query, y @ w_key, y @ w_value)
    for id in ("keys-as-values", "queries-as-values"):  # here these are questions of matrices
        shared.pop(id)
    return {**outputs, **shared}


def _of_one_matrix(output, given):
    """Return the id of a mistake that uses a matrix twice, if the output is what it gives."""
    x, y, w_query, w_key, w_value = given
    weights = _right(*given)[1]
    possible = {
        "one-matrix": [_from(x, y, y, (w, w, w_value))[0] for w in (w_query, w_key)],
        "values-by-other-matrix": [weights @ y @ w for w in (w_query, w_key)],
    }
    for id, outputs in possible.items():
        if any(output.shape == o.shape and np.allclose(output, o, atol=1e-7) for o in outputs):
            return id
    return None


def _call(cross_attention, given):
    """Return what the call returns: two things."""
    try:
        seen = call_keeping_inputs(cross_attention, *given)
    except ValueError as error:
        raise CheckFailed(
            f"With {len(given[0])} tokens in x and {len(given[1])} in y, cross_attention raised "
            f"ValueError: {error}",
            _mistake_at_equal_lengths(cross_attention, given),
        ) from None
    if isinstance(seen, list | tuple) and len(seen) == 2:
        return seen
    if isinstance(seen, list | tuple):
        raise CheckFailed(f"cross_attention returned {len(seen)} things; expected two.")
    output, weights = _right(*given)
    alone = as_array(seen, "the result of cross_attention")
    message = "cross_attention returned one array; expected two: output and weights."
    for id, array in (("output-only", output), ("weights-only", weights)):
        expect(alone.shape != array.shape or not np.allclose(alone, array), message, id)
    raise CheckFailed(message)


def _mistake_at_equal_lengths(cross_attention, given):
    """Return which mistake an answer makes that does not run where the lengths differ.

    Of sequences of one length every projection can be computed, and the output tells.
    """
    x, _, *matrices = given
    equal = (x, np.cos(x), *matrices)  # another sequence, as long as x
    try:
        output = as_array(cross_attention(*equal)[0])
    except Exception:
        return None
    outputs = {id: compute() for id, compute in _wrong_outputs(equal).items() if "-of-x" in id}
    fitting = [
        id for id, o in outputs.items() if o.shape == output.shape and np.allclose(output, o)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _expect_cross(cross_attention, given):
    right, right_weights = _right(*given)
    output, weights = _call(cross_attention, given)
    output, weights = as_array(output, "the output"), as_array(weights, "the array of weights")
    swapped = output.shape == right_weights.shape and weights.shape == right.shape
    expect(
        not (swapped and np.allclose(output, right_weights) and np.allclose(weights, right)),
        f"The first array has shape {output.shape} and the second {weights.shape}.",
        "weights-first",
    )
    id = _of_one_matrix(output, given)
    if output.shape != right.shape or not np.allclose(output, right, atol=1e-7):
        message = f"the output has shape {output.shape}; expected {right.shape}."
        if output.shape == right.shape:
            message = "the output has the right shape and other numbers than expected."
        expect(id is None, message, id)
    expect_close(output, right, atol=1e-7, what="the output", mistakes=_wrong_outputs(given))
    x, y, w_query, w_key, _ = given
    query, key = x @ w_query, y @ w_key
    weights_mistakes = mistakes.of_weights(query, key)
    weights_mistakes.pop("no-softmax")  # the output is right, so the softmax is there
    expect_close(
        weights,
        right_weights,
        atol=1e-7,
        what="the second array, the weights,",
        mistakes={
            "output-twice": right,
            **weights_mistakes,
            "scores-returned": query @ key.T / math.sqrt(query.shape[-1]),
        },
    )


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


@check(points=1, success_message="The softmax depends on the differences of the scores alone.")
def large_scores(cross_attention):
    """Scores in the thousands"""
    x, y, w_query, *others = _draw(np.random.default_rng(3), 3, 5, 7, 11, 2)
    large = (x, y, 1e4 * w_query, *others)
    with np.errstate(all="ignore"):
        seen = [as_array(part) for part in _call(cross_attention, large)]
    if not all(np.isfinite(part).all() for part in seen):
        calm = [as_array(part) for part in _call(cross_attention, (x, y, w_query, *others))]
        finite = all(np.isfinite(part).all() for part in calm)
        message = "With scores in the thousands the result holds NaN."
        expect(False, message, "overflow" if finite else None)
    for part, right, what in zip(seen, _right(*large), ("output", "array of weights"), strict=True):
        expect_close(part, right, what=f"with large scores the {what}")


@check(points=1, hidden=True)
def other_sizes(cross_attention, rng):
    """Other lengths and widths"""
    for sizes in ((2, 7, 5, 3, 11), (7, 2, 3, 5, 11)):
        _expect_cross(cross_attention, _draw(rng, *sizes))
    # With one token in x different mistakes look alike, so none is named.
    one = _draw(rng, 1, 7, 5, 3, 2)
    output, weights = _call(cross_attention, one)
    expect_close(output, _right(*one)[0], what="the output for one token in x")
    expect_close(weights, _right(*one)[1], what="the array of weights for one token in x")


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
