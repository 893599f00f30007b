"""Choose a `point` that is at least 2 away from $(0, 0)$."""

import numpy as np

from coursekit import as_array, check, exercise, expect

exercise(
    title="A point far away",
    practice=True,
    explorable="Point",
    binds={"point": "place"},
    hints=["How long is $(1, 1)$?"],
)

# Press the figure's button, or write two numbers:
# BEGIN SOLUTION
# STARTER: point = [0.0, 0.0]
point = [3.0, 0.0]
# END SOLUTION


MISTAKES = r"""
too-near: `3` → `0`
    It lies inside the circle.
"""


@check(points=1)
def far(point):
    """The point is far away"""
    length = np.linalg.norm(as_array(point, "point"))
    expect(length >= 2, f"It is {length:.2f} away; expected at least 2.", "too-near")


ALSO_RIGHT = {"tuple": "point = (0, -2)"}
