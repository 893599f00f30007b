"""The additive score trains by its gradient. For one query $q$, shape `(d_query,)`, and one key
$k$, shape `(d_key,)`,

$$
s = v^\\top \\tanh(W_q^\\top q + W_k^\\top k) .
$$

Write `additive_gradient`, which returns $\\partial s / \\partial q$, shape `(d_query,)`, by the
chain rule. Differences of scores are not exact enough: one check has a very steep score. In
another the hidden sums are in the thousands, and the result still has to be finite. Leave the
arguments unchanged.
"""

import numpy as np

from coursekit import as_array, check, exercise, expect, expect_close, expect_same

exercise(
    title="The slope of an additive score",
    hints=[
        "Follow one component of the query: through which row of $W_q$ does it pass, through which "
        "function, and with which weight does it enter the score?",
        "The derivative of $\\tanh(x)$ is $1 - \\tanh^2(x)$. Apply the chain rule from the outside "
        "in: $v$, then the derivative of tanh, then $W_q$.",
        "With `hidden = np.tanh(query @ w_query + key @ w_key)` the derivative with respect to "
        "each hidden sum is `w_score * (1 - hidden**2)`, shape (d_hidden,). What is left is a "
        "product with `w_query`.",
    ],
)


def additive_gradient(query, key, w_query, w_key, w_score):
    """Return the gradient of the score for the query, (d_query,).

    query (d_query,)   w_query (d_query, d_hidden)
    key (d_key,)       w_key (d_key, d_hidden)      w_score (d_hidden,)
    """
    # BEGIN SOLUTION
    hidden = np.tanh(query @ w_query + key @ w_key)  # (d_hidden,)
    return w_query @ (w_score * (1 - hidden**2))
    # END SOLUTION


MISTAKES = r"""
no-slope: ` * (1 - hidden**2)` → ``
    The derivative of tanh is missing: this is the gradient of a score without tanh.
tanh-for-slope: `(1 - hidden**2)` → `hidden`
    tanh itself stands where its derivative belongs, which is 1 - tanh².
wrong-slope: `**2` → ``
    1 - tanh stands where the derivative of tanh belongs. That is 1 - tanh².
sigmoid-slope: `(1 - hidden**2)` → `hidden * (1 - hidden)`
    h (1 - h) is the derivative of a sigmoid. That of tanh is 1 - h².
squared-slope: `(1 - hidden**2)` → `(1 - hidden) ** 2`
    (1 - h)² stands where the derivative of tanh belongs. That is 1 - h².
unapplied-tanh: `np.tanh(` → `(`
    1 - x² was computed from the hidden sums x before tanh. The square is that of tanh(x).
plus-slope: `1 - hidden**2` → `1 + hidden**2`
    1 + tanh² stands where the derivative of tanh belongs. That is 1 - tanh².
root-of-slope: `(1 - hidden**2)` → `np.sqrt(1 - hidden**2)`
    The square is missing: the derivative of tanh is 1 / cosh², not 1 / cosh.
times-tanh: `(1 - hidden**2)` → `(1 - hidden**2) * hidden`
    The derivative of tanh was multiplied by tanh once more. The chain has v, 1 - tanh² and w_query,
    each once.
times-score: `return w_query` → `return (w_score @ hidden) * w_query`
    The gradient was multiplied by the score, as if the score were squared.
times-query: `return w_query` → `return query[:, None] * w_query`
    Each component was multiplied by that of the query. The query has a linear part in the hidden
    sums, whose derivative is w_query alone.
one-sum-for-all: `return w_query @ (` → `return np.ones(len(query)) * sum(`
    Every component is the same: w_query is missing, and the slopes of all hidden units were summed.
for-the-matrix: `return w_query @ (` → `return np.outer(query, `
    This is the gradient with respect to W_q. The task asks for the gradient with respect to the
    query.
both-vectors: `return w_query` → `return np.vstack([w_query, w_key])`
    These are the gradients for the query and for the key, one after the other. Return only the
    query's.
the-score: `w_query @ (w_score * (1 - hidden**2))` → `w_score @ hidden`
    This is the score itself. Return its gradient with respect to the query.
negative: `return w_query` → `return -w_query`
    Every sign is the opposite: this is the direction in which the score falls, the step of a
    gradient descent.
tanh-of-slope: `hidden**2` → `np.tanh(hidden) ** 2`
    The derivative was computed at tanh(x) in place of x: tanh was applied twice.
slope-of-the-score: `(w_score * (1 - hidden**2))` → `w_score * (1 - np.tanh(w_score @ hidden) ** 2)`
    The derivative of tanh was computed at the score, one number for all. Each hidden unit has its
    own.
no-v: `(w_score * ` → `(`
    The weights v are missing from the chain.
squared-v: `(w_score *` → `(w_score**2 *`
    The weights v occur twice in the chain.
key-matrix: `return w_query` → `return w_key`
    This is the gradient with respect to the key: it has w_key where the query's has w_query.
no-key: ` + key @ w_key` → ``
    The key is missing from the hidden sum. The derivative of tanh is computed at the sum of both
    parts.
mean-over-hidden: `return w_query` → `return w_query / len(hidden)`
    The hidden units were averaged. The score sums them, and so does its gradient.
hidden-shape: `return w_query @ ` → `return `
    This is the gradient with respect to the hidden sums, shape (d_hidden,). One factor of the chain
    is missing: w_query.
matrix: `return w_query @` → `return w_query *`
    This is each hidden unit's part of the gradient, one column each. Sum over the hidden units.
transposed-matrix: `return w_query` → `return w_query.T`
    w_query was transposed. Its rows belong to the components of the query, its columns to the
    hidden units.
differences:
    ```
    def additive_gradient(query, key, w_query, w_key, w_score):
        def score(moved):
            return w_score @ np.tanh(moved @ w_query + key @ w_key)

        units = 1e-6 * np.eye(len(query))
        return np.array([score(query + u) - score(query - u) for u in units]) / 2e-6
    ```
    This is a difference of two scores over a small step, too inexact where the score is steep. Use
    the derivative of tanh.
overflow: `np.tanh(` → `(lambda z: (np.exp(z) - np.exp(-z)) / (np.exp(z) + np.exp(-z)))(`
    For hidden sums in the thousands the result contains NaN or infinity: e to the 1,000 overflows.
    np.tanh does not.
"""


def _draw(rng, d_query, d_key, d_hidden):
    sizes = (d_query, d_key, (d_query, d_hidden), (d_key, d_hidden), d_hidden)
    return [rng.normal(size=size) for size in sizes]


def _scores(query, key, w_query, w_key, w_score):
    """Return the score of each query, a row each."""
    return np.tanh(query @ w_query + key @ w_key) @ w_score


def _measured(query, *others):
    """Move each component of the query up and down."""
    units = 1e-5 * np.eye(len(query))
    return (_scores(query + units, *others) - _scores(query - units, *others)) / 2e-5


def _compare(additive_gradient, given, what):
    expect_same(additive_gradient, _measured, *given, atol=1e-7, what=what)


@check(points=2, success_message="It agrees with the measured slopes.")
def against_finite_differences(additive_gradient):
    """Query of width 3, key of width 5, hidden width 7: the slopes that are measured"""
    given = _draw(np.random.default_rng(0), 3, 5, 7)
    _compare(additive_gradient, given, "additive_gradient(…)")


@check(points=1, success_message="Each factor of the chain is right and in its place.")
def equal_widths(additive_gradient):
    """All widths equal, so that no shape gives a mistake away; and a saturated score"""
    given = _draw(np.random.default_rng(1), 3, 3, 3)
    _compare(additive_gradient, given, "additive_gradient(…), all widths 3,")
    query, key, w_query, w_key, w_score = given
    far = (query, key, w_query, 3000 * w_key, w_score)
    seen = as_array(additive_gradient(*far), "additive_gradient of a saturated score")
    finite = np.isfinite(seen).all()
    expect(finite, f"additive_gradient of a saturated score is {seen.tolist()}.", "overflow")
    expect_close(seen, np.zeros(3), atol=1e-7, what="additive_gradient of a saturated score")


@check(points=1, hidden=True)
def flat_and_other_sizes(additive_gradient, rng):
    """Other sizes, and a score so steep that differences are inexact"""
    query, key, w_query, w_key, w_score = _draw(rng, 5, 2, 11)
    _compare(additive_gradient, (query, key, w_query, w_key, w_score), "additive_gradient(…)")
    steep = (query / 1e6, key, 1e6 * w_query, w_key, w_score)
    slopes = (1 - np.tanh(query @ w_query + key @ w_key) ** 2) * w_score
    what = "additive_gradient(…) / 1e6 where the score is steep"
    seen = as_array(additive_gradient(*(array.copy() for array in steep)), what) / 1e6
    right = w_query @ slopes
    if seen.shape != right.shape or not np.allclose(seen, right, rtol=0, atol=1e-7):
        message = f"{what} is {seen.round(4).tolist()}; expected {right.round(4).tolist()}."
        expect(not _is_difference(seen * 1e6, *steep), message, "differences")
    expect_close(seen, right, atol=1e-7, what=what)


def _is_difference(seen, query, *others):
    """Whether the result is a difference of scores: central, forward or backward."""
    still = _scores(query, *others)
    for step in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
        units = step * np.eye(len(query))
        up, down = _scores(query + units, *others), _scores(query - units, *others)
        ways = (up - down) / (2 * step), (up - still) / step, (still - down) / step
        if any(seen.shape == way.shape and np.allclose(seen, way, rtol=1e-3) for way in ways):
            return True
    return False


ALSO_RIGHT = {
    "with cosh": """
        def additive_gradient(query, key, w_query, w_key, w_score):
            total = np.clip(query @ w_query + key @ w_key, -300, 300)
            return (w_score / np.cosh(total) ** 2) @ w_query.T
    """,
    "unit by unit": """
        def additive_gradient(query, key, w_query, w_key, w_score):
            total = np.zeros(len(query))
            for unit, weight in enumerate(w_score):
                hidden = np.tanh(query @ w_query[:, unit] + key @ w_key[:, unit])
                total += weight * (1 - hidden) * (1 + hidden) * w_query[:, unit]
            return total
    """,
}
