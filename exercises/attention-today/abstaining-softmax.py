"""Write a softmax that can abstain. `scores` has shape `(heads, num_queries, num_keys)`, and `sink`
has one finite number for each head, $b$. Both may be whole numbers. The weights are

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
from attnlab import mistakes
from coursekit import (
    CheckFailed,
    call_keeping_inputs,
    check,
    exercise,
    expect_close,
    expect_shape,
    mistake,
    shared_mistakes,
)

exercise(
    id="abstaining-softmax",
    chapter="attention-today",
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


def _expect(abstain, scores, sink, what):
    with np.errstate(all="ignore"):
        weights = call_keeping_inputs(abstain, scores, sink)
    weights = expect_shape(weights, scores.shape, what=what)
    hidden = np.isneginf(scores).all(-1)
    if np.isnan(weights[hidden]).any() and not np.isnan(weights[~hidden]).any():
        raise CheckFailed("The weights of a query that sees no key are NaN.", "nan-where-hidden")
    if not np.isfinite(weights).all():
        raise CheckFailed(f"{what} holds NaN or infinity.", "overflow")
    right = softmax(scores, sink=sink[:, None, None])
    with np.errstate(all="ignore"):
        expect_close(weights, right, what=what)


@check(
    points=2, success_message="Each head has its own sink, and its keys share the remaining weight."
)
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
    success_message="A hidden key gets no weight, even where all keys are hidden.",
)
def hidden_keys(abstain):
    """Some keys are hidden, and for one query all are"""
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


shared_mistakes(mistakes.EXPLANATIONS, abstain=lambda scores, sink: mistakes.of_softmax(scores))
_LARGEST, _MAX = (
    "np.maximum(scores.max(axis=-1, keepdims=True), b)",
    "scores.max(-1, keepdims=True)",
)
mistake(
    "no-sink",
    "These are the weights of a plain softmax: those of each query sum to 1. The sink has to "
    "add e^b to the denominator; adding b to all scores changes nothing.",
    {"np.exp(b - largest) + ": ""},
)
mistake(
    "always-one",
    "The denominator has 1 for every head, as if all sinks were 0. It should be e^b, with each "
    "head's own b.",
    {"np.exp(b - largest) + ": "np.exp(-largest) + "},
)
mistake(
    "not-exponentiated",
    "The sink itself was added to the denominator. It is a score: its exponential belongs there.",
    "return np.exp(scores) / (sink[:, None, None] + np.exp(scores).sum(-1, keepdims=True))",
)
mistake(
    "not-shifted",
    "The largest score was subtracted from the scores but not from the sink, so e^b is too large "
    "or too small.",
    {"(np.exp(b - largest)": "(np.exp(b)", _LARGEST: _MAX},
)
mistake(
    "minus-sink",
    "The denominator has e to the power of minus b. A larger sink has to leave less weight for "
    "the keys.",
    {"np.exp(b - largest)": "np.exp(-b - largest)"},
)
mistake(
    "sink-in-each-weight",
    "The sink was added to every key's exponential, in the numerator or the denominator. It "
    "belongs once in the denominator of a query.",
    {
        "(np.exp(b - largest) + exponentials.sum(axis=-1, keepdims=True))": (
            "(np.exp(b - largest) + exponentials).sum(axis=-1, keepdims=True)"
        )
    },
)
mistake(
    "sink-weight-kept",
    "There is one column more than there are keys: the sink's own weight. Leave it out.",
    """
    b = np.broadcast_to(sink[:, None, None], (*scores.shape[:-1], 1))
    rows = np.concatenate([scores, b], axis=-1)
    e = np.exp(rows - rows.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
    """,
)
mistake(
    "other-head",
    "Each head got the sink of another head. Sink h belongs to scores[h].",
    {"b = sink[:, None, None]": "b = sink[::-1, None, None]"},
)
mistake(
    "first-sink",
    "All heads got the sink of the first head. Each has its own.",
    {"b = sink[:, None, None]": "b = sink[0]"},
)
mistake(
    "overflow",
    "The result has NaN or inf: exponentials overflowed, or the divisor is 0. For each query, "
    "subtract the largest of its scores and the sink before you take the exponentials, and include "
    "the sink's exponential in the sum.",
    {_LARGEST: "max(scores.max(), sink.max())"},
    {"scores.max(axis=-1, keepdims=True)": "scores.max(axis=(1, 2), keepdims=True)"},
    """
    e = np.exp(scores)
    return e / (np.exp(sink)[:, None, None] + e.sum(-1, keepdims=True))
    """,
)
mistake(
    "added-as-it-is",
    "The sink itself was added to the denominator, not its exponential.",
    {"np.exp(b - largest) + ": "b + ", _LARGEST: _MAX},
)
mistake(
    "nan-where-hidden",
    "The result is NaN for a query whose keys are all hidden: −∞ − (−∞) and 0 / 0 are not numbers. "
    "Include the sink, which is finite, in the maximum and in the sum, and neither occurs.",
    {_LARGEST: _MAX},
)

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
