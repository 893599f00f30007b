"""Choose a `point` that is at least 2 away from $(0, 0)$."""

import numpy as np

from coursekit import as_array, check, exercise, expect, wrong

exercise(
    title="A point far away",
    practice=True,
    explorable="Point",
    binds={"point": "place"},
    hints=["How long is $(1, 1)$?"],
    misconceptions={"too-near": "It lies inside the circle."},
)

# Press the figure's button, or write two numbers:
# BEGIN SOLUTION
# STARTER: point = [0.0, 0.0]
point = [3.0, 0.0]
# END SOLUTION


@check(points=1)
def far(point):
    """The point is far away"""
    length = np.linalg.norm(as_array(point, "point"))
    expect(length >= 2, f"It is {length:.2f} away; expected at least 2.", "too-near")


WRONG = {"origin": wrong("point = [0.0, 0.0]", rejected_by=["far"], misconception="too-near")}

ALSO_RIGHT = {"tuple": "point = (0, -2)"}
