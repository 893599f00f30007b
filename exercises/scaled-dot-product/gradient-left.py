"""Guess first: at which width does one unscaled weight first exceed 0.9? Then move the slider. At
which width does the lamp *if a score moves* first fall, without the scale, to **less than a tenth**
of the lamp with it? Set `exponent` so that 2 to this power is that width: 2 for a width of 4.
"""

import numpy as np

import attn
from coursekit import check, exercise, expect, expect_integer, mistake

exercise(
    id="gradient-left",
    chapter="scaled-dot-product",
    title="A tenth of the gradient",
    explorable="Saturation",
    binds={"exponent": "exponent"},
    hints=["The gradient with the scale is 0.403 at every width."],
)

# The line that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: exponent = 2
exponent = 7
# END SOLUTION

DRAWS = np.array([0.1, -0.7, 1.2, 0.4, -1.3, 0.8])


def _share(exponent):
    rows = attn.softmax(np.stack([DRAWS * 2 ** (exponent / 2), DRAWS]))
    plain, scaled = (np.linalg.norm(np.diag(w) - np.outer(w, w)) for w in rows)
    return plain / scaled


@check(
    points=1,
    success_message="One weight exceeds 0.9 at 64, where 0.08 of the 0.40 is left; at 128, 0.02 is "
    "left.",
)
def smallest_width(exponent):
    """The smallest width that leaves less than a tenth of the gradient"""
    seen = expect_integer(exponent, 0, 10, what="exponent", misconception="not-a-power")
    left = f"{_share(seen):.3f} of the gradient is left."
    expect(_share(seen) < 0.1, left, "narrow")
    expect(_share(seen - 1) >= 0.1, left, "wide")


mistake(
    "narrow",
    "More than a tenth of the gradient is left at this width.",
    "exponent = 2",
    "exponent = 6",
)
mistake(
    "wide",
    "Less than a tenth is left at this width, but also at a smaller one.",
    "exponent = 9",
    "exponent = 10",
)
mistake(
    "not-a-power",
    "`exponent` is the power, a whole number from 0 to 10, not the width itself. For a width of 4 "
    "it is 2.",
    "exponent = 128",
    "exponent = 11",
    "exponent = 6.5",
)

ALSO_RIGHT = {
    "as a float": "exponent = 7.0",
    "computed": """
        import math
        exponent = math.log2(128)
    """,
}
