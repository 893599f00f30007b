"""Write a softmax that can abstain. `scores` has shape `(heads, num_queries, num_keys)`, `sink` has
one finite number for each head, $b$. Both may be whole numbers. The weights are

$$
w_{ij} = \\frac{e^{s_{ij}}}{e^{b} + \\sum_k e^{s_{ik}}}
$$

so the weights of a query may sum to less than 1. Scores and sinks may be as large as $\\pm 10^4$,
and the weights have to be right and finite there, too. A score of $-\\infty$ hides a key, whose
weight is 0; all keys of a query may be hidden. Return the weights of the keys, and leave the
arguments as they are.
"""

import numpy as np

from attn import softmax
from coursekit import (
    CheckFailed,
    call_keeping_inputs,
    check,
    exercise,
    expect_close,
    expect_shape,
)

exercise(
    title="A softmax that can abstain",
    version=2,
    withhold=["attn.softmax"],
    hints=[
        "The sink is like the score of one more key in each row, whose weight is left out at the "
        "end. Which number do you subtract so that no exponential exceeds 1?",
        "The largest of the scores *and* the sink, for each query. Subtract it from the scores and "
        "from the sink. With shape `(heads, 1, 1)` the sink broadcasts.",
        "`b = sink[:, None, None]`, `largest = np.maximum(scores.max(-1, keepdims=True), b)`, then "
        "`np.exp(scores - largest)` and `np.exp(b - largest)`.",
    ],
)


def abstain(scores, sink):
    """Return weights, (heads, num_queries, num_keys).

    scores: (heads, num_queries, num_keys)   sink: (heads,)
    """
    # BEGIN SOLUTION
    b = sink[:, None, None]
    largest = np.maximum(scores.max(axis=-1, keepdims=True), b)
    exponentials = np.exp(scores - largest)  # (heads, num_queries, num_keys)
    return exponentials / (np.exp(b - largest) + exponentials.sum(axis=-1, keepdims=True))
    # END SOLUTION


MISTAKES = r"""
no-sink: (also nan-where-hidden, overflow) `np.exp(b - largest) + ` → ``
    These are the weights of a plain softmax: those of each query sum to 1. The sink has to add e^b
    to the denominator; adding b to all scores changes nothing.
always-one: (also overflow) `np.exp(b - ` → `np.exp(-`
    The denominator has 1 for every head, as if all sinks were 0. It should be e^b, with each head's
    own b.
not-exponentiated: (also overflow) `scores - largest` → `scores`, `np.exp(b - largest)` → `b`
    The sink itself was added to the denominator. It is a score: its exponential belongs there.
added-as-it-is: (also nan-where-hidden) `np.maximum(scores.max(axis=-1, keepdims=True), b)` →
  `scores.max(axis=-1, keepdims=True)`, `np.exp(b - largest)` → `b`
    The sink itself was added to the denominator, not its exponential.
not-shifted: (also nan-where-hidden, overflow) `np.maximum(scores.max(axis=-1, keepdims=True), b)` →
  `scores.max(axis=-1, keepdims=True)`, `b - largest` → `b`
    The largest score was subtracted from the scores but not from the sink. Then e^b is too large or
    too small by that factor.
minus-sink: (also overflow) `np.exp(b - ` → `np.exp(-b - `
    The denominator has e to the power of minus b. A larger sink has to leave less weight for the
    keys.
sink-in-each-weight: (also overflow) `exponentials.sum(axis=-1, keepdims=True))` →
  `exponentials).sum(axis=-1, keepdims=True)`
    The sink was added to every key's exponential, above or below the fraction bar. It comes once
    into the denominator of a query.
sink-weight-kept: `return exponentials` →
  `return np.concatenate([exponentials, np.exp(b - largest)], axis=-1)`
    There is one column more than there are keys: the sink's own weight. Leave it out.
other-head: `sink[:, None, None]` → `sink[::-1, None, None]`
    Each head got the sink of another head. Sink h belongs to scores[h].
first-sink: `sink[:, None, None]` → `sink[0]`
    All heads got the sink of the first head. Each has its own.
overflow: `np.maximum(scores.max(axis=-1, keepdims=True), b)` → `max(scores.max(), sink.max())`
or `axis=-1, keepdims=True), b)` → `axis=(1, 2), keepdims=True), b)`
or ` - largest` → ``
    There is NaN or inf: exponentials overflowed, or the divisor is 0. For each query, subtract the
    largest of its scores and the sink before you take the exponentials, and include the sink's
    exponential in the sum.
nan-where-hidden: (also overflow) `np.maximum(scores.max(axis=-1, keepdims=True), b)` →
  `scores.max(axis=-1, keepdims=True)`
    There is NaN for a query whose keys are all hidden: −∞ − (−∞) and 0 / 0 are not numbers. With
    the sink, which is finite, among the numbers of which you take the maximum and the sum, neither
    comes up.
no-softmax: (also overflow) `def abstain(scores, sink): return scores`
not-normalised: (also overflow) `def abstain(scores, sink): return np.exp(scores)`
not-normalised-shifted: (also nan-where-hidden)
  `def abstain(scores, sink): return np.exp(scores - scores.max(axis=-1, keepdims=True))`
one-more-in-the-sum: (also nan-where-hidden)
  `np.maximum(scores.max(axis=-1, keepdims=True), b)` → `scores.max(axis=-1, keepdims=True)`,
  `np.exp(b - largest)` → `1.0`
softmax-twice: (also nan-where-hidden) `return` →
  `exponentials = np.exp(exponentials / exponentials.sum(axis=-1, keepdims=True)); return`
sum-normalised: (also nan-where-hidden, overflow)
  `def abstain(scores, sink): return scores / scores.sum(axis=-1, keepdims=True)`
base-two: `np.exp(` → `np.exp2(`
hard: `def abstain(scores, sink): return (scores == scores.max(axis=-1, keepdims=True)) * 1.0`
uniform: `def abstain(scores, sink): return np.full(scores.shape, 1 / scores.shape[-1])`
"""


def _expect(abstain, scores, sink, what):
    with np.errstate(all="ignore"):
        weights = call_keeping_inputs(abstain, scores, sink)
    weights = expect_shape(weights, scores.shape, what=what)
    hidden = np.isneginf(scores).all(-1)
    if np.isnan(weights[hidden]).any() and not np.isnan(weights[~hidden]).any():
        raise CheckFailed("The weights of a query that sees nothing are NaN.", "nan-where-hidden")
    if not np.isfinite(weights).all():
        raise CheckFailed(f"{what} holds NaN or infinity.", "overflow")
    right = softmax(scores, sink=sink[:, None, None])
    expect_close(weights, right, what=what)


@check(points=2, success_message="Each head has its own sink, and its queries keep what is left.")
def three_heads(abstain):
    """Three heads, two queries, five keys; whole numbers as scores, too"""
    rng = np.random.default_rng(1)
    _expect(abstain, rng.normal(size=(3, 2, 5)), np.array([-1.0, 0.6, 2.0]), "the array of weights")
    whole = np.array([[[2, 0, 1], [0, -3, 1]]])
    _expect(abstain, whole, np.array([1]), "the array of weights of whole numbers")


@check(points=1, success_message="The weights are right and finite, however large the numbers are.")
def large_numbers(abstain):
    """Scores and sinks of plus and minus 1e4, also in the queries of one head"""
    base = np.array([[[0.0, 1.0, 0.5], [1.0, 1.0, -1.0]]])
    for shift, sink in ((1e4, 1e4), (-1e4, -1e4), (1e4, 0.0), (-1e4, 0.0), (0.0, 1e4), (0.0, -1e4)):
        what = f"the array of weights with scores near {shift:g} and the sink {sink:g}"
        _expect(abstain, base + shift, np.array([sink]), what)
    apart = np.array([[[1e4, 0.0], [-1e4, -1e4]]])
    for scores, sinks in ((apart, [-1e4]), (np.vstack([apart[:, 1:], apart[:, :1]]), [-1e4, 0.0])):
        what = f"the array of weights of {scores.tolist()} with the sinks {sinks}"
        _expect(abstain, scores, np.array(sinks), what)


@check(
    points=1,
    success_message="A hidden key gets nothing; where all keys are hidden, none gets anything.",
)
def hidden_keys(abstain):
    """Some keys are hidden, and for one query all"""
    scores = np.random.default_rng(3).normal(size=(2, 3, 7))
    scores[0, 1] = -np.inf
    scores[1, 2, 2:] = -np.inf
    _expect(abstain, scores, np.array([0.5, -0.7]), "the array of weights")


@check(points=1, hidden=True)
def other_sizes(abstain, rng):
    """Other sizes and sinks"""
    scores = 3.0 * rng.normal(size=(5, 7, 11))
    scores[rng.random(scores.shape) < 0.2] = -np.inf
    _expect(abstain, scores, rng.normal(size=5), "the array of weights")
    _expect(abstain, scores + 3e3, 3e3 + rng.normal(size=5), "the array of weights of large scores")


ALSO_RIGHT = {
    "one more key": """
        def abstain(scores, sink):
            b = np.broadcast_to(sink[:, None, None], (*scores.shape[:-1], 1))
            rows = np.concatenate([scores, b], axis=-1)
            e = np.exp(rows - rows.max(-1, keepdims=True))
            return (e / e.sum(-1, keepdims=True))[..., :-1]
    """,
    "by loops": """
        def abstain(scores, sink):
            weights = np.zeros(scores.shape)
            for h in range(len(scores)):
                for i, row in enumerate(scores[h]):
                    m = max(row.max(), sink[h])
                    e = np.exp(row - m)
                    weights[h, i] = e / (np.exp(sink[h] - m) + e.sum())
            return weights
    """,
}
