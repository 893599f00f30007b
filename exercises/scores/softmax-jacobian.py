"""How much does each weight move when a score moves a little? The answer is the **Jacobian** of the
softmax. For one row of weights $p = \\operatorname{softmax}(s)$ it is a matrix,

$$
J_{ij} = \\frac{\\partial p_i}{\\partial s_j} .
$$

Derive it from $p_i = e^{s_i} / \\sum_l e^{s_l}$, and write `softmax_jacobian(weights)`. It gets the
*weights*, not the scores: they are all it needs. There may be leading axes: for weights of shape
`(..., n)`, return all Jacobians, shape `(..., n, n)`. Leave `weights` unchanged.
"""

import numpy as np

from coursekit import (
    CheckFailed,
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect_close,
    mistake,
)

exercise(
    id="softmax-jacobian",
    chapter="scores",
    title="The slope of a softmax",
    hints=[
        "Take two cases. What is the derivative of $p_i$ with respect to *its own* score $s_i$? "
        "And with respect to another score $s_j$, which occurs only in the denominator?",
        "Use the quotient rule. In the first case the numerator and the denominator both depend on "
        "$s_i$; in the second case the numerator is a constant. Write the results with $p_i$ and "
        "$p_j$ alone.",
        "$\\partial p_i / \\partial s_i = p_i (1 - p_i)$, and $\\partial p_i / \\partial s_j = "
        "-p_i p_j$ for $j \\ne i$. Together they are $p_i (\\delta_{ij} - p_j)$, where "
        "$\\delta_{ij}$ is an entry of the identity matrix.",
        "For one row that is `np.diag(p) - np.outer(p, p)`. For leading axes, multiply "
        "`weights[..., :, None]` by `np.eye(n) - weights[..., None, :]`.",
    ],
)


def softmax_jacobian(weights):
    """Return the Jacobian of each row, (..., n, n).

    weights (..., n), each row a softmax
    """
    # BEGIN SOLUTION
    identity = np.eye(weights.shape[-1])
    own, other = weights[..., :, None], weights[..., None, :]
    return own * (identity - other)
    # END SOLUTION


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _measured(scores, step=1e-5):
    """The Jacobian by central differences, column by column."""
    moved = [
        (_softmax(scores + step * unit) - _softmax(scores - step * unit)) / (2 * step)
        for unit in np.eye(scores.shape[-1])
    ]
    return np.stack(moved, axis=-1)


def _expect_jacobian(softmax_jacobian, weights, measured, what):
    try:
        seen = as_array(call_keeping_inputs(softmax_jacobian, weights), what)
    except (ValueError, IndexError) as error:
        id = "no-batch" if _right_row_by_row(softmax_jacobian, weights, measured) else None
        raise CheckFailed(f"{what} raised {error}", id) from None
    expect_close(seen, measured, atol=1e-8, what=what)


def _right_row_by_row(softmax_jacobian, weights, measured):
    """Whether the answer is right for each row alone."""
    rows, right = weights.reshape(-1, weights.shape[-1]), measured.reshape(-1, *measured.shape[-2:])
    try:
        seen = np.array([as_array(softmax_jacobian(row.copy())) for row in rows])
    except Exception:
        return False
    return seen.shape == right.shape and np.allclose(seen, right)


@check(points=1, success_message="The diagonal holds 0.75 · 0.25; its negative is beside it.")
def two_keys(softmax_jacobian):
    """Two keys with weights 0.75 and 0.25, by hand"""
    measured = np.array([[0.1875, -0.1875], [-0.1875, 0.1875]])
    what = "softmax_jacobian([0.75, 0.25])"
    _expect_jacobian(softmax_jacobian, np.array([0.75, 0.25]), measured, what)


@check(points=2, success_message="It agrees with the measured slopes.")
def against_finite_differences(softmax_jacobian):
    """Five keys: the slopes measured by moving each score a little"""
    scores = np.array([0.5, -1.0, 2.0, 0.0, 0.3])
    what = "softmax_jacobian(weights)"
    _expect_jacobian(softmax_jacobian, _softmax(scores), _measured(scores), what)


@check(points=1, success_message="Each of the 3 rows has its own Jacobian.")
def rows_of_a_sentence(softmax_jacobian):
    """Weights of 3 queries over 5 keys: shape (3, 5, 5)"""
    scores = np.random.default_rng(0).normal(size=(3, 5))
    what = "softmax_jacobian of weights of shape (3, 5)"
    _expect_jacobian(softmax_jacobian, _softmax(scores), _measured(scores), what)


@check(points=1, hidden=True)
def saturated_and_batched(softmax_jacobian, rng):
    """A weight of 1 has no slope left; batches and other sizes"""
    seen = softmax_jacobian(np.array([0.0, 1.0, 0.0]))
    expect_close(seen, np.zeros((3, 3)), what="softmax_jacobian([0, 1, 0])")
    scores = 2 * rng.normal(size=(2, 3, 7))
    what = "softmax_jacobian of weights of shape (2, 3, 7)"
    _expect_jacobian(softmax_jacobian, _softmax(scores), _measured(scores), what)


_RIGHT, _SECOND = "own * (identity - other)", "identity - other"
mistake(
    "diagonal-only",
    "The diagonal is right and the rest is 0. Each score also changes all the *other* weights, "
    "because they share one denominator.",
    {_RIGHT: "own * (1 - own) * identity"},
)
mistake(
    "missing-diagonal",
    "This is -p_i p_j everywhere. On the diagonal p_i has to be added: a larger score raises its "
    "own weight.",
    {_SECOND: "-other"},
)
mistake(
    "square-twice",
    "The square of p_i was subtracted twice on the diagonal, which holds p_i - 2 p_i². p_i (1 - "
    "p_i) contains it already: subtract p_i p_j off the diagonal only.",
    {_SECOND: "identity - other - own * identity"},
)
mistake(
    "sign",
    "Every sign is wrong: raising a score raises its own weight and lowers the others.",
    {_SECOND: "other - identity"},
)
mistake(
    "diagonal-sign",
    "The numbers are right except for the sign off the diagonal: raising a score lowers the other "
    "weights.",
    {_SECOND: "identity + other * (1 - 2 * identity)"},
)
mistake(
    "no-product",
    "The diagonal holds p but should hold p (1 - p): raising a score raises the denominator as "
    "well.",
    {_SECOND: "identity - other * (1 - identity)"},
)
mistake(
    "only-p",
    "This is diag(p). Each entry lacks its product of two weights, p_i p_j, which has to be "
    "subtracted.",
    {_SECOND: "identity"},
)
mistake(
    "sigmoid",
    "This is p_i (1 - p_i) in every entry of row i. That holds on the diagonal only; elsewhere the "
    "entry is -p_i p_j.",
    {_SECOND: "1 - own + 0 * identity"},
)
mistake(
    "product-everywhere",
    "This is p_i (1 - p_j) everywhere. That holds on the diagonal only; elsewhere the entry is "
    "-p_i p_j.",
    {_SECOND: "1 - other"},
)
mistake(
    "vector-from-rows",
    "The vector p was subtracted from diag(p). Subtract the matrix of all products p_i p_j "
    "instead, the outer product of p with itself.",
    {_RIGHT: "own * identity - other"},
)
mistake(
    "vector-from-columns",
    "The vector p was subtracted from diag(p). Subtract the matrix of all products p_i p_j "
    "instead, the outer product of p with itself.",
    {_RIGHT: "own * identity - own"},
)
mistake(
    "squares-in-rows",
    "The squares of p were subtracted in every row or in every column. Row i, column j needs the "
    "product p_i p_j.",
    {_RIGHT: "own * identity - other**2"},
)
mistake(
    "squares-in-columns",
    "The squares of p were subtracted in every row or in every column. Row i, column j needs the "
    "product p_i p_j.",
    {_RIGHT: "own * identity - own**2"},
)
mistake(
    "inner-product",
    "The sum of all squares of p, one number, was subtracted everywhere. Row i, column j needs its "
    "own product p_i p_j: an outer product, not an inner one.",
    {_RIGHT: "own * identity - (own**2).sum(axis=-2, keepdims=True)"},
)
mistake(
    "identity",
    "This is the identity matrix minus the products p_i p_j. On the diagonal, p_i belongs instead "
    "of the 1.",
    {_RIGHT: "identity - own * other"},
)
mistake(
    "plus",
    "The products p_i p_j were added. They should be subtracted: a larger score raises the "
    "denominator of all weights.",
    {_SECOND: "identity + other"},
)
mistake(
    "products-alone",
    "These are the products p_i p_j alone. Subtract them from diag(p).",
    {_SECOND: "other"},
)
mistake(
    "log-softmax",
    "This is the Jacobian of log p. The Jacobian of p has one more factor, p_i.",
    {_RIGHT: "identity - other"},
)
mistake(
    "takes-scores",
    "The softmax was applied to the weights once more. They are weights already.",
    {
        "own, other =": "weights = np.exp(weights)\n"
        "    weights = weights / weights.sum(axis=-1, keepdims=True)\n    own, other ="
    },
)
mistake(
    "vector",
    "This is p (1 - p), only the diagonal. The Jacobian is a matrix for each row.",
    {_RIGHT: "weights * (1 - weights)"},
)
mistake(
    "no-batch",
    "It is right for a single row. With leading axes, each row needs its own Jacobian.",
    {_RIGHT: "np.diag(weights) - np.outer(weights, weights)"},
)
mistake(
    "flattened",
    "All rows were joined into one. Each row has its own Jacobian.",
    {_RIGHT: "np.diag(weights.ravel()) - np.outer(weights, weights)"},
)
mistake(
    "summed-over-rows",
    "The products of all rows were added up. Each row has its own Jacobian.",
    {_RIGHT: "own * identity - (own * other).reshape(-1, *identity.shape).sum(axis=0)"},
)
mistake(
    "mixes-rows",
    "This is the Jacobian of the mean row. Each row has its own Jacobian.",
    {
        "own, other =": "mean = weights.reshape(-1, len(identity)).mean(axis=0)\n"
        "    weights = 0 * weights + mean\n    own, other ="
    },
)

ALSO_RIGHT = {
    "diag minus outer, row by row": """
        def softmax_jacobian(weights):
            rows = weights.reshape(-1, weights.shape[-1])
            made = np.array([np.diag(p) - np.outer(p, p) for p in rows])
            return made.reshape(*weights.shape, weights.shape[-1])
    """,
    "with einsum": """
        def softmax_jacobian(weights):
            outer = np.einsum("...i,...j->...ij", weights, weights)
            return np.einsum("...i,ij->...ij", weights, np.eye(weights.shape[-1])) - outer
    """,
}
