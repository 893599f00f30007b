"""A Python dictionary gives you the value of one key, or a `KeyError`. Write `soft_lookup`, which
always answers: it scores every key by its dot product with the query, **divides the scores by the
temperature**, makes weights of them with softmax, and returns the sum of the values with those
weights.

A low temperature makes it a dictionary again; a high one makes it an average. Your function must
work at both ends: at a temperature of 0.001, and at one of a million.
"""

import numpy as np

from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="soft-lookup",
    chapter="queries-keys-values",
    title="A dictionary that always answers",
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
        "`np.exp` overflows above about 709, and a low temperature takes the scores there. "
        "`np.exp(scores - scores.max())` gives the same weights without the overflow.",
    ],
    misconceptions={
        "multiplied": "The scores were multiplied by the temperature, so low and high have traded "
        "places. Dividing by a small number drives the scores apart; which of the two makes the "
        "best key win?",
        "no-temperature": "This is the answer at temperature 1, whatever temperature is asked for. "
        "Where does `temperature` enter your scores?",
        "temperature-after": "The weights were divided by the temperature after the softmax, so "
        "they no longer sum to 1. The temperature belongs to the scores, before the softmax.",
        "no-softmax": "The scores themselves were used as weights. Scores can be negative and "
        "need not sum to 1; softmax makes shares of them.",
        "not-normalised": "The weights do not sum to 1: the exponentials still have to be divided "
        "by their sum.",
        "hard": "You return one single value: the one whose key fits best. That is the limit for "
        "temperature 0. At any other temperature the other keys get a share, and keys that tie get "
        "equal shares.",
        "not-cold": "At a temperature near 0 the best key should get all the weight, as in a "
        "dictionary. Look at what your scores become when they are divided by 0.001.",
        "not-hot": "At a very high temperature all scores become equal, so every key should get "
        "the same weight. The result is then the plain mean of the values.",
        "overflow": "The exponential of a large score is infinite, and infinite divided by "
        "infinite is NaN. Softmax stays the same when the largest score is subtracted from all of "
        "them first.",
    },
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


@check(points=1)
def lukewarm(soft_lookup):
    """Four keys, query (2, 0), temperature 4"""
    scores = KEYS @ QUERY
    expect_close(
        soft_lookup(QUERY, KEYS, VALUES, 4.0),
        _softmax(scores / 4.0) @ VALUES,
        atol=1e-4,
        what="soft_lookup(query, keys, values, 4)",
        mistakes={
            "multiplied": _softmax(scores * 4.0) @ VALUES,
            "no-temperature": _softmax(scores) @ VALUES,
            "temperature-after": _softmax(scores) / 4.0 @ VALUES,
            "no-softmax": scores / 4.0 @ VALUES,
            "not-normalised": np.exp(scores / 4.0) @ VALUES,
            "hard": VALUES[scores.argmax()],
        },
    )


@check(points=1)
def cold_is_a_dictionary(soft_lookup):
    """Temperature 0.001: the value of the best key, and keys that tie share"""
    seen = expect_shape(soft_lookup(QUERY, KEYS, VALUES, 0.001), (3,), what="soft_lookup(…, 0.001)")
    expect(np.isfinite(seen).all(), "soft_lookup(…, 0.001) contains NaN or infinity.", "overflow")
    expect_close(
        seen,
        VALUES[1],
        atol=1e-3,
        what="soft_lookup(…, 0.001)",
        mistakes={
            "multiplied": VALUES.mean(axis=0),
            "no-temperature": _softmax(KEYS @ QUERY) @ VALUES,
        },
    )
    both = np.array([1.0, 1.0])
    expect_close(
        soft_lookup(both, KEYS, VALUES, 0.001),
        (VALUES[1] + VALUES[3]) / 2,
        atol=1e-4,
        what="soft_lookup((1, 1), …, 0.001), where keys 1 and 3 tie,",
        mistakes={"hard": VALUES[1]},
    )


@check(points=1)
def hot_is_a_mean(soft_lookup):
    """Temperature 1,000,000: the plain mean of all values"""
    expect_close(
        soft_lookup(QUERY, KEYS, VALUES, 1e6),
        VALUES.mean(axis=0),
        atol=1e-4,
        what="soft_lookup(…, 1000000)",
        mistakes={
            "no-temperature": _softmax(KEYS @ QUERY) @ VALUES,
            "not-normalised": VALUES.sum(axis=0),
        },
    )


KEYS = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, -1.0], [0.0, 1.0]])
VALUES = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
QUERY = np.array([2.0, 0.0])


def _softmax(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


@check(points=1, hidden=True)
def any_dictionary(soft_lookup, rng):
    """Other sizes and temperatures"""
    for num_keys, d_k, d_v, temperature in [(7, 3, 5, 0.5), (5, 11, 2, 3.0), (1, 2, 3, 1.7)]:
        query, keys = rng.normal(size=d_k), rng.normal(size=(num_keys, d_k)) / np.sqrt(d_k)
        values = rng.normal(size=(num_keys, d_v))
        scores = keys @ query
        expect_close(
            soft_lookup(query, keys, values, temperature),
            _softmax(scores / temperature) @ values,
            what="soft_lookup(query, keys, values, temperature)",
            mistakes={
                "multiplied": _softmax(scores * temperature) @ values,
                "no-temperature": _softmax(scores) @ values,
                "temperature-after": _softmax(scores) / temperature @ values,
                "no-softmax": scores / temperature @ values,
                "not-normalised": np.exp(scores / temperature) @ values,
                "hard": values[scores.argmax()],
            },
        )


WRONG = {
    "multiplies by the temperature": wrong(
        replace={"/ temperature": "* temperature"},
        rejected_by=["lukewarm", "cold_is_a_dictionary", "hot_is_a_mean", "any_dictionary"],
        misconception="multiplied",
    ),
    "ignores the temperature": wrong(
        replace={" / temperature": ""},
        rejected_by=["lukewarm", "cold_is_a_dictionary", "hot_is_a_mean", "any_dictionary"],
        misconception="no-temperature",
    ),
    "divides the weights": wrong(
        replace={
            " / temperature": "",
            "weights / weights.sum()": "weights / weights.sum() / temperature",
        },
        rejected_by=["lukewarm", "cold_is_a_dictionary", "hot_is_a_mean", "any_dictionary"],
        misconception="temperature-after",
    ),
    "scores as weights": wrong(
        """
        def soft_lookup(query, keys, values, temperature=1.0):
            return keys @ query / temperature @ values
        """,
        rejected_by=["lukewarm", "cold_is_a_dictionary", "hot_is_a_mean"],
        misconception="no-softmax",
    ),
    "not divided by the sum": wrong(
        replace={"weights / weights.sum()": "weights", " - scores.max()": ""},
        rejected_by=["lukewarm", "cold_is_a_dictionary", "hot_is_a_mean"],
        misconception="not-normalised",
    ),
    "only the best key": wrong(
        """
        def soft_lookup(query, keys, values, temperature=1.0):
            return values[np.argmax(keys @ query)]
        """,
        rejected_by=["lukewarm", "cold_is_a_dictionary", "hot_is_a_mean"],
        misconception="hard",
    ),
    "overflows when cold": wrong(
        replace={" - scores.max()": ""},
        rejected_by=["cold_is_a_dictionary"],
        misconception="overflow",
    ),
    "temperature clipped": wrong(
        replace={"/ temperature": "/ np.clip(temperature, 0.5, 2.0)"},
        rejected_by=["cold_is_a_dictionary", "hot_is_a_mean"],
        misconception="not-cold",
    ),
}

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
