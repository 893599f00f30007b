"""Weights are at least 0 and sum to 1, so an output of attention is a **mixture**: it lies in the
convex hull of the values, whichever score function computed the weights. With three values in the
plane, the hull is a triangle. Somebody shows you an output and says that attention over three known
values produced it. Is that possible, and if so, with which weights?

Write a function that finds the weights behind an output. `weights_behind(output, value)` gets an
output, shape `(2,)`, and three values, shape `(3, 2)`, which do not lie on one line. It returns the
three weights, shape `(3,)` and in the order of the values, that are at least 0, sum to 1 and give
this output. If there are none, it returns `None`.

Corners and sides belong to the triangle. Rounding may make a weight slightly negative: accept a
weight down to $-10^{-9}$ but nothing below it. Leave the arguments unchanged.
"""

import numpy as np

from coursekit import (
    CheckFailed,
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
)

exercise(
    id="inside-the-hull",
    chapter="scores",
    title="Which outputs are possible: the convex hull",
    version=2,
    hints=[
        "Three unknown weights need three equations. Two come from the output, one for each "
        "coordinate. Which property of weights is the third?",
        "Put the equations into one matrix: the two rows of `value.T`, and below them a row of "
        "ones, for the sum. On the right are the output's coordinates and 1.",
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


VALUE = np.array([[4.0, 4.0], [5.0, 1.0], [0.0, 4.0]])
INSIDE = ((0.5, 0.3, 0.2), (1 / 3, 1 / 3, 1 / 3), (0.05, 0.15, 0.8))
EDGE = ((1.0, 0, 0), (0, 0, 1.0), (0, 0.5, 0.5), (0.3, 0.7, 0), (0.1, 0, 0.9))
NONE = np.full(3, 9.0)  # stands for None in tables
# Far outside, in the box around the values, beyond each side and each corner.
OUTSIDE = (
    (-3.0, 2.0, 2.0),
    (2.5, -0.7, -0.8),
    (-0.2, 0.6, 0.6),
    (0.55, -0.1, 0.55),
    (0.6, 0.6, -0.2),
    (0.6, -0.01, 0.41),
    (-0.0001, 0.5, 0.5001),
    (0.4, 0.6 + 1e-7, -1e-7),
    (0.4, 0.6 + 3e-9, -3e-9),
)


def _known_mistake(weights_behind, value):
    """Return the mistake that gives what the answer gives for all outputs, or None."""
    points = np.array([*INSIDE, *EDGE, *OUTSIDE, (1.2, -0.1, -0.1)])
    right = np.where(points.min(axis=1, keepdims=True) < -1e-9, NONE, points)
    try:
        results = [weights_behind(weights @ value, value.copy()) for weights in points]
        seen = np.array([NONE if result is None else result for result in results], float)
        wrong = np.flatnonzero((np.abs(seen - right) > 1e-6).any(axis=1))
        edge = len(INSIDE) + np.arange(len(EDGE))
        if wrong.size and np.isin(wrong, edge).all() and (seen[wrong] == NONE).all():
            return "too-strict"
        if (seen == NONE).all():
            return "always-none"
        expect_close(seen, right)
    except CheckFailed as failed:
        return failed.misconception
    except Exception:
        return None


def _compare(weights_behind, value, cases):
    """Compare what comes back for the outputs that these weights give."""
    known = _known_mistake(weights_behind, value)
    for weights in np.array(cases):
        output = weights @ value
        seen = call_keeping_inputs(weights_behind, output, value)
        what = f"weights_behind({np.round(output, 3).tolist()}, …)"
        if weights.min() >= -1e-9:
            _expect_weights(seen, weights, value, what, known)
        elif seen is not None:
            _refuse(seen, output, value, what, known)


def _expect_weights(seen, weights, value, what, known):
    shown = np.round(weights, 3).tolist()
    expect(seen is not None, f"{what} is None, but the weights {shown} give this output.", known)
    is_truth = isinstance(seen, bool | np.bool_)
    expect(not is_truth, f"{what} is {seen}; expected {shown}.", "yes-or-no")
    seen = expect_shape(seen, (3,), what=what)
    try:
        expect_close(seen, weights, atol=1e-7, what=what)
    except CheckFailed as failed:
        in_place, in_order = (
            np.allclose(a, b, atol=1e-4) for a, b in ((seen, weights), np.sort([seen, weights]))
        )
        known = known or _lacking(seen, weights @ value, value) or failed.misconception
        id = "other-order" if in_order and not in_place else known
        raise CheckFailed(failed.message, id) from None


def _refuse(seen, output, value, what, known):
    """Say what is wrong with the weights of an output outside."""
    message = f"{what} is {seen}; this output is outside, so expected None."
    expect(not isinstance(seen, bool | np.bool_), message, "yes-or-no")
    seen = as_array(seen, what)
    shown = np.round(seen, 10).tolist() if seen.dtype.kind == "f" else seen.tolist()
    message = f"{what} is {shown}; this output is outside, so expected None."
    expect(seen.size, message, "empty-for-none")
    expect(seen.dtype.kind != "f" or not np.isnan(seen).all(), message, "nan-for-none")
    expect(seen.shape == (3,), message)
    raise CheckFailed(message, known or _lacking(seen, output, value))


def _lacking(seen, output, value):
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
    _compare(weights_behind, VALUE, INSIDE)


@check(points=1, success_message="A weight of 0 is allowed, and so is its rounding error.")
def corners_and_sides(weights_behind):
    """Outputs on a corner or a side: a weight of 0 is allowed"""
    _compare(weights_behind, VALUE, EDGE)
    _compare(weights_behind, VALUE + np.array([0.1, 0.7]), EDGE)


@check(points=2, success_message="A negative weight shows that no softmax gives this output.")
def outside(weights_behind):
    """One output inside, others that attention cannot give, some in the box around the values"""
    _compare(weights_behind, VALUE, (INSIDE[0], *OUTSIDE))


@check(points=1, hidden=True)
def other_triangles(weights_behind, rng):
    """Other triangles, also far from the origin"""
    for shift in (0.0, 30.0):
        value = np.array([[1.0, 0.2], [-0.7, 1.1], [-0.4, -1.3]]) * rng.uniform(1, 3) + shift
        _compare(weights_behind, value, (rng.dirichlet([3, 3, 3]), *OUTSIDE))


_SOLVED = "np.linalg.solve(equations, np.array([*output, 1.0]))"
_TEST = "(weights >= -1e-9).all()"
_IF = f" if {_TEST} else None"
_BOX = "((output >= value.min(0) - 1e-9) & (output <= value.max(0) + 1e-9)).all()"
_CENTRED = "np.linalg.norm({} - value.mean(axis=0), axis=-1)"
_CIRCLE = f"{_CENTRED.format('output')} <= {_CENTRED.format('value')}.max() + 1e-9"
_NEAR = {
    _SOLVED: "1 / (1e-12 + np.linalg.norm(value - output, axis=1))\n    weights /= weights.sum()"
}
_ROWS = {"np.vstack([value.T, np.ones(3)])": "np.column_stack([value, np.ones(3)])"}
_TWO_ROWS = {_SOLVED: "np.linalg.pinv(value.T) @ output"}
mistake(
    "always",
    "Every output outside the triangle got weights, some of them negative. A softmax makes no "
    "negative weight: return None.",
    {_IF: ""},
)
mistake(
    "box",
    "Every output in the box around the values got weights. The triangle is smaller than its box: "
    "a negative weight shows that the output is outside.",
    {_TEST: _BOX},
)
mistake(
    "norm",
    "Every output that is no longer than the longest value got weights. A negative weight shows "
    "that an output is outside.",
    {_TEST: "np.linalg.norm(output) <= np.linalg.norm(value, axis=1).max() + 1e-9"},
)
mistake(
    "circle",
    "Every output as near to the centre as the values got weights. A negative weight shows that an "
    "output is outside.",
    {_TEST: _CIRCLE},
)
mistake(
    "one-untested",
    "One of the three weights is never tested. An output beyond the opposite side makes that "
    "weight negative.",
    *({"(weights >=": f"(weights[{two}] >="} for two in (":2", "::2", "1:")),
)
mistake(
    "too-strict",
    "Outputs on a side or a corner were rejected. There, a weight is 0, which rounding may make "
    "slightly negative: accept a weight down to -1e-9.",
    {">= -1e-9": "> 1e-9"},
    {">= -1e-9": ">= 0"},
)
mistake(
    "too-lenient",
    "Outputs a little outside were accepted: a weight below -1e-9 means None.",
    *({"-1e-9": f"-{by}"} for by in (5e-8, 1e-6, 1e-3, 0.05)),
    {_TEST: "((weights > 0) | np.isclose(weights, 0)).all()"},
)
mistake(
    "clipped",
    "Negative weights were set to 0. The remaining weights give another output.",
    {_IF: ".clip(0)"},
    {_IF: ".clip(0) / weights.clip(0).sum()"},
)
mistake(
    "absolute",
    "The signs were dropped: areas or weights were made positive. The sign shows that an output is "
    "outside.",
    {"weights" + _IF: "np.abs(weights)"},
    {_IF: " / np.abs(weights).sum()", "return weights": "return np.abs(weights)"},
)
mistake(
    "zeros",
    "Zeros were returned for an output outside. Return None.",
    {"else None": "else np.zeros(3)"},
)
mistake(
    "no-sum",
    "The weights give the output, but they do not sum to 1. That is the third equation.",
    _TWO_ROWS,
    {**_TWO_ROWS, _IF: ""},
)
mistake(
    "transposed",
    "The equations have the values in their rows. Each value belongs to one weight, so it has to "
    "be a column.",
    _ROWS,
    {**_ROWS, _IF: ""},
)
mistake(
    "distance",
    "The weights were computed from inverse distances. They sum to 1 but give another output: "
    "solve for the weights.",
    _NEAR,
    {**_NEAR, _TEST: _BOX},
    {**_NEAR, _TEST: _CIRCLE},
)
mistake(
    "other-order",
    "These are the right weights in another order. Weight j belongs to value j.",
    {"return weights": "return weights[::-1]"},
)
mistake(
    "another-output",
    "These weights sum to 1, but they do not give the output that was asked for.",
    {"return weights": "return 0.5 * weights + 1 / 6"},
)
mistake(
    "negative",
    "One of these weights is negative. A softmax makes no such weight: return None.",
    {"weights >= -1e-9": "weights[1:] >= -0.3"},
)
mistake(
    "above-one",
    "Only weights above 1 were rejected. For some outputs outside, no weight is above 1, but one "
    "is negative: test for that.",
    {_TEST: "weights.max() <= 1 + 1e-9"},
)
mistake(
    "yes-or-no",
    "A truth value was returned here. Return the weights if the output is inside and None if it is "
    "not.",
    {"else None": "else False"},
)
mistake(
    "nan-for-none",
    "NaN was returned for an output outside. Return None.",
    {"else None": "else np.full(3, np.nan)"},
)
mistake(
    "empty-for-none",
    "An empty result was returned for an output outside. Return None.",
    {"else None": "else []"},
)
mistake(
    "always-none",
    "Every output was rejected, including those inside.",
    {"return weights": "return None"},
)

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
