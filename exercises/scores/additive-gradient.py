"""The additive score is trained by its gradient. For one query $q$, shape `(d_query,)`, and one key
$k$, shape `(d_key,)`,

$$
s = v^\\top \\tanh(W_q^\\top q + W_k^\\top k) .
$$

Write `additive_gradient`, which returns $\\partial s / \\partial q$, shape `(d_query,)`, by the
chain rule. Differences of scores are not exact enough: one check has a very steep score. In another
check, the hidden sums are in the thousands, and the result must still be finite. Leave the
arguments unchanged.
"""

import numpy as np

from coursekit import as_array, call_keeping_inputs, check, exercise, expect, expect_close, mistake

exercise(
    id="additive-gradient",
    chapter="scores",
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
    slope = 1 - hidden**2
    return w_query @ (w_score * slope)
    # END SOLUTION


def _draw(rng, d_query, d_key, d_hidden):
    shapes = d_query, d_key, (d_query, d_hidden), (d_key, d_hidden), d_hidden
    return [rng.normal(size=shape) for shape in shapes]


def _measured(query, key, w_query, w_key, w_score, step=1e-5):
    """Move each component of the query up and down."""
    moves = step * np.eye(len(query))
    up, down = (
        np.tanh((query + move) @ w_query + key @ w_key) @ w_score for move in (moves, -moves)
    )
    return (up - down) / (2 * step)


def _compare(additive_gradient, given, what):
    seen = call_keeping_inputs(additive_gradient, *given)
    expect_close(seen, _measured(*given), atol=1e-7, what=what)


@check(points=2, success_message="It agrees with the measured slopes.")
def against_finite_differences(additive_gradient):
    """Query of width 3, key of width 5, hidden width 7: the measured slopes"""
    given = _draw(np.random.default_rng(0), 3, 5, 7)
    _compare(additive_gradient, given, "additive_gradient(…)")


@check(points=1, success_message="Each factor of the chain is right and in the right place.")
def equal_widths(additive_gradient):
    """All widths equal, so that no shape gives a mistake away; and a saturated score"""
    given = _draw(np.random.default_rng(1), 3, 3, 3)
    _compare(additive_gradient, given, "additive_gradient(…), all widths 3,")
    query, key, w_query, w_key, w_score = given
    what = "additive_gradient of a saturated score"
    seen = as_array(additive_gradient(query, key, w_query, 3000 * w_key, w_score), what)
    expect(np.isfinite(seen).all(), f"{what} is {seen.tolist()}.", "overflow")
    expect_close(seen, np.zeros(3), atol=1e-7, what=what)


@check(points=1, hidden=True)
def flat_and_other_sizes(additive_gradient, rng):
    """Other sizes, and a score so steep that differences are inexact"""
    query, key, w_query, w_key, w_score = given = _draw(rng, 5, 2, 11)
    _compare(additive_gradient, given, "additive_gradient(…)")
    slopes = (1 - np.tanh(query @ w_query + key @ w_key) ** 2) * w_score
    what = "additive_gradient(…) / 1e6 where the score is steep"
    seen = additive_gradient(query / 1e6, key.copy(), 1e6 * w_query, w_key.copy(), w_score.copy())
    expect_close(as_array(seen, what) / 1e6, w_query @ slopes, atol=1e-7, what=what)


def _difference(up, down):
    """Return an edit that takes the difference of two scores for the gradient."""
    score = "np.tanh((query {} * np.eye(len(query))) @ w_query + key @ w_key) @ w_score"
    ahead, behind = score.format(f"+ {up}"), score.format(f"- {down}")
    return {"w_query @ (w_score * slope)": f"({ahead} - {behind}) / {up + down}"}


mistake(
    "no-slope",
    "The derivative of tanh is missing: this is the gradient of a score without tanh.",
    {"w_score * slope": "w_score"},
)
mistake(
    "tanh-for-slope",
    "tanh itself replaces its derivative, which is 1 - tanh².",
    {"1 - hidden**2": "hidden"},
)
mistake(
    "wrong-slope",
    "1 - tanh was used for the derivative of tanh, which is 1 - tanh².",
    {"hidden**2": "hidden"},
)
mistake(
    "sigmoid-slope",
    "h (1 - h) is the derivative of a sigmoid. The derivative of tanh is 1 - h².",
    {"1 - hidden**2": "hidden * (1 - hidden)"},
)
mistake(
    "squared-slope",
    "(1 - h)² was used for the derivative of tanh, which is 1 - h².",
    {"1 - hidden**2": "(1 - hidden) ** 2"},
)
mistake(
    "unapplied-tanh",
    "1 - x² was computed from the hidden sums x before tanh. Square tanh(x) instead.",
    {"np.tanh": ""},
)
mistake(
    "plus-slope",
    "1 + tanh² was used for the derivative of tanh, which is 1 - tanh².",
    {"1 - ": "1 + "},
)
mistake(
    "root-of-slope",
    "The square is missing: the derivative of tanh is 1 / cosh², not 1 / cosh.",
    {"1 - hidden**2": "np.sqrt(1 - hidden**2)"},
)
mistake(
    "times-tanh",
    "The derivative of tanh was multiplied by tanh once more. The chain has v, 1 - tanh² and "
    "w_query, each once.",
    {"1 - hidden**2": "hidden - hidden**3"},
)
mistake(
    "times-score",
    "The gradient was multiplied by the score, as if the score were squared.",
    {"return ": "return w_score @ hidden * "},
)
mistake(
    "times-query",
    "Each component was multiplied by that of the query. The hidden sums are linear in the query, "
    "with w_query alone as the derivative.",
    {"w_query @ (w_score * slope)": "query * (w_query @ (w_score * slope))"},
)
mistake(
    "one-sum-for-all",
    "Every component is the same: w_query is missing, and the slopes of all hidden units were "
    "summed.",
    {"w_query @ (w_score * slope)": "np.full(len(query), w_score @ slope)"},
)
mistake(
    "for-the-matrix",
    "This is the gradient with respect to W_q. The task asks for the gradient with respect to the "
    "query.",
    {"w_query @ (": "np.outer(query, "},
)
mistake(
    "both-vectors",
    "These are the gradients for the query and for the key, one after the other. Return only the "
    "query's.",
    {"w_query @ (": "np.vstack([w_query, w_key]) @ ("},
)
mistake(
    "the-score",
    "This is the score itself. Return its gradient with respect to the query.",
    {"w_query @ (w_score * slope)": "w_score @ hidden"},
)
mistake(
    "negative",
    "Every sign is wrong: this is the direction in which the score falls, the step of gradient "
    "descent.",
    {"return ": "return -"},
)
mistake(
    "tanh-of-slope",
    "The derivative was computed at tanh(x) instead of x: tanh was applied twice.",
    {"hidden**2": "np.tanh(hidden) ** 2"},
)
mistake(
    "slope-of-the-score",
    "The derivative of tanh was computed at the score, one number for all. Each hidden unit has "
    "its own derivative.",
    {"hidden**2": "np.tanh(w_score @ hidden) ** 2"},
)
mistake("no-v", "The weights v are missing from the chain.", {"w_score * ": ""})
mistake("squared-v", "The weights v occur twice in the chain.", {"w_score *": "w_score**2 *"})
mistake(
    "key-matrix",
    "This is the gradient with respect to the key: it has w_key instead of w_query.",
    {"w_query @ (": "w_key @ ("},
)
mistake(
    "no-key",
    "The key is missing from the hidden sum. The derivative of tanh is computed at the sum of both "
    "parts.",
    {" + key @ w_key": ""},
)
mistake(
    "mean-over-hidden",
    "The hidden units were averaged. The score sums them, and so does its gradient.",
    {"w_query @ (w_score * slope)": "(w_query * w_score * slope).mean(axis=1)"},
)
mistake(
    "hidden-shape",
    "This is the gradient with respect to the hidden sums, shape (d_hidden,). One factor of the "
    "chain is missing: w_query.",
    {"w_query @ (": "("},
)
mistake(
    "matrix",
    "These are the hidden units' parts of the gradient, one per column. Sum over the hidden units.",
    {"w_query @ (": "w_query * ("},
)
mistake(
    "transposed-matrix",
    "w_query was transposed. Its rows belong to the components of the query, its columns to the "
    "hidden units.",
    {"w_query @ (": "w_query.T @ ("},
)
mistake(
    "differences",
    "This is a difference of two scores over a small step, which is inexact where the score is "
    "steep. Use the derivative of tanh.",
    *(
        _difference(*by)
        for step in 10.0 ** -np.arange(1, 9)
        for by in ((step, step), (step, 0), (0, step))
    ),
)
mistake(
    "overflow",
    "For hidden sums in the thousands the result contains NaN or infinity: e to the 1000 "
    "overflows. np.tanh does not.",
    {"np.tanh": "(lambda z: np.sinh(z) / np.cosh(z))"},
)

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
