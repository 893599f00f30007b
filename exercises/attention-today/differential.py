"""Write differential attention. `query` has shape `(heads, num_queries, 2 * d)` and holds $Q_1$ in
its first $d$ features and $Q_2$ in its last $d$; so does `key`, of shape
`(heads, num_keys, 2 * d)`, with $K_1$ and $K_2$. `value` has shape `(heads, num_keys, d_v)`, and
`lambda_` is the number $\\lambda$. Return

$$
\\left(\\operatorname{softmax}\\frac{Q_1 K_1^\\top}{\\sqrt d} - \\lambda\\,
\\operatorname{softmax}\\frac{Q_2 K_2^\\top}{\\sqrt d}\\right) V
$$

of shape `(heads, num_queries, d_v)`, and leave the arguments as they are. Scores may be as large
as $10^4$; `attn.attention_weights(query, key)` computes
$\\operatorname{softmax}(QK^\\top/\\sqrt{d_k})$.
"""

import numpy as np

from attn import attention_weights, differential_attention
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
)

exercise(
    title="Differential attention",
    withhold=["attn.differential_attention"],
    hints=[
        "How wide are the queries of each of the two softmaxes, and so what is each one's scale?",
        "Cut queries and keys in the middle of the last axis: `query[..., :d]` and "
        "`query[..., d:]`. There are two matrices of weights, and one product with the values.",
        "`first = attn.attention_weights(query[..., :d], key[..., :d])`, the same for the second, "
        "then `(first - lambda_ * second) @ value`.",
    ],
)


def differential(query, key, value, lambda_):
    """Return the output, (heads, num_queries, d_v).

    query: (heads, num_queries, 2 * d)   key: (heads, num_keys, 2 * d)
    value: (heads, num_keys, d_v)        lambda_: λ
    """
    # BEGIN SOLUTION
    d = query.shape[-1] // 2
    first = attention_weights(query[..., :d], key[..., :d])  # (heads, num_queries, num_keys)
    second = attention_weights(query[..., d:], key[..., d:])
    return (first - lambda_ * second) @ value
    # END SOLUTION


MISTAKES = r"""
added: `first - lambda_` → `first + lambda_`
    The second softmax was added. Subtract it: what both have in common has to go.
first-only: `(first - lambda_ * second)` → `first`
    Only the first softmax is there; nothing was subtracted.
second-only: `(first - lambda_ * second)` → `second`
    Only the second softmax is there. It should be subtracted from the first.
lambda-on-first: `first - lambda_ * second` → `lambda_ * first - second`
    The first softmax was multiplied by λ. λ belongs to the second.
halves-crossed: `query[..., :d], key[..., :d]` → `query[..., :d], key[..., d:]`,
  `query[..., d:], key[..., d:]` → `query[..., d:], key[..., :d]`
    The queries of one half were compared with the keys of the other. Q₁ belongs to K₁, and Q₂ to
    K₂.
lambda-ignored: `lambda_ * second` → `second`
    The second softmax was subtracted in full. Multiply it by λ first.
full-width-scale: `query[..., :d]` → `query[..., :d] / 2**0.5`,
  `query[..., d:]` → `query[..., d:] / 2**0.5`
    The scores were divided by √(2d). Each half has d features, so the scale is √d.
interleaved: `[..., :d]` → `[..., ::2]`, `[..., d:]` → `[..., 1::2]`
    The halves are every second feature. The first d features belong to the first softmax, the last
    d to the second.
one-softmax: `(first - lambda_ * second)` →
  `attention_weights(np.where(np.arange(2 * d) < d, query, -lambda_ * query) * 2**0.5, key)`
    The scores were subtracted, and one softmax was taken of the difference. Take two, and subtract
    the weights.
halves-exchanged: (also second-only) `first - lambda_ * second` → `second - lambda_ * first`
    The first half was subtracted from the second. It is the other way round: λ times the second
    half's weights are subtracted.
renormalised: `(first - lambda_ * second)` → `(first - lambda_ * second) / (1 - lambda_)`
    The weights were divided by 1 − λ, so that they sum to 1 again. The formula leaves their sum at
    1 − λ.
clipped: `(first - lambda_ * second)` → `np.maximum(first - lambda_ * second, 0)`
    Negative weights were set to 0. They are meant to be there.
mixed: `first - lambda_` → `(1 - lambda_) * first - lambda_`
    The first softmax was multiplied by 1 − λ. Only the second has a factor, λ.
returns-weights: ` @ value` → ``
    These are the weights. The output is what they make of the values: weights @ value.
not-cut: `(first - lambda_ * second)` → `attention_weights(query, key)`
    Queries and keys were not cut in two: a single softmax over all 2d features.
"""


def _expect(differential, query, key, value, lambda_, what="the output"):
    with np.errstate(all="ignore"):
        output = call_keeping_inputs(differential, query, key, value, lambda_)
    shape = (len(query), query.shape[1], value.shape[-1])
    output = as_array(output, what)
    right, weights = differential_attention(query, key, value, lambda_=lambda_, return_weights=True)
    is_weights = output.shape == weights.shape and np.allclose(output, weights)
    expect(not is_weights, f"{what} has shape {output.shape}; expected {shape}.", "returns-weights")
    output = expect_shape(output, shape, what=what)
    expect_close(output, right, what=what)


def _draw(rng, heads, queries, keys, d, d_v):
    shapes = (heads, queries, 2 * d), (heads, keys, 2 * d), (heads, keys, d_v)
    return [rng.normal(size=shape) for shape in shapes]


@check(points=2, success_message="Two softmaxes, one difference: rows of weights sum to 1 − λ.")
def two_heads(differential):
    """Two heads, three queries, five keys, halves of width 7"""
    _expect(differential, *_draw(np.random.default_rng(1), 2, 3, 5, 7, 11), 0.8)


@check(points=1, success_message="With λ = 0 it is ordinary attention of the first halves.")
def other_parts(differential):
    """λ = 0 and λ = 0.3"""
    for lambda_ in (0.0, 0.3):
        inputs = _draw(np.random.default_rng(2), 3, 2, 7, 5, 13)
        _expect(differential, *inputs, lambda_, f"the output for λ = {lambda_}")


@check(points=1, hidden=True)
def large_scores(differential, rng):
    """Large scores, other sizes"""
    query, key, value = _draw(rng, 3, 5, 7, 2, 11)
    _expect(differential, 300 * query, 30 * key, value, 0.6)
    _expect(differential, *_draw(rng, 5, 2, 3, 11, 7), 0.45)


ALSO_RIGHT = {
    "two outputs": """
        def differential(query, key, value, lambda_):
            q1, q2 = np.split(query, 2, axis=-1)
            k1, k2 = np.split(key, 2, axis=-1)
            return attention_weights(q1, k1) @ value - lambda_ * (attention_weights(q2, k2) @ value)
    """,
    "by hand": """
        def differential(query, key, value, lambda_):
            d = query.shape[-1] // 2
            output = 0
            for half, sign in ((slice(0, d), 1.0), (slice(d, 2 * d), -lambda_)):
                scores = np.einsum("hqd,hkd->hqk", query[..., half], key[..., half]) / np.sqrt(d)
                e = np.exp(scores - scores.max(axis=-1, keepdims=True))
                output = output + sign * (e / e.sum(axis=-1, keepdims=True)) @ value
            return output
    """,
}
