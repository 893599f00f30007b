"""Weights are at least 0 and sum to 1, so an output of attention is a **mixture**: it lies in the
convex hull of the values, whichever score function made the weights. With three values in the
plane the hull is a triangle. Somebody shows you an output and says that attention over three known
values made it. Is that possible, and if so, with which weights?

Write a function that finds the weights behind an output. `weights_behind(output, value)` gets an
output, shape `(2,)`, and three values, shape `(3, 2)`, which do not lie on one line. It returns the
three weights, shape `(3,)` and in the order of the values, that are at least 0, sum to 1 and give
this output. If there are none, it returns `None`.

Corners and sides belong to the triangle. Rounding may make a weight slightly negative: accept a
weight down to $-10^{-9}$, and nothing below it. Leave the arguments unchanged.
"""

import numpy as np

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
    title="Which outputs are possible: the convex hull",
    version=2,
    hints=[
        "Three unknown weights need three equations. Two come from the output, one for each "
        "coordinate. Which property of weights is the third?",
        "Put the equations into one matrix: the two rows of `value.T`, and below them a row of "
        "ones, for the sum. On the right stand the output's coordinates and 1.",
        "`weights = np.linalg.solve(np.vstack([value.T, np.ones(3)]), [*output, 1.0])`. Which sign "
        "shows that the output lies outside?",
    ],
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


MISTAKES = r"""
always: ` if (weights >= -1e-9).all() else None` → ``
    Every output outside the triangle got weights, some of them negative. A softmax makes no
    negative weight: return None.
box: `(weights >= -1e-9).all()` →
  `((output >= value.min(0) - 1e-9) & (output <= value.max(0) + 1e-9)).all()`
    Every output in the box around the values got weights. The triangle is smaller than its box: a
    negative weight shows that the output is outside.
norm: (also negative) `(weights >= -1e-9).all()` →
  `np.linalg.norm(output) <= np.linalg.norm(value, axis=1).max() + 1e-9`
    Every output that is no longer than the longest value got weights. A negative weight shows that
    it is outside.
circle: `(weights >= -1e-9).all()` →
  `np.linalg.norm(output - value.mean(0)) <= np.linalg.norm(value - value.mean(0), axis=1).max()`
    Every output that is as near to the centre as the values are got weights. A negative weight
    shows that it is outside.
one-untested: `(weights >=` → `(weights[:2] >=` or `(weights[1:] >=` or `(weights[::2] >=`
    One of the three weights is never tested. An output beyond the opposite side makes that one
    negative.
too-strict: `>= -1e-9` → `> 1e-9` or `>= 0`
    Outputs on a side or a corner were refused. There a weight is 0, which rounding may make
    slightly negative: accept a weight down to -1e-9.
too-lenient: `-1e-9` → `-1e-3` or `-5e-8` or `-1e-6` or `-0.05`
or `(weights >= -1e-9)` → `((weights > 0) | np.isclose(weights, 0))`
    Outputs a little outside were accepted: a weight below -1e-9 means None.
clipped: `return weights if (weights >= -1e-9).all() else None` →
  `return weights.clip(0) / weights.clip(0).sum()` or `return weights.clip(0)`
    Negative weights were set to 0. What is left gives another output.
absolute: `return weights if (weights >= -1e-9).all() else None` →
  `return np.abs(weights) / np.abs(weights).sum()` or `return np.abs(weights)`
    The signs were dropped: areas or weights were made positive. The sign shows that an output is
    outside.
zeros: `else None` → `else np.zeros(3)`
    Zeros were returned for an output outside. Return None.
no-sum: `np.linalg.solve(equations, np.array([*output, 1.0]))` → `np.linalg.pinv(value.T) @ output`
or `def weights_behind(output, value): return np.linalg.pinv(value.T) @ output`
    The weights give the output, but they do not sum to 1. That is the third equation.
transposed: `np.vstack([value.T, ` → `np.column_stack([value, `
or ` if (weights >= -1e-9).all() else None` → ``,
  `np.vstack([value.T, ` → `np.column_stack([value, `
    The equations have the values in their rows. Each value belongs to one weight, so it has to
    stand in a column.
distance:
    ```
    def weights_behind(output, value):
        near = 1 / (1e-9 + np.linalg.norm(value - output, axis=1))
        inside = ((output >= value.min(0)) & (output <= value.max(0))).all()
        return near / near.sum() if inside else None
    ```
or
    ```
    def weights_behind(output, value):
        near = 1 / (1e-9 + np.linalg.norm(value - output, axis=1))
        return near / near.sum()
    ```
    The weights were computed from inverse distances. They sum to 1 but give another output: solve
    for the weights.
other-order: `return weights` → `return weights[::-1]`
    These are the right weights in another order. Weight j belongs to value j.
another-output: `*output, 1.0` → `*output[::-1], 1.0`
    These weights sum to 1, but they give another output than the one asked for.
negative: `.all()` → `.sum() >= 2`
    One of these weights is negative. A softmax makes no such weight: return None.
above-one: `(weights >= -1e-9).all()` → `weights.max() <= 1 + 1e-9`
    Only weights above 1 were refused. For some outputs outside no weight is above 1, but one is
    negative: test for that.
yes-or-no: `else None` → `else False`
    A truth value was returned here. Return the weights where the output is inside, and None where
    it is not.
nan-for-none: `else None` → `else np.full(3, np.nan)`
    NaN was returned for an output outside. Return None.
empty-for-none: `else None` → `else []`
    Nothing stands in what was returned for an output outside. Return None.
always-none: `def weights_behind(output, value): return None`
    Every output was refused, those inside included.
"""


VALUE = np.array([[4.0, 4.0], [5.0, 1.0], [0.0, 4.0]])
INSIDE = ((0.5, 0.3, 0.2), (1 / 3, 1 / 3, 1 / 3), (0.05, 0.15, 0.8))
EDGE = ((1.0, 0, 0), (0, 0, 1.0), (0, 0.5, 0.5), (0.3, 0.7, 0), (0.1, 0, 0.9))
#: Compared where no weights come back.
NOTHING = np.full(3, -1.0)
# Far outside, in the box around the values, beyond each side and each corner.
OUTSIDE = (
    (-3.0, 2.0, 2.0),
    (2.5, -0.7, -0.8),
    (0.9, 0.9, -0.8),
    (-0.2, 0.6, 0.6),
    (0.55, -0.1, 0.55),
    (0.6, 0.6, -0.2),
    (0.6, -0.01, 0.41),
    (-0.0001, 0.5, 0.5001),
    (0.4, 0.6 + 1e-7, -1e-7),
    (0.4, 0.6 + 3e-9, -3e-9),
)


def _inside(weights_behind, weights, value):
    weights = np.array(weights)
    output = weights @ value
    seen = call_keeping_inputs(weights_behind, output, value)
    what = f"weights_behind({np.round(output, 3).tolist()}, …)"
    shown = np.round(weights, 3).tolist()
    if seen is None:
        message = f"{what} is None, but the weights {shown} give this output."
        expect_close(NOTHING, weights, message=message)
        return
    message = f"{what} is {seen}; expected {shown}."
    expect(not isinstance(seen, bool | np.bool_), message, "yes-or-no")
    seen = expect_shape(seen, (3,), what=what)
    known = _by_definition(seen, output, value)
    known = "other-order" if np.allclose(np.sort(seen), np.sort(weights)) else known
    expect_close(seen, weights, atol=1e-7, what=what, misconception=known)


def _outside(weights_behind, weights, value):
    output = np.array(weights) @ value
    seen = call_keeping_inputs(weights_behind, output, value)
    what = f"weights_behind({np.round(output, 3).tolist()}, …)"
    if seen is None:
        expect_close(NOTHING, NOTHING)
        return
    message = f"{what} is {seen}; this output is outside, so expected None."
    expect(not isinstance(seen, bool | np.bool_), message, "yes-or-no")
    seen = as_array(seen, what)
    shown = np.round(seen, 10).tolist() if seen.dtype.kind == "f" else seen.tolist()
    message = f"{what} is {shown}; this output is outside, so expected None."
    expect(seen.size, message, "empty-for-none")
    expect(seen.dtype.kind != "f" or not np.isnan(seen).all(), message, "nan-for-none")
    expect(seen.shape == (3,), message)
    known = _by_definition(seen, output, value)
    expect_close(seen, NOTHING, message=message, misconception=known)


def _by_definition(seen, output, value):
    """Return which property of weights behind an output these three numbers lack."""
    if not np.isfinite(seen).all():
        return None
    if abs(seen.sum() - 1) > 1e-6:
        return "no-sum" if np.allclose(seen @ value, output) else None
    if not np.allclose(seen @ value, output, atol=1e-9):
        return "another-output"
    return "negative" if (seen < -1e-9).any() else None


@check(points=1, success_message="The weights come back in the order of the values.")
def inside(weights_behind):
    """Outputs well inside: the weights come back"""
    for weights in INSIDE:
        _inside(weights_behind, weights, VALUE)


@check(points=1, success_message="A weight of 0 is allowed, and so is its rounding error.")
def corners_and_sides(weights_behind):
    """Outputs on a corner or a side: a weight of 0 is allowed"""
    _inside(weights_behind, INSIDE[0], VALUE)
    for weights in EDGE:
        _inside(weights_behind, weights, VALUE)
        _inside(weights_behind, weights, VALUE + np.array([0.1, 0.7]))


@check(points=2, success_message="A negative weight shows that no softmax gives this output.")
def outside(weights_behind):
    """One output inside, and those that attention cannot give, some in the box around the values"""
    _inside(weights_behind, INSIDE[0], VALUE)
    for weights in OUTSIDE:
        _outside(weights_behind, weights, VALUE)


@check(points=1, hidden=True)
def other_triangles(weights_behind, rng):
    """Other triangles, far from the origin as well"""
    for shift in (0.0, 30.0):
        value = np.array([[1.0, 0.2], [-0.7, 1.1], [-0.4, -1.3]]) * rng.uniform(1, 3) + shift
        _inside(weights_behind, rng.dirichlet([3, 3, 3]), value)
        for weights in OUTSIDE:
            _outside(weights_behind, weights, value)


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
