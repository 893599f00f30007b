"""The additive score trains by its gradient. For one query $q$, shape `(d_query,)`, and one key
$k$, shape `(d_key,)`,

$$
s = v^\\top \\tanh(W_q^\\top q + W_k^\\top k) .
$$

Write `additive_gradient`, which returns $\\partial s / \\partial q$, shape `(d_query,)`. The checks
move each component of the query a little and look how far the score moves.
"""

import numpy as np

from coursekit import check, exercise, expect_close, wrong

exercise(
    id="additive-gradient",
    chapter="scores",
    title="The slope of an additive score",
    hints=[
        "Follow one component of the query: through which row of $W_q$ does it go, through which "
        "function, and with which weight does it arrive in the score?",
        "The derivative of $\\tanh(x)$ is $1 - \\tanh^2(x)$. Chain rule, from the outside in: $v$, "
        "then the slope of tanh, then $W_q$.",
        "With `hidden = np.tanh(query @ w_query + key @ w_key)` the slope at each hidden unit is "
        "`w_score * (1 - hidden**2)`, shape (d_hidden,). What is left is a product with `w_query`.",
    ],
    misconceptions={
        "no-slope": "The slope of tanh is missing: this is the gradient of a score without tanh.",
        "tanh-for-slope": "tanh itself stands where its slope belongs. The slope is 1 − tanh².",
        "wrong-slope": "1 − tanh is not the slope of tanh; 1 − tanh² is.",
        "unapplied-tanh": "1 − x² was taken of the hidden sum before tanh. It is tanh that is "
        "squared.",
        "no-v": "The weights v are missing from the chain.",
        "key-matrix": "This is the gradient with respect to the key. The query goes through its "
        "own matrix.",
        "no-key": "The key is missing from the hidden sum: the slope depends on both.",
        "hidden-shape": "This is the gradient at the hidden units, shape (d_hidden,). One more "
        "factor of the chain leads to the query.",
    },
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


def _draw(rng, d_query, d_key, d_hidden):
    return (
        rng.normal(size=d_query),
        rng.normal(size=d_key),
        rng.normal(size=(d_query, d_hidden)),
        rng.normal(size=(d_key, d_hidden)),
        rng.normal(size=d_hidden),
    )


def _measured(query, key, w_query, w_key, w_score, step=1e-5):
    """Move each component of the query up and down."""

    def score(moved):
        return w_score @ np.tanh(moved @ w_query + key @ w_key)

    return np.array(
        [
            (score(query + step * unit) - score(query - step * unit)) / (2 * step)
            for unit in np.eye(len(query))
        ]
    )


def _mistakes(query, key, w_query, w_key, w_score):
    total = query @ w_query + key @ w_key
    slope = 1 - np.tanh(total) ** 2
    return {
        "no-slope": w_query @ w_score,
        "tanh-for-slope": w_query @ (w_score * np.tanh(total)),
        "wrong-slope": w_query @ (w_score * (1 - np.tanh(total))),
        "unapplied-tanh": w_query @ (w_score * (1 - total**2)),
        "no-v": w_query @ slope,
        "key-matrix": w_key @ (w_score * slope),
        "no-key": w_query @ (w_score * (1 - np.tanh(query @ w_query) ** 2)),
        "hidden-shape": w_score * slope,
    }


def _compare(additive_gradient, given, what):
    expect_close(
        additive_gradient(*(array.copy() for array in given)),
        _measured(*given),
        atol=1e-7,
        what=what,
        mistakes=_mistakes(*given),
    )


@check(points=2)
def against_finite_differences(additive_gradient):
    """Query of width 3, key of width 5: the slopes that are measured"""
    given = _draw(np.random.default_rng(0), 3, 5, 7)
    _compare(additive_gradient, given, "additive_gradient(…)")


@check(points=1)
def equal_widths(additive_gradient):
    """All widths equal, so that no shape helps"""
    given = _draw(np.random.default_rng(1), 3, 3, 3)
    _compare(additive_gradient, given, "additive_gradient(…), all widths 3,")


@check(points=1, hidden=True)
def flat_and_other_sizes(additive_gradient, rng):
    """Where tanh is saturated nothing moves; where the score is steep it counts to be exact"""
    query, key, w_query, w_key, w_score = _draw(rng, 5, 2, 11)
    _compare(additive_gradient, (query, key, w_query, w_key, w_score), "additive_gradient(…)")
    far = (query, key, w_query, 100 * w_key + 100 * np.sign(w_key), w_score)
    _compare(additive_gradient, far, "additive_gradient of a saturated score")
    steep = (query / 1e6, key, 1e6 * w_query, w_key, w_score)
    slopes = (1 - np.tanh(query @ w_query + key @ w_key) ** 2) * w_score
    expect_close(
        np.divide(additive_gradient(*(array.copy() for array in steep)), 1e6),
        w_query @ slopes,
        atol=1e-7,
        what="additive_gradient(…) / 1e6 where the score is steep and differences are inexact",
        mistakes={name: value / 1e6 for name, value in _mistakes(*steep).items()},
    )


WRONG = {
    "no slope": wrong(
        replace={"(w_score * (1 - hidden**2))": "w_score"},
        rejected_by=["against_finite_differences", "equal_widths"],
        misconception="no-slope",
    ),
    "tanh for its slope": wrong(
        replace={"(1 - hidden**2)": "hidden"},
        rejected_by=["against_finite_differences", "equal_widths"],
        misconception="tanh-for-slope",
    ),
    "the square is forgotten": wrong(
        replace={"hidden**2": "hidden"},
        rejected_by=["against_finite_differences", "equal_widths"],
        misconception="wrong-slope",
    ),
    "tanh is forgotten": wrong(
        replace={"np.tanh(query @ w_query + key @ w_key)": "query @ w_query + key @ w_key"},
        rejected_by=["against_finite_differences", "equal_widths"],
        misconception="unapplied-tanh",
    ),
    "without v": wrong(
        replace={"w_score * (1 - hidden**2)": "1 - hidden**2"},
        rejected_by=["against_finite_differences", "equal_widths"],
        misconception="no-v",
    ),
    "for the key": wrong(
        replace={"return w_query @": "return w_key @"},
        rejected_by=["against_finite_differences", "equal_widths"],
        misconception="key-matrix",
    ),
    "the key is forgotten": wrong(
        replace={" + key @ w_key": ""},
        rejected_by=["against_finite_differences", "equal_widths"],
        misconception="no-key",
    ),
    "stops at the hidden units": wrong(
        replace={"return w_query @ ": "return "},
        rejected_by=["against_finite_differences", "equal_widths"],
        misconception="hidden-shape",
    ),
}

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
