"""How much does each weight move when a score moves a little? The answer is the **Jacobian** of the
softmax. For one row of weights $p = \\operatorname{softmax}(s)$ it is a matrix,

$$
J_{ij} = \\frac{\\partial p_i}{\\partial s_j} .
$$

Derive it from $p_i = e^{s_i} / \\sum_l e^{s_l}$, and write `softmax_jacobian(weights)`. It gets the
*weights*, not the scores: they are all it needs. There may be leading axes: of weights of shape
`(..., n)` return all Jacobians, shape `(..., n, n)`. Leave `weights` unchanged.
"""

import numpy as np

from attn import softmax
from coursekit import (
    CheckFailed,
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect_close,
)

exercise(
    title="The slope of a softmax",
    hints=[
        "Take two cases. What is the derivative of $p_i$ with respect to *its own* score $s_i$? "
        "And with respect to another score $s_j$, which occurs only in the denominator?",
        "Use the quotient rule. In the first case the numerator and the denominator both depend on "
        "$s_i$; in the second case the numerator is a constant. Write the results with $p_i$ and "
        "$p_j$ alone.",
        "$\\partial p_i / \\partial s_i = p_i (1 - p_i)$, and $\\partial p_i / \\partial s_j = "
        "-p_i p_j$ for $j \\ne i$. Both together: $p_i (\\delta_{ij} - p_j)$, where "
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
    return weights[..., :, None] * (identity - weights[..., None, :])
    # END SOLUTION


MISTAKES = r"""
diagonal-only: `weights[..., None, :])` → `weights[..., None, :]) * identity`
    The diagonal is right and the rest is 0. Each score also changes all the *other* weights,
    because they share one denominator.
missing-diagonal: `(identity - ` → `(-`
    This is -p_i p_j everywhere. On the diagonal p_i has to be added: a larger score raises its own
    weight.
square-twice: `weights[..., None, :]` → `weights[..., None, :] * (1 + identity)`
    The square of p_i was subtracted twice on the diagonal, which holds p_i - 2 p_i². p_i (1 - p_i)
    contains it already: subtract p_i p_j off the diagonal only.
sign: `identity - weights[..., None, :]` → `weights[..., None, :] - identity`
    Every sign is the opposite: raising a score raises its own weight and lowers the others.
diagonal-sign: `- weights[..., None, :]` → `+ weights[..., None, :] * (1 - 2 * identity)`
    The numbers are right except for the sign off the diagonal: raising a score lowers the other
    weights.
no-product: `weights[..., None, :]` → `weights[..., None, :] * (1 - identity)`
    The diagonal holds p, but has to hold p (1 - p): raising a score raises the denominator as well.
only-p: ` - weights[..., None, :]` → ``
    This is diag(p). Each entry lacks its product of two weights, p_i p_j, which has to be
    subtracted.
sigmoid: `identity - weights[..., None, :]` → `np.ones(len(identity)) - weights[..., :, None]`
    This is p_i (1 - p_i) in every entry of row i. That holds on the diagonal only; elsewhere the
    entry is -p_i p_j.
product-everywhere: `(identity -` → `(1 -`
    This is p_i (1 - p_j) everywhere. That holds on the diagonal only; elsewhere the entry is -p_i
    p_j.
vector-from-rows: `(identity - weights[..., None, :])` → `identity - weights[..., None, :]`
    The vector p was subtracted from diag(p). What has to be subtracted is the matrix of all
    products p_i p_j, the outer product of p with itself.
vector-from-columns: `(identity - weights[..., None, :])` → `identity - weights[..., :, None]`
    The vector p was subtracted from diag(p). What has to be subtracted is the matrix of all
    products p_i p_j, the outer product of p with itself.
squares-in-rows: `(identity - weights[..., None, :])` → `identity - weights[..., None, :] ** 2`
    The squares of p were subtracted in every row or in every column. Row i, column j needs the
    product p_i p_j.
squares-in-columns: `- weights[..., None, :]` → `- weights[..., :, None]`
    The squares of p were subtracted in every row or in every column. Row i, column j needs the
    product p_i p_j.
inner-product: `(identity - weights[..., None, :])` →
  `identity - (weights**2).sum(axis=-1)[..., None, None]`
    The sum of all squares of p, one number, was subtracted everywhere. Row i, column j needs its
    own product p_i p_j: an outer product, not an inner one.
identity: `weights[..., :, None] * (identity - ` → `identity - weights[..., :, None] * (`
    This is the identity matrix minus the products p_i p_j. On the diagonal, p_i belongs in place of
    the 1.
plus: `identity -` → `identity +`
    The products p_i p_j were added. They have to be subtracted: a larger score raises the
    denominator of all weights.
products-alone: `identity - ` → ``
    These are the products p_i p_j alone. Subtract them from diag(p).
log-softmax: `weights[..., :, None] * ` → ``
    This is the Jacobian of log p. That of p has one more factor, p_i.
takes-scores:
    ```
    def softmax_jacobian(weights):
        p = np.exp(weights) / np.exp(weights).sum(axis=-1, keepdims=True)
        return p[..., :, None] * (np.eye(p.shape[-1]) - p[..., None, :])
    ```
    The softmax was applied to the weights once more. They are weights already.
vector: `weights[..., :, None] * (identity - weights[..., None, :])` → `weights * (1 - weights)`
    This is p (1 - p), the diagonal alone. The Jacobian is a matrix for each row.
no-batch: `def softmax_jacobian(weights): return np.diag(weights) - np.outer(weights, weights)`
    It is right for a single row. With leading axes, each row needs a Jacobian of its own.
flattened: `weights[..., :, None] * (identity - weights[..., None, :])` →
  `np.diag(weights.ravel()) - np.outer(weights, weights)`
    All rows were joined into one. Each row has a Jacobian of its own.
summed-over-rows:
    ```
        return weights[..., :, None] * (identity - weights[..., None, :])
    →
        rows = weights.reshape(-1, len(identity))
        return weights[..., :, None] * identity - rows.T @ rows
    ```
    The products of all rows were added up. Each row has a Jacobian of its own.
mixes-rows:
    ```
    def softmax_jacobian(weights):
        p = weights.reshape(-1, weights.shape[-1]).mean(axis=0)
        one = np.diag(p) - np.outer(p, p)
        return np.broadcast_to(one, (*weights.shape, weights.shape[-1]))
    ```
    This is the Jacobian of the mean row. Each row has a Jacobian of its own.
"""


def _measured(scores):
    """The Jacobian by central differences, column by column."""
    units = 1e-5 * np.eye(scores.shape[-1])
    moved = [(softmax(scores + unit) - softmax(scores - unit)) / 2e-5 for unit in units]
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
    n = weights.shape[-1]
    try:
        seen = [as_array(softmax_jacobian(row.copy())) for row in weights.reshape(-1, n)]
    except Exception:
        return False
    right = measured.reshape(-1, n, n)
    return all(s.shape == (n, n) and np.allclose(s, r) for s, r in zip(seen, right, strict=True))


@check(points=1, success_message="0.75 · 0.25 on the diagonal, and its negative beside it.")
def two_keys(softmax_jacobian):
    """Two keys with weights 0.75 and 0.25, by hand"""
    weights = np.array([0.75, 0.25])
    measured = np.array([[0.1875, -0.1875], [-0.1875, 0.1875]])
    _expect_jacobian(softmax_jacobian, weights, measured, "softmax_jacobian([0.75, 0.25])")


@check(points=2, success_message="It agrees with the measured slopes.")
def against_finite_differences(softmax_jacobian):
    """Five keys: the slopes that are measured by moving each score a little"""
    scores = np.array([0.5, -1.0, 2.0, 0.0, 0.3])
    what = "softmax_jacobian(weights)"
    _expect_jacobian(softmax_jacobian, softmax(scores), _measured(scores), what)


@check(points=1, success_message="Each of the 3 rows has a Jacobian of its own.")
def rows_of_a_sentence(softmax_jacobian):
    """Weights of 3 queries over 5 keys: shape (3, 5, 5)"""
    scores = np.random.default_rng(0).normal(size=(3, 5))
    what = "softmax_jacobian of weights of shape (3, 5)"
    _expect_jacobian(softmax_jacobian, softmax(scores), _measured(scores), what)


@check(points=1, hidden=True)
def saturated_and_batched(softmax_jacobian, rng):
    """One weight of 1 has no slope left; batches and other sizes"""
    one = np.array([0.0, 1.0, 0.0])
    expect_close(softmax_jacobian(one), np.zeros((3, 3)), what="softmax_jacobian([0, 1, 0])")
    scores = 2 * rng.normal(size=(2, 3, 7))
    what = "softmax_jacobian of weights of shape (2, 3, 7)"
    _expect_jacobian(softmax_jacobian, softmax(scores), _measured(scores), what)


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
