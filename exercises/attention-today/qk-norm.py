"""Compute scores that cannot grow. `query` has shape `(heads, num_queries, d)`, `key` has shape
`(heads, num_keys, d)`. Normalise each vector $x$ of each head to

$$
\\hat x = g \\odot \\frac{x}{\\sqrt{\\frac1d \\sum_i x_i^2 + 10^{-6}}}
$$

where the gain $g$ of queries is `gain_query` and the gain of keys `gain_key`, both of shape `(d,)`.
Return the dot products of the normalised vectors, divided by $\\sqrt d$, of shape `(heads,
num_queries, num_keys)`. Leave the arguments as they are.
"""

import numpy as np

from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect_close,
    expect_shape,
)

exercise(
    title="QK-norm: scores that cannot grow",
    version=2,
    withhold=["attn.rms_norm"],
    hints=[
        "Each vector is normalised on its own: over which axis is the mean taken, and what shape "
        "must the result have for the division to broadcast?",
        "`(x**2).mean(axis=-1, keepdims=True)` is the mean square of each vector. Add the small "
        "number to it, take the root, divide, and multiply by the gain last.",
        "`q = gain_query * query / np.sqrt((query**2).mean(-1, keepdims=True) + 1e-6)`, the same "
        "for the keys, then `q @ k.swapaxes(-1, -2) / np.sqrt(d)`.",
    ],
)


def normalised_scores(query, key, gain_query, gain_key):
    """Return scores, (heads, num_queries, num_keys).

    query: (heads, num_queries, d)   key: (heads, num_keys, d)   gains: (d,)
    """

    # BEGIN SOLUTION
    def normalise(x, gain):
        size = np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-6)  # (heads, tokens, 1)
        return gain * x / size

    query, key = normalise(query, gain_query), normalise(key, gain_key)
    return query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    # END SOLUTION


MISTAKES = r"""
by-length: `.mean(` → `.sum(`
    The vectors were divided by their length, so the scores are too small by a factor d. The mean
    square divides the sum of the squares by d first.
not-normalised: ` / size` → ``
    The scores are those of queries and keys as they are, with the gains: nothing was normalised.
query-only: `normalise(key, gain_key)` → `gain_key * key`
    Only the queries were normalised. Long keys still make large scores.
key-only: `normalise(query, gain_query)` → `gain_query * query`
    Only the keys were normalised. Long queries still make large scores.
no-gain: `gain * ` → ``
    The gains are missing: each feature is multiplied by its own, after the normalisation.
gain-first: `size =` → `x, gain = gain * x, 1.0; size =`
    The gains were multiplied before the normalisation, which then removes a part of them. Normalise
    first.
heads-together: `axis=-1` → `axis=(0, 2)`
    One root mean square was taken for all heads of a token together. Each head's query and key are
    normalised on their own.
all-of-a-head: `axis=-1` → `axis=(-2, -1)`
    One root mean square was taken for all tokens of a head together. Each vector has its own.
tokens-together: `axis=-1` → `axis=-2`
    The mean was taken over the tokens, feature by feature. It runs over the features of one vector:
    the last axis.
mean-subtracted: `size =` → `x = x - x.mean(axis=-1, keepdims=True); size =`
    The mean of the features was subtracted, as in layer normalisation. Here vectors are only
    divided.
no-root: `np.sqrt((x**2)` → `((x**2)`
    The vectors were divided by the mean of the squares. Take its square root.
no-epsilon: ` + 1e-6` → ``
    The small number under the root is missing. Very short vectors then grow to full length, and a
    vector of zeros gives 0 / 0.
epsilon-beside-the-root: `keepdims=True) + 1e-6)` → `keepdims=True)) + 1e-6`
    The small number was added to the root. It belongs under it, to the mean of the squares.
same-gain: `normalise(key, gain_key)` → `normalise(key, gain_query)`
    One of the two gains was used for queries and keys alike. Queries have `gain_query`, keys have
    `gain_key`.
unscaled: ` / np.sqrt(query.shape[-1])` → ``
    The division of the scores by √d is missing.
scaled-by-d: `np.sqrt(query.shape[-1])` → `query.shape[-1]`
    The scores were divided by d; the definition divides by its square root.
"""


def _rms(x):
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-6)


def _expect(function, query, key, gains):
    with np.errstate(all="ignore"):
        scores = call_keeping_inputs(function, query, key, *gains)
    what, shape = "the array of scores", (len(query), query.shape[1], key.shape[1])
    scores = expect_shape(scores, shape, what=what)
    keys = (gains[1] * _rms(key)).swapaxes(-1, -2)
    right = gains[0] * _rms(query) @ keys / np.sqrt(query.shape[-1])
    expect_close(scores, right, atol=1e-4, what=what)


def _draw(rng, heads, queries, keys, d):
    query, key = rng.normal(size=(heads, queries, d)), 2 * rng.normal(size=(heads, keys, d)) + 0.5
    return query, key, (0.5 + rng.random(d), 0.5 + rng.random(d))


@check(points=2, success_message="Only the directions of queries and keys are left, and the gains.")
def two_heads(normalised_scores):
    """Two heads, three queries, five keys of width 7"""
    query, key, gains = _draw(np.random.default_rng(1), 2, 3, 5, 7)
    _expect(normalised_scores, query, key, gains)


@check(points=1, success_message="However long a query is, its scores stay the same.")
def of_any_length(normalised_scores):
    """One query a million times longer"""
    query, key, gains = _draw(np.random.default_rng(2), 3, 2, 5, 11)
    query[:, 1] *= 1e6
    _expect(normalised_scores, query, key, gains)


@check(points=1, success_message="The small number keeps tiny vectors tiny.")
def next_to_nothing(normalised_scores):
    """A key of length 0.003, and a query and a key of zeros"""
    query, key, gains = _draw(np.random.default_rng(3), 2, 5, 3, 7)
    key[:, 1] *= 0.003 / np.linalg.norm(key[:, 1], axis=-1, keepdims=True)
    _expect(normalised_scores, query, key, gains)
    query[0, 1], key[1, 2] = 0, 0
    _expect(normalised_scores, query, key, gains)


@check(points=1, hidden=True)
def other_sizes(normalised_scores, rng):
    """Other sizes"""
    query, key, gains = _draw(rng, 5, 7, 3, 13)
    query[2, 4] = 0
    _expect(normalised_scores, query, key, gains)


ALSO_RIGHT = {
    "by lengths": """
        def normalised_scores(query, key, gain_query, gain_key):
            d = query.shape[-1]
            def unit(x):
                return x / np.sqrt((x * x).sum(axis=-1, keepdims=True) + d * 1e-6)
            return np.sqrt(d) * (gain_query * unit(query)) @ (gain_key * unit(key)).swapaxes(1, 2)
    """,
    "by einsum": """
        def normalised_scores(query, key, gain_query, gain_key):
            def normalise(x, gain):
                return x * (np.mean(np.square(x), -1, keepdims=True) + 1e-6) ** -0.5 * gain
            q, k = normalise(query, gain_query), normalise(key, gain_key)
            return np.einsum("hqd,hkd->hqk", q, k) / query.shape[-1] ** 0.5
    """,
}
