"""Two sentences: `x`, shape `(num_queries, d_model)`, asks; `y`, shape `(num_keys, d_model)`, is
asked. Write `cross_attention(x, y, w_query, w_key, w_value)` with scaled dot products, and return
two things: the output, one row for each token of `x`, and the weights.

If `y` is `x` itself, the same function is self-attention. So you write both.
"""

import math

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import (
    CheckFailed,
    as_array,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    wrong,
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
        "Three projections. Which of the two sentences is each of them made of?",
        "Only the query is made of `x`. Then `scores` has shape `(num_queries, num_keys)`.",
        "`query, key, value = x @ w_query, y @ w_key, y @ w_value`; scores by `query @ key.T / "
        "math.sqrt(…)`; softmax along the keys; `weights @ value`.",
    ],
    misconceptions={
        "roles-swapped": "The other sentence asks: your output has a row for each token of y. "
        "x asks, so the queries are made of x.",
        "ignores-y": "Another y gave the same output. Keys and values must be made of y.",
        "values-of-x": "The values were made of x. What is fetched comes from the sentence that "
        "is asked.",
        "keys-of-x": "The keys were made of x. What is compared with the queries belongs to the "
        "sentence that is asked.",
        "both-as-one": "The two sentences were put into one. x must not look at itself here.",
        "over-queries": "The columns of the weights sum to 1. Each token of x shares out its "
        "weight over y.",
        "unscaled": "The scores were not divided by √d_k.",
        "weights-first": "That is the shape of the weights. Return the output first; it has a "
        "row of d_v numbers for each token of x.",
        "unprojected": "The output mixes the tokens of y. What is mixed are the values, y @ "
        "w_value.",
    },
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


def _softmax(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _right(x, y, w_query, w_key, w_value):
    projected = x @ w_query, y @ w_key, y @ w_value
    return scaled_dot_product_attention(*projected, return_weights=True)


def _draw(rng, num_queries, num_keys, d_model, d_k, d_v):
    x, y = rng.normal(size=(num_queries, d_model)), rng.normal(size=(num_keys, d_model))
    return x, y, *(rng.normal(size=(d_model, d)) / math.sqrt(d_model) for d in (d_k, d_k, d_v))


def _call(cross_attention, given):
    try:
        seen = cross_attention(*(array.copy() for array in given))
    except ValueError as error:
        known = _mixed_sides(cross_attention, *given)
        raise CheckFailed(f"cross_attention raised ValueError: {error}", known) from None
    expect(
        isinstance(seen, list | tuple) and len(seen) == 2,
        "cross_attention returned one thing; expected two: output and weights.",
    )
    return seen


def _mixed_sides(cross_attention, x, y, w_query, w_key, w_value):
    """Return which of keys and values an answer makes of x, though it should make both of y.

    Of sentences of unequal lengths these cannot be multiplied; of equal lengths the output tells.
    """
    other = np.cos(x)  # another sentence, as long as x
    try:
        output = as_array(cross_attention(x.copy(), other.copy(), w_query, w_key, w_value)[0])
    except Exception:
        return None
    mixed = {
        "values-of-x": _right(x, other, w_query, w_key, w_value)[1] @ (x @ w_value),
        "keys-of-x": _right(x, x, w_query, w_key, w_value)[1] @ (other @ w_value),
    }
    same = (n for n, m in mixed.items() if output.shape == m.shape and np.allclose(output, m))
    return next(same, None)


def _shaped(cross_attention, given):
    """Return output and weights as arrays of the right shapes."""
    output, weights = _call(cross_attention, given)
    num_queries, num_keys, d_v = len(given[0]), len(given[1]), given[-1].shape[1]
    output = expect_shape(
        output,
        (num_queries, d_v),
        what="the output",
        mistakes={
            "roles-swapped": (num_keys, d_v),
            "both-as-one": (num_queries + num_keys, d_v),
            "weights-first": (num_queries, num_keys),
        },
    )
    weights = expect_shape(
        weights,
        (num_queries, num_keys),
        what="the weights",
        mistakes={
            "roles-swapped": (num_keys, num_queries),
            "ignores-y": (num_queries, num_queries),
            "both-as-one": (num_queries, num_queries + num_keys),
        },
    )
    return output, weights


def _expect_cross(cross_attention, given):
    x, y, w_query, w_key, w_value = given
    output, weights = _shaped(cross_attention, given)
    both = np.concatenate([x, y])
    scores = (x @ w_query) @ (y @ w_key).T
    scaled = scores / math.sqrt(w_query.shape[1])
    expect_close(
        output,
        _right(*given)[0],
        atol=1e-7,
        what="the output",
        mistakes={
            "ignores-y": _right(x, x, w_query, w_key, w_value)[0],
            "both-as-one": _right(x, both, w_query, w_key, w_value)[0],
            "over-queries": _softmax(scaled, axis=0) @ (y @ w_value),
            "unscaled": _softmax(scores) @ (y @ w_value),
            **({"unprojected": _softmax(scaled) @ y} if w_value.shape[1] == y.shape[1] else {}),
        },
    )
    expect_close(weights, _right(*given)[1], atol=1e-7, what="the weights")


@check(points=2)
def two_sentences(cross_attention):
    """Three tokens ask five"""
    _expect_cross(cross_attention, _draw(np.random.default_rng(0), 3, 5, 7, 2, 11))


@check(points=2)
def equally_long(cross_attention):
    """Two different sentences of the same length: no shape gives a mistake away"""
    given = _draw(np.random.default_rng(1), 5, 5, 7, 3, 7)
    x, y, w_query, w_key, w_value = given
    output, _ = _shaped(cross_attention, given)
    other, _ = _shaped(cross_attention, (x, y[::-1] * 2 + 1, w_query, w_key, w_value))
    expect(not np.allclose(output, other), "Another y gave the same output.", "ignores-y")
    mistakes = {
        "roles-swapped": _right(y, x, w_query, w_key, w_value)[0],
        "values-of-x": _right(*given)[1] @ (x @ w_value),
        "keys-of-x": _right(x, x, w_query, w_key, w_value)[1] @ (y @ w_value),
    }
    known = next((name for name, wrong_ in mistakes.items() if np.allclose(output, wrong_)), None)
    if known:
        expect(False, "The output is another one.", known)
    _expect_cross(cross_attention, given)


@check(points=1)
def itself(cross_attention):
    """A sentence that asks itself: self-attention"""
    x, _, *matrices = _draw(np.random.default_rng(2), 4, 4, 5, 3, 2)
    _expect_cross(cross_attention, (x, x, *matrices))


@check(points=1, hidden=True)
def other_sizes(cross_attention, rng):
    """Other lengths and widths"""
    for sizes in ((1, 6, 5, 3, 2), (7, 2, 3, 5, 4)):
        _expect_cross(cross_attention, _draw(rng, *sizes))


WRONG = {
    "the other one asks": wrong(
        replace={"x @ w_query, y @ w_key, y @ w_value": "y @ w_query, x @ w_key, x @ w_value"},
        rejected_by=["two_sentences", "equally_long", "other_sizes"],
        misconception="roles-swapped",
    ),
    "y is never used": wrong(
        replace={"y @ w_key, y @ w_value": "x @ w_key, x @ w_value"},
        rejected_by=["two_sentences", "equally_long", "other_sizes"],
        misconception="ignores-y",
    ),
    "values of x": wrong(
        replace={"y @ w_value": "x @ w_value"},
        rejected_by=["two_sentences", "equally_long", "other_sizes"],
        misconception="values-of-x",
    ),
    "keys of x": wrong(
        replace={"y @ w_key": "x @ w_key"},
        rejected_by=["two_sentences", "equally_long", "other_sizes"],
        misconception="keys-of-x",
    ),
    "both put into one": wrong(
        replace={
            "query, key, value =": "y = np.concatenate([x, y])\n    query, key, value =",
        },
        rejected_by=["two_sentences", "equally_long", "other_sizes"],
        misconception="both-as-one",
    ),
    "weights first": wrong(
        replace={"return weights @ value, weights": "return weights, weights @ value"},
        rejected_by=["two_sentences", "equally_long", "itself", "other_sizes"],
        misconception="weights-first",
    ),
    "softmax over the queries": wrong(
        replace={
            "exponentials.sum(axis=-1, keepdims=True)": "exponentials.sum(axis=0, keepdims=True)",
            "scores.max(axis=-1, keepdims=True)": "scores.max(axis=0, keepdims=True)",
        },
        rejected_by=["two_sentences", "equally_long", "itself", "other_sizes"],
        misconception="over-queries",
    ),
    "not scaled": wrong(
        replace={" / math.sqrt(query.shape[-1])": ""},
        rejected_by=["two_sentences", "equally_long", "itself", "other_sizes"],
        misconception="unscaled",
    ),
    "values without a matrix": wrong(
        replace={"y @ w_value": "y"},
        rejected_by=["two_sentences", "equally_long", "itself", "other_sizes"],
        misconception="unprojected",
    ),
}

ALSO_RIGHT = {
    "a loop over those who ask": """
        def cross_attention(x, y, w_query, w_key, w_value):
            outputs, all_weights = [], []
            for token in x:
                scores = (y @ w_key) @ (token @ w_query) / len(w_query[0]) ** 0.5
                weights = np.exp(scores) / np.exp(scores).sum()
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
