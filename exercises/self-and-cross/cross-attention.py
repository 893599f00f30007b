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
values-by-other-matrix: `y @ w_value` → `y @ w_key` or `y @ w_query`
    The values were computed with w_key or w_query. They are y @ w_value.
one-matrix: `y @ w_key` → `y @ w_query`
or `x @ w_query` → `x @ w_key`
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
scaled-by-d: `math.sqrt(query.shape[-1])` → `query.shape[-1]`
multiplied-by-root: `/ math` → `* math`
scaled-by-num-keys: (also scaled-by-num-tokens) `query.shape[-1]` → `len(y)`
scaled-by-num-queries: (also scaled-by-num-tokens) `query.shape[-1]` → `len(x)`
cosine: `math.sqrt(query.shape[-1])` →
  `np.outer(*(np.linalg.norm(rows, axis=-1) for rows in (query, key)))`
scaled-after-softmax: ` / math.sqrt(query.shape[-1])` → ``,
  `return` → `weights = weights / math.sqrt(query.shape[-1]); return`
not-normalised: (also overflow) ` - scores.max(axis=-1, keepdims=True)` → ``,
  ` / exponentials.sum(axis=-1, keepdims=True)` → ``
not-normalised-shifted: ` / exponentials.sum(axis=-1, keepdims=True)` → ``
one-more-in-the-sum: `.sum(` → `.sum(initial=1, `
softmax-twice: `return` →
  `weights = np.exp(weights); weights /= weights.sum(axis=-1, keepdims=True); return`
sum-normalised: `np.exp(scores - scores.max(axis=-1, keepdims=True))` → `scores`
base-two: `np.exp(` → `np.exp2(`
hard: `return` → `weights = (scores == scores.max(axis=-1, keepdims=True)) * 1.0; return`
uniform: `np.exp(scores - scores.max(axis=-1, keepdims=True))` → `np.ones_like(scores)`
one-softmax-for-all: `axis=-1` → `axis=None`
log-weights: (also overflow) `@ value, weights` → `@ value, np.log(weights)`
rows-are-keys: `@ value, weights` → `@ value, weights.T`
returns-weights: `weights @ value, weights` → `weights, weights`
returns-scores: `weights @ value, weights` → `scores, weights`
weights-transposed: `weights @ value` → `weights.T @ value`
values-in-other-order: `weights @ value` → `weights @ value[::-1]`
scaled-by-num-tokens:
"""


def _draw(rng, num_queries, num_keys, d_model, d_k, d_v):
    x, y = rng.normal(size=(num_queries, d_model)), rng.normal(size=(num_keys, d_model))
    return x, y, *(rng.normal(size=(d_model, d)) / math.sqrt(d_model) for d in (d_k, d_k, d_v))


def _right(x, y, w_query, w_key, w_value):
    query, key, value = x @ w_query, y @ w_key, y @ w_value
    return scaled_dot_product_attention(query, key, value, return_weights=True)


def _call(cross_attention, given):
    """Return what the call returns: two things."""
    try:
        seen = call_keeping_inputs(cross_attention, *given)
    except ValueError as error:
        message = (
            f"With {len(given[0])} tokens in x and {len(given[1])} in y, cross_attention raised "
            f"ValueError: {error}"
        )
        x, _, *matrices = given
        equal = (x, np.cos(x), *matrices)  # as long as x: every projection can be computed
        try:
            output = cross_attention(*equal)[0]
        except Exception:
            raise CheckFailed(message) from None
        expect_close(output, _right(*equal)[0], what=f"{message}. For a y as long as x, the output")
        raise CheckFailed(message) from None
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


def _expect_cross(cross_attention, given):
    output, weights = _call(cross_attention, given)
    right, right_weights = _right(*given)
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
    _expect_cross(cross_attention, _draw(rng, 1, 7, 5, 3, 2))


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
