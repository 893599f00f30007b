"""Weights are at least 0 and sum to 1, so an output of attention is a **mixture**: it lies inside
the hull of the values, and nothing outside can ever come out, whichever score function made the
weights. With three values in the plane the hull is a triangle.

Write a test that finds out. `weights_behind(output, value)` gets an output, shape `(2,)`, and
three values, shape `(3, 2)`, which do not lie on one line. It returns the weights, shape `(3,)`,
that give exactly this output, or `None` if no attention to these three values can give it. The
corners and the sides count as inside; allow for rounding of $10^{-9}$.
"""

import numpy as np

from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="inside-the-hull",
    chapter="scores",
    title="What attention cannot say",
    hints=[
        "Three unknown weights need three equations. Two come from the output, one for each "
        "coordinate. Which one have you not used?",
        "Put the equations into one matrix: the two rows of `value.T`, and below them a row of "
        "ones, for the sum. On the right stand the output's coordinates and 1.",
        "`weights = np.linalg.solve(np.vstack([value.T, np.ones(3)]), [*output, 1.0])`. Which sign "
        "gives an outsider away?",
    ],
    misconceptions={
        "always": "A point outside the triangle got weights. Somewhere among them is one that "
        "softmax never makes.",
        "box": "This point lies in the box around the values, and still outside the triangle. It "
        "is not enough that each coordinate lies between the smallest and the largest.",
        "norm": "This point is no longer than the longest value, and still outside the triangle.",
        "too-strict": "This output can be reached: it lies on a side or a corner, where weights "
        "are 0. Rounding may make a weight a tiny bit negative.",
        "no-sum": "The weights give the output, and they do not sum to 1.",
        "softmax": "These weights sum to 1 and do not give this output. Solve for the weights; "
        "do not make them from distances or scores.",
        "refuses": "This output lies well inside the triangle, and yet it was refused.",
        "clipped": "The weights were mended by clipping: now they no longer give the output.",
    },
)


def weights_behind(output, value):
    """Return the weights (3,), or None.

    output (2,)   value (3, 2)
    """
    # BEGIN SOLUTION
    equations = np.vstack([value.T, np.ones(3)])  # (3, 3): two coordinates and the sum
    weights = np.linalg.solve(equations, np.array([*output, 1.0]))
    return weights if (weights >= -1e-9).all() else None
    # END SOLUTION


VALUE = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 2.0]])


def _inside(weights_behind, weights, value, misconception):
    output = weights @ value
    seen = weights_behind(output.copy(), value.copy())
    where = f"weights_behind({np.round(output, 3).tolist()}, …)"
    expect(seen is not None, f"{where} is None.", misconception)
    seen = expect_shape(seen, (3,), what=where)
    if np.allclose(seen @ value, output, atol=1e-7) and abs(seen.sum() - 1) > 1e-6:
        expect(False, f"{where} sums to {seen.sum():.3g}.", "no-sum")
    if (seen >= 0).all() and abs(seen.sum() - 1) < 1e-9:
        expect_close(seen, weights, atol=1e-7, what=where)
    expect_close(seen, weights, atol=1e-7, what=where)


def _outside(weights_behind, output, value, misconception):
    seen = weights_behind(np.array(output), value.copy())
    where = f"weights_behind({np.round(output, 3).tolist()}, …)"
    if seen is None:
        return
    seen = expect_shape(seen, (3,), what=where)
    if (seen >= -1e-9).all():
        expect(
            np.allclose(seen @ value, output),
            f"{where} is {np.round(seen, 3).tolist()}, which gives another output.",
            misconception or "clipped",
        )
        expect(abs(seen.sum() - 1) < 1e-6, f"{where} sums to {seen.sum():.3g}.", "no-sum")
    expect(False, f"{where} is {np.round(seen, 3).tolist()}; expected None.", misconception)


@check(points=1)
def inside(weights_behind):
    """Outputs well inside: the weights come back"""
    for weights in ([1 / 3, 1 / 3, 1 / 3], [0.7, 0.2, 0.1], [0.05, 0.15, 0.8]):
        _inside(weights_behind, np.array(weights), VALUE, "refuses")


@check(points=1)
def corners_and_sides(weights_behind):
    """Outputs on a corner or a side: a weight of 0 is allowed"""
    for weights in ([1.0, 0, 0], [0, 0, 1.0], [0, 0.5, 0.5], [0.3, 0.7, 0]):
        _inside(weights_behind, np.array(weights), VALUE, "too-strict")
    _inside(weights_behind, np.array([0.1, 0.9, 0.0]), VALUE + np.array([0.1, 0.7]), "too-strict")


@check(points=2)
def outside(weights_behind):
    """Outputs that no attention gives, some of them in the box around the values"""
    _outside(weights_behind, [9.0, 9.0], VALUE, "always")
    _outside(weights_behind, [-1.0, 0.5], VALUE, "norm")
    _outside(weights_behind, [3.0, 1.5], VALUE, "box")
    _outside(weights_behind, [0.0, -3.0], VALUE, "norm")


@check(points=1, hidden=True)
def other_triangles(weights_behind, rng):
    """Other triangles, far from the origin as well"""
    for shift in (0.0, 30.0):
        value = np.array([[1.0, 0.2], [-0.7, 1.1], [-0.4, -1.3]]) * rng.uniform(1, 3) + shift
        inner = rng.dirichlet([3, 3, 3])
        _inside(weights_behind, inner, value, "refuses")
        _outside(weights_behind, np.array([1.2, -0.4, 0.2]) @ value, value, "always")
        _outside(weights_behind, value.min(axis=0), value, "box")


WRONG = {
    "everything goes": wrong(
        replace={"return weights if (weights >= -1e-9).all() else None": "return weights"},
        rejected_by=["outside", "other_triangles"],
        misconception="always",
    ),
    "the box around the values": wrong(
        replace={
            "(weights >= -1e-9).all()": "((output >= value.min(0) - 1e-9)"
            " & (output <= value.max(0) + 1e-9)).all()"
        },
        rejected_by=["outside"],
        misconception="box",
    ),
    "not longer than the longest value": wrong(
        replace={
            "(weights >= -1e-9).all()": "np.linalg.norm(output)"
            " <= np.linalg.norm(value, axis=1).max() + 1e-9"
        },
        rejected_by=["outside"],
        misconception="norm",
    ),
    "weights must be positive": wrong(
        replace={"(weights >= -1e-9).all()": "(weights > 1e-9).all()"},
        rejected_by=["corners_and_sides"],
        misconception="too-strict",
    ),
    "the sum is forgotten": wrong(
        """
        def weights_behind(output, value):
            weights = np.linalg.lstsq(value.T, output, rcond=None)[0]
            return weights if (weights >= -1e-9).all() else None
        """,
        rejected_by=["inside"],
        misconception="no-sum",
    ),
    "shares by distance": wrong(
        """
        def weights_behind(output, value):
            near = 1 / (1e-9 + np.linalg.norm(value - output, axis=1))
            inside = ((output >= value.min(0)) & (output <= value.max(0))).all()
            return near / near.sum() if inside else None
        """,
        rejected_by=["inside"],
        misconception="softmax",
    ),
    "weights clipped at 0": wrong(
        replace={
            "return weights if (weights >= -1e-9).all() else None": "weights = "
            "np.maximum(weights, 0)\n    return weights / weights.sum()"
        },
        rejected_by=["outside"],
        misconception="always",
    ),
    "always none": wrong(
        """
        def weights_behind(output, value):
            return None
        """,
        rejected_by=["inside", "corners_and_sides"],
        misconception="refuses",
    ),
}

ALSO_RIGHT = {
    "areas of triangles": """
        def weights_behind(output, value):
            def area(a, b, c):
                return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

            a, b, c = value
            parts = np.array([area(output, b, c), area(a, output, c), area(a, b, output)])
            weights = parts / area(a, b, c)
            return None if weights.min() < -1e-9 else weights
    """,
    "two sides as axes": """
        def weights_behind(output, value):
            second, third = np.linalg.solve((value[1:] - value[0]).T, output - value[0])
            weights = np.array([1 - second - third, second, third])
            if np.any(weights < -1e-9):
                return None
            return np.clip(weights, 0, 1)
    """,
}
