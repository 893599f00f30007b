"""A Python dictionary gives you the value of one key, or a `KeyError`. Write `soft_lookup`, which
always answers: it scores every key by its dot product with the query, **divides the scores by
the temperature**, turns them into weights with softmax, and returns the weighted sum of the values.

At a low temperature the answer is nearly the value of the best key; at a high one it is nearly the
mean of all values. Your function must work for any number of keys and any widths, stay finite at
every temperature from 0.001 to a million, and leave its arguments unchanged. Do not take the best
value at low temperatures, or the mean at high ones, as a shortcut: tests also use very small and
very large scores, for which these answers are wrong. After the division by the temperature, scores
may be in the thousands and still differ by only a little; these keys share the weight. The query
and the keys may hold whole numbers.
"""

import numpy as np

from attnlab import mistakes
from coursekit import (
    as_array,
    call_keeping_inputs,
    call_with_whole_numbers,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
    shared_mistakes,
)

exercise(
    id="soft-lookup",
    chapter="queries-keys-values",
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
        "`np.exp` overflows above about 709 (in `float32` 88), and a low temperature makes scores "
        "that large. `np.exp(scores - scores.max())` gives the same weights without the overflow.",
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


KEYS = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, -1.0], [0.0, 1.0]])
VALUES = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
QUERY = np.array([2.0, 0.0])


def _right(query, keys, values, temperature):
    scores = keys @ query / temperature
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum() @ values


def _expect_lookup(soft_lookup, query, keys, values, temperature, what):
    seen = call_keeping_inputs(soft_lookup, query, keys, values, temperature)
    return expect_close(seen, _right(query, keys, values, temperature), what=what)


@check(points=1)
def lukewarm(soft_lookup):
    """Four keys, query (2, 0), temperature 3"""
    _expect_lookup(soft_lookup, QUERY, KEYS, VALUES, 3.0, "soft_lookup(query, keys, values, 3)")


@check(points=1)
def cold_is_a_dictionary(soft_lookup):
    """Temperature 0.001: the value of the best key; tied keys share the weight"""
    what = "soft_lookup(…, 0.001)"
    seen = call_keeping_inputs(soft_lookup, QUERY, KEYS, VALUES, 0.001)
    seen = expect_shape(seen, (3,), what=what)
    expect(np.isfinite(seen).all(), f"{what} contains NaN or infinity.", "overflow")
    expect_close(seen, VALUES[1], what=what)
    what = "soft_lookup((1, 1), …, 0.001), where keys 1 and 3 tie,"
    _expect_lookup(soft_lookup, np.array([1.0, 1.0]), KEYS, VALUES, 0.001, what)


@check(points=1)
def cold_and_close(soft_lookup):
    """Temperature 0.001 and two scores, 2 and 1.9986, whose quotients differ by 1.4"""
    keys = np.array([[0.0, 1.0], [1.0, 0.0], [0.9993, 1.0], [-1.0, 0.0]])
    what = "soft_lookup((2, 0), …, 0.001) with the scores 0, 2, 1.9986 and -2"
    _expect_lookup(soft_lookup, QUERY, keys, VALUES, 0.001, what)


@check(points=1)
def whole_numbers(soft_lookup):
    """Whole numbers in query and keys, temperature 3"""
    query, keys = QUERY.astype(int), KEYS.astype(int)
    right, what = _right(query, keys, VALUES, 3.0), "soft_lookup(query, keys, values, 3)"
    seen = call_with_whole_numbers(soft_lookup, query, keys, VALUES, 3.0, right=right, what=what)
    expect_close(seen, right, what=what)


@check(points=1)
def hot_is_a_mean(soft_lookup):
    """Temperature 1,000,000: the plain mean of all values. At 0.5 it is something else"""
    hot = _expect_lookup(soft_lookup, QUERY, KEYS, VALUES, 1e6, "soft_lookup(…, 1000000)")
    cool = as_array(soft_lookup(QUERY, KEYS, VALUES, 0.5))
    expect(not np.array_equal(cool, hot), "At a temperature of 0.5 the result is the same mean.")


@check(points=1, hidden=True)
def any_dictionary(soft_lookup, rng):
    """Other sizes and temperatures"""
    for num_keys, d_k, d_v, temperature in [(7, 3, 5, 0.5), (5, 11, 2, 3.0), (1, 2, 3, 1.7)]:
        query, keys = rng.normal(size=d_k), rng.normal(size=(num_keys, d_k)) / np.sqrt(d_k)
        values, what = (
            rng.normal(size=(num_keys, d_v)),
            "soft_lookup(query, keys, values, temperature)",
        )
        _expect_lookup(soft_lookup, query, keys, values, temperature, what)


@check(points=1, hidden=True)
def no_shortcut(soft_lookup):
    """Scores as large as a high temperature, and as close as a low one"""
    for size in (1e6, 1e-3):
        what = f"soft_lookup(query, keys, values, {size:g}) with scores of 0 to {2 * size:g}"
        _expect_lookup(soft_lookup, size * QUERY, KEYS, VALUES, size, what)


#: The shared mistakes that do not speak of √d_k, which has no place here.
SHARED = (
    *("not-normalised", "not-normalised-shifted", "one-more-in-the-sum", "softmax-twice"),
    *("base-two", "no-softmax", "sum-normalised", "uniform", "hard", "returns-weights"),
    *("returns-scores", "keys-as-values", "values-in-other-order"),
)


def _shared(query, keys, values, temperature=1.0):
    made = mistakes.of_attention(query[None], keys, values, scale=1 / temperature)
    # At the ends they are mistakes with texts of their own: best-alone and plain-mean.
    made.pop("hard" if temperature < 0.01 else "uniform" if temperature > 1000 else "", None)
    return {id: lambda wrong=made[id]: wrong()[0] for id in SHARED if id in made}


shared_mistakes(mistakes.EXPLANATIONS, soft_lookup=_shared)
mistake(
    "multiplied",
    "The scores were multiplied by the temperature, so low and high temperatures have changed "
    "places. Dividing by a small number drives the scores apart; which temperature makes the best "
    "key win?",
    {"/ temperature": "* temperature"},
)
mistake(
    "no-temperature",
    "This is the answer at temperature 1. Where does `temperature` enter your scores?",
    {" / temperature": ""},
)
mistake(
    "temperature-after",
    "The weights were divided by the temperature after the softmax, so they no longer sum to "
    "1. The temperature belongs to the scores, before the softmax.",
    {" / temperature": "", "weights @ values": "weights @ values / temperature"},
)
for id, size, divisor in (
    ("also-scaled", "√d_k", "np.sqrt(len(query))"),
    ("also-width", "the width of the keys", "len(query)"),
    ("also-count", "the number of keys", "len(keys)"),
):
    text = f"The scores were divided by {size} as well. Divide by the temperature alone."
    mistake(id, text, {"/ temperature": f"/ temperature / {divisor}"})
# Below 0.01 and above 1000, `squared` gives what best-alone and plain-mean give.
for id, size, divisor in (
    ("squared", "the square of the", "temperature ** (2 if 0.01 < temperature < 1000 else 1)"),
    ("root", "the square root of the", "np.sqrt(temperature)"),
    ("one-more", "1 +", "(1 + temperature)"),
):
    text = f"The scores were divided by {size} temperature. Divide by the temperature itself."
    mistake(id, text, {"/ temperature": f"/ {divisor}"})
mistake(
    "negated",
    "The scores have the wrong sign: the key that fits best gets the least weight.",
    {"keys @ query": "-keys @ query"},
)
mistake(
    "distance",
    "The scores are negative squared distances. Here a score is the dot product of a key with "
    "the query.",
    {"keys @ query": "-((keys - query) ** 2).sum(axis=1)"},
)
mistake(
    "floor",
    "The quotients were rounded down to whole numbers, as `//` does. Divide with `/`.",
    {"/ temperature": "// temperature"},
)
mistake(
    "clipped",
    "Two large quotients that differ by 1.4 got the same weight. Clipping them changes their "
    "difference; subtracting the largest one does not.",
    {"keys @ query / temperature": "np.clip(keys @ query / temperature, -700, 700)"},
)
mistake(
    "one-of-a-tie",
    "Only one of the two tied keys got any weight. Equal scores give equal weights at every "
    "temperature.",
    """
    scores, places = np.unique(keys @ query / temperature, return_index=True)
    weights = np.exp(scores - scores.max())
    return weights / weights.sum() @ values[places]
    """,
)
mistake(
    "no-weight",
    "The result is the zero vector, as if no key had any weight. If NaN was replaced by 0, "
    "avoid the NaN: subtract the largest score before the exponential.",
    {" - scores.max()": "", "weights / weights.sum()": "np.nan_to_num(weights / weights.sum())"},
)
mistake(
    "plain-mean",
    "This is the plain mean of the values. The scores here are as large as the temperature, so "
    "their quotients differ and so do the weights.",
    {"return": "return values.mean(axis=0) if temperature >= 1000 else"},
)
mistake(
    "best-alone",
    "This is the value of the best key alone. The differences between the scores here are as small "
    "as the temperature, so the other keys keep some weight.",
    {"/ temperature": "/ (temperature**2 if temperature < 0.01 else temperature)"},
)
mistake(
    "overflow",
    "The exponential of a large score is infinite, and infinity divided by infinity is NaN. "
    "The softmax stays the same when the largest score is subtracted from all of them first.",
    {" - scores.max()": ""},
)
mistake("cut-to-whole-numbers", "", {" / temperature": "\n    scores /= temperature"})
mistake(
    "changes-arguments",
    "",
    {"scores = keys @ query /": "query /= temperature\n    scores = keys @ query #"},
)

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
