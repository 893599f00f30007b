"""A Python dictionary gives you the value of one key, or a `KeyError`. Write `soft_lookup`, which
always answers: it scores every key by its dot product with the query, **divides the scores by
the temperature**, turns them into weights with softmax, and returns the sum of the values with
those weights.

At a low temperature the answer is nearly the value of the best key, at a high one nearly the mean
of all values. Your function must work for any number of keys and any widths, stay finite at every
temperature from 0.001 to a million, and leave its arguments unchanged. Do not take the best value
at low temperatures, or the mean at high ones, as a short cut: tests also use very small and very
large scores, for which these are wrong. Two keys may have quotients of thousands that differ by
little. The query and the keys may hold whole numbers.
"""

import numpy as np

from attn import scaled_dot_product_attention
from coursekit import (
    as_array,
    call_keeping_inputs,
    call_with_whole_numbers,
    check,
    exercise,
    expect,
    expect_close,
    expect_same,
    expect_shape,
)

exercise(
    title="A dictionary that always answers",
    version=2,
    withhold=[
        "attn.scaled_dot_product_attention",
        "attn.attention_weights",
        "attn.blockwise_attention",
        "attn.grouped_query_attention",
    ],
    practice=True,
    hints=[
        "What happens to the difference between two scores when both are divided by 0.001? And by "
        "a million?",
        "`scores = keys @ query / temperature` has shape `(num_keys,)`. The rest is a softmax and "
        "a weighted sum of `values`.",
        "`np.exp` overflows above about 709 (in `float32` 88), and a low temperature takes the "
        "scores there. `np.exp(scores - scores.max())` gives the same weights without the "
        "overflow.",
    ],
)


def soft_lookup(query, keys, values, temperature=1.0):
    """Return a mixture of the values, shape (d_v,).

    query: (d_k,)   keys: (num_keys, d_k)   values: (num_keys, d_v)
    temperature: above 0
    """
    # BEGIN SOLUTION
    scores = keys @ query / temperature  # (num_keys,)
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    return weights @ values  # (d_v,)
    # END SOLUTION


MISTAKES = r"""
multiplied: `/ temperature` → `* temperature`
    The scores were multiplied by the temperature, so low and high have traded places. Dividing by a
    small number drives the scores apart; which of the two makes the best key win?
no-temperature: ` / temperature` → ``
    This is the answer at temperature 1. Where does `temperature` enter your scores?
temperature-after: ` / temperature` → ``, `weights.sum()` → `weights.sum() / temperature`
    The weights were divided by the temperature after the softmax, so they no longer sum to 1. The
    temperature belongs to the scores, before the softmax.
also-scaled: `/ temperature` → `/ temperature / np.sqrt(len(query))`
    The scores were divided by √d_k as well. Divide by the temperature alone.
also-width: `/ temperature` → `/ temperature / len(query)`
    The scores were divided by the width of the keys as well. Divide by the temperature alone.
also-count: `/ temperature` → `/ temperature / len(keys)`
    The scores were divided by the number of keys as well. Divide by the temperature alone.
squared: (also plain-mean) `/ temperature` → `/ temperature**2`
    The scores were divided by the square of the temperature. Divide by the temperature itself.
root: `/ temperature` → `/ np.sqrt(temperature)`
    The scores were divided by the square root of the temperature. Divide by the temperature itself.
one-more: `/ temperature` → `/ (1 + temperature)`
    The scores were divided by 1 + temperature. Divide by the temperature itself.
negated: `keys @` → `-keys @`
    The scores have the wrong sign: the key that fits best gets the least weight.
distance: `keys @ query` → `-((keys - query) ** 2).sum(axis=1)`
    The scores are negative squared distances. Here a score is the dot product of a key with the
    query.
floor: `/ temperature` → `// temperature`
    The quotients were rounded down to whole numbers, as `//` does. Divide with `/`.
clipped: `keys @ query / temperature` → `np.clip(keys @ query / temperature, -700, 700)`
    Two large quotients that differ by 1.4 got the same weight. Limiting them changes their
    difference; subtracting the largest one keeps it.
one-of-a-tie: (also best-alone) `weights @ values` →
  `values[scores.argmax()] if temperature < 0.01 else weights @ values`
    Only one of the two keys that tie got weight. Equal scores give equal weights at every
    temperature.
no-weight: ` - scores.max()` → ``, `return weights` → `return np.nan_to_num(weights)`
    The result is the zero vector, as if no key had any weight. If NaN was replaced by 0, avoid the
    NaN: subtract the largest score before the exponential.
plain-mean: `weights @ values` → `values.mean(axis=0) if temperature >= 1000 else weights @ values`
    This is the plain mean of the values. The scores here are as large as the temperature, so their
    quotients differ and so do the weights.
best-alone: `weights @ values` →
  `values[scores == scores.max()].mean(axis=0) if temperature < 0.01 else weights @ values`
    This is the value of the best key alone. The scores here lie as close together as the
    temperature is small, so the other keys keep some weight.
overflow: ` - scores.max()` → ``
    The exponential of a large score is infinite, and infinity divided by infinity is NaN. The
    softmax stays the same when the largest score is subtracted from all of them first.
cut-to-whole-numbers: `keys @ query / temperature` → `keys @ query; scores /= temperature`
no-softmax: `return weights` → `return scores`
not-normalised: (also overflow) ` - scores.max()` → ``, ` / weights.sum()` → ``
hard: (also one-of-a-tie, best-alone) `weights @ values` → `values[scores.argmax()]`
changes-arguments: `scores = keys @ query / temperature` →
  `query /= temperature; scores = keys @ query`
not-normalised-shifted: ` / weights.sum()` → ``
one-more-in-the-sum: `weights.sum()` → `(1 + weights.sum())`
softmax-twice: `return` → `weights = np.exp(weights) / np.exp(weights).sum(); return`
base-two: `np.exp(` → `np.exp2(`
sum-normalised: (also overflow) `np.exp(scores - scores.max())` → `scores`
uniform: (also plain-mean) `weights @ values` → `values.mean(axis=0)`
returns-weights: ` @ values` → ``
returns-scores: `return weights @ values` → `return scores`
keys-as-values: `@ values` → `@ keys`
values-in-other-order: `@ values` → `@ values[::-1]`
"""


@check(points=1)
def lukewarm(soft_lookup):
    """Four keys, query (2, 0), temperature 3"""
    what = "soft_lookup(query, keys, values, 3)"
    expect_same(soft_lookup, _right, QUERY, KEYS, VALUES, 3.0, what=what)


@check(points=1)
def cold_is_a_dictionary(soft_lookup):
    """Temperature 0.001: the value of the best key, and keys that tie share"""
    what = "soft_lookup(…, 0.001)"
    seen = call_keeping_inputs(soft_lookup, QUERY, KEYS, VALUES, 0.001)
    seen = expect_shape(seen, (3,), what=what)
    expect(np.isfinite(seen).all(), f"{what} contains NaN or infinity.", "overflow")
    expect_close(seen, VALUES[1], what=what)
    tied = call_keeping_inputs(soft_lookup, np.array([1.0, 1.0]), KEYS, VALUES, 0.001)
    what = "soft_lookup((1, 1), …, 0.001), where keys 1 and 3 tie,"
    expect_close(tied, (VALUES[1] + VALUES[3]) / 2, what=what)


@check(points=1)
def cold_and_close(soft_lookup):
    """Temperature 0.001 and two scores, 2 and 1.9986, whose quotients differ by 1.4"""
    keys = np.array([[0.0, 1.0], [1.0, 0.0], [0.9993, 1.0], [-1.0, 0.0]])
    what = "soft_lookup((2, 0), …, 0.001) with the scores 0, 2, 1.9986 and -2"
    expect_same(soft_lookup, _right, QUERY, keys, VALUES, 0.001, what=what)


@check(points=1)
def whole_numbers(soft_lookup):
    """Whole numbers in query and keys, temperature 3"""
    query, keys = QUERY.astype(int), KEYS.astype(int)
    right = _right(QUERY, KEYS, VALUES, 3.0)
    what = "soft_lookup(query, keys, values, 3)"
    seen = call_with_whole_numbers(soft_lookup, query, keys, VALUES, 3.0, right=right, what=what)
    expect_close(seen, right, what=what)


@check(points=1)
def hot_is_a_mean(soft_lookup):
    """Temperature 1,000,000: the plain mean of all values. At 0.5 it is something else"""
    what = "soft_lookup(…, 1000000)"
    hot = expect_same(soft_lookup, _right, QUERY, KEYS, VALUES, 1e6, what=what)
    cool = as_array(soft_lookup(QUERY, KEYS, VALUES, 0.5))
    expect(not np.array_equal(cool, hot), "At a temperature of 0.5 the result is this mean, too.")


KEYS = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, -1.0], [0.0, 1.0]])
VALUES = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
QUERY = np.array([2.0, 0.0])


def _right(query, keys, values, temperature):
    scale = 1 / temperature
    return scaled_dot_product_attention(query[None], keys, values, scale=scale)[0]


@check(points=1, hidden=True)
def any_dictionary(soft_lookup, rng):
    """Other sizes and temperatures"""
    for num_keys, d_k, d_v, temperature in [(7, 3, 5, 0.5), (5, 11, 2, 3.0), (1, 2, 3, 1.7)]:
        query, keys = rng.normal(size=d_k), rng.normal(size=(num_keys, d_k)) / np.sqrt(d_k)
        values = rng.normal(size=(num_keys, d_v))
        what = "soft_lookup(query, keys, values, temperature)"
        expect_same(soft_lookup, _right, query, keys, values, temperature, what=what)


@check(points=1, hidden=True)
def no_shortcut(soft_lookup):
    """Scores as large as a high temperature, and as close together as a low one is small"""
    for size in (1e6, 1e-3):
        what = f"soft_lookup(query, keys, values, {size:g}) with scores of 0 to {2 * size:g}"
        expect_same(soft_lookup, _right, size * QUERY, KEYS, VALUES, size, what=what)


ALSO_RIGHT = {
    "the query is cooled": """
        def soft_lookup(query, keys, values, temperature=1.0):
            scores = np.einsum("kd,d->k", keys, query / temperature)
            scores = scores - scores.max()
            return np.exp(scores) @ values / np.exp(scores).sum()
    """,
    "logarithms": """
        def soft_lookup(query, keys, values, temperature=1.0):
            scores = np.array([np.dot(key, query) / temperature for key in keys])
            logarithm = np.logaddexp.reduce(scores)
            return sum(np.exp(s - logarithm) * value for s, value in zip(scores, values))
    """,
}
