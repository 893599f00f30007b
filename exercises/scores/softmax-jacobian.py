"""How much does each weight move when a score moves a little? The answer is the **Jacobian** of the
softmax. For one row of weights $p = \\operatorname{softmax}(s)$ it is a matrix,

$$
J_{ij} = \\frac{\\partial p_i}{\\partial s_j} .
$$

Derive it from $p_i = e^{s_i} / \\sum_l e^{s_l}$, and write `softmax_jacobian(weights)`. It gets the
*weights*, not the scores: they are all it needs. Leading axes are kept, so `(..., n)` gives
`(..., n, n)`.
"""

import numpy as np

from coursekit import as_array, check, exercise, expect, expect_close, wrong

exercise(
    id="softmax-jacobian",
    chapter="scores",
    title="The slope of a softmax",
    hints=[
        "Take two cases. What is the derivative of $p_i$ when *its own* score $s_i$ moves? And if "
        "another score $s_j$ moves, which only occurs in the sum below?",
        "By the quotient rule $\\partial p_i / \\partial s_i = p_i (1 - p_i)$, and for $j \\ne i$ "
        "$\\partial p_i / \\partial s_j = -p_i p_j$. Both together: $p_i (\\delta_{ij} - p_j)$.",
        "For one row that is `np.diag(p) - np.outer(p, p)`. For leading axes, multiply "
        "`weights[..., :, None]` by `np.eye(n) - weights[..., None, :]`.",
    ],
    misconceptions={
        "diagonal-only": "Only the diagonal is right. Each score also moves all the *other* "
        "weights, because they share one sum.",
        "missing-diagonal": "The diagonal is missing: a weight answers to its own score most of "
        "all.",
        "sign": "The sign is the wrong way round: raising a score raises its own weight and lowers "
        "the others.",
        "no-product": "The diagonal holds p, but p (1 − p) was wanted: raising a score raises the "
        "sum below as well.",
        "sigmoid": "p (1 − p) everywhere is the slope of a single sigmoid. Off the diagonal two "
        "different weights meet.",
        "takes-scores": "The weights were put through another softmax. They are weights already.",
        "no-batch": "It works for one row only. The weights of a sentence have shape "
        "(num_queries, num_keys), and each row has a Jacobian of its own.",
        "mixes-rows": "Different rows were mixed. Each row has a Jacobian of its own.",
    },
)


def softmax_jacobian(weights):
    """weights (..., n), each row a softmax → (..., n, n)"""
    # BEGIN SOLUTION
    identity = np.eye(weights.shape[-1])
    return weights[..., :, None] * (identity - weights[..., None, :])
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


def _mistakes(p):
    n = p.shape[-1]
    right = p[..., :, None] * (np.eye(n) - p[..., None, :])
    outer = p[..., :, None] * p[..., None, :]
    again = _softmax(p)
    return {
        "diagonal-only": right * np.eye(n),
        "missing-diagonal": -outer,
        "sign": -right,
        "no-product": p[..., None] * np.eye(n) - outer * (1 - np.eye(n)),
        "sigmoid": (p * (1 - p))[..., None] * np.ones(n),
        "takes-scores": again[..., :, None] * (np.eye(n) - again[..., None, :]),
    }


@check(points=1)
def two_keys(softmax_jacobian):
    """Two keys with weights 0.75 and 0.25, by hand"""
    weights = np.array([0.75, 0.25])
    expect_close(
        softmax_jacobian(weights),
        [[0.1875, -0.1875], [-0.1875, 0.1875]],
        what="softmax_jacobian([0.75, 0.25])",
        mistakes=_mistakes(weights),
    )


@check(points=2)
def against_finite_differences(softmax_jacobian):
    """Five keys: the slopes that are measured by moving each score a little"""
    scores = np.array([0.5, -1.0, 2.0, 0.0, 0.3])
    weights = _softmax(scores)
    expect_close(
        softmax_jacobian(weights),
        _measured(scores),
        atol=1e-8,
        what="softmax_jacobian(weights)",
        mistakes=_mistakes(weights),
    )


@check(points=1)
def rows_of_a_sentence(softmax_jacobian):
    """Weights of 3 queries over 5 keys: shape (3, 5, 5)"""
    scores = np.random.default_rng(0).normal(size=(3, 5))
    weights = _softmax(scores)
    try:
        seen = softmax_jacobian(weights)
    except (ValueError, IndexError) as error:
        expect(False, f"Weights of shape (3, 5) raise: {error}", "no-batch")
    shape = as_array(seen).shape
    expect(shape == (3, 5, 5), f"The result has shape {shape}; expected (3, 5, 5).", "no-batch")
    expect_close(
        seen,
        _measured(scores),
        atol=1e-8,
        what="softmax_jacobian(weights)",
        mistakes=_mistakes(weights),
    )


@check(points=1, hidden=True)
def saturated_and_batched(softmax_jacobian, rng):
    """One weight of 1 has no slope left; batches and other sizes"""
    expect_close(
        softmax_jacobian(np.array([0.0, 1.0, 0.0])),
        np.zeros((3, 3)),
        what="softmax_jacobian([0, 1, 0])",
        mistakes=_mistakes(np.array([0.0, 1.0, 0.0])),
    )
    scores = 2 * rng.normal(size=(2, 3, 7))
    expect_close(
        softmax_jacobian(_softmax(scores)),
        _measured(scores),
        atol=1e-8,
        what="softmax_jacobian of weights of shape (2, 3, 7)",
        mistakes=_mistakes(_softmax(scores)),
    )


WRONG = {
    "the diagonal only": wrong(
        """
        def softmax_jacobian(weights):
            return (weights * (1 - weights))[..., None] * np.eye(weights.shape[-1])
        """,
        rejected_by=["two_keys", "against_finite_differences", "rows_of_a_sentence"],
        misconception="diagonal-only",
    ),
    "no diagonal": wrong(
        """
        def softmax_jacobian(weights):
            return -weights[..., :, None] * weights[..., None, :]
        """,
        rejected_by=["two_keys", "against_finite_differences", "rows_of_a_sentence"],
        misconception="missing-diagonal",
    ),
    "the sign": wrong(
        replace={"identity - weights[..., None, :]": "weights[..., None, :] - identity"},
        rejected_by=["two_keys", "against_finite_differences", "rows_of_a_sentence"],
        misconception="sign",
    ),
    "p on the diagonal": wrong(
        """
        def softmax_jacobian(weights):
            eye = np.eye(weights.shape[-1])
            outer = weights[..., :, None] * weights[..., None, :]
            return weights[..., None] * eye - outer * (1 - eye)
        """,
        rejected_by=["two_keys", "against_finite_differences", "rows_of_a_sentence"],
        misconception="no-product",
    ),
    "the slope of a sigmoid": wrong(
        """
        def softmax_jacobian(weights):
            return (weights * (1 - weights))[..., None] * np.ones(weights.shape[-1])
        """,
        rejected_by=["two_keys", "against_finite_differences", "rows_of_a_sentence"],
        misconception="sigmoid",
    ),
    "softmax of the weights": wrong(
        """
        def softmax_jacobian(weights):
            p = np.exp(weights) / np.exp(weights).sum(axis=-1, keepdims=True)
            return p[..., :, None] * (np.eye(p.shape[-1]) - p[..., None, :])
        """,
        rejected_by=["two_keys", "against_finite_differences", "rows_of_a_sentence"],
        misconception="takes-scores",
    ),
    "one row only": wrong(
        """
        def softmax_jacobian(weights):
            return np.diag(weights) - np.outer(weights, weights)
        """,
        rejected_by=["rows_of_a_sentence", "saturated_and_batched"],
        misconception="no-batch",
    ),
    "the mean row": wrong(
        """
        def softmax_jacobian(weights):
            p = weights.reshape(-1, weights.shape[-1]).mean(axis=0)
            one = np.diag(p) - np.outer(p, p)
            return np.broadcast_to(one, (*weights.shape, weights.shape[-1]))
        """,
        rejected_by=["rows_of_a_sentence"],
        misconception="mixes-rows",
    ),
}

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
