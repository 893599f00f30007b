"""Guess first: from which width on does one unscaled weight exceed 0.9? Then move the slider. At
which width does the *gradient* without the scale first fall to **less than a tenth** of the
gradient with it? Give this width as 2 to the power of `exponent`.
"""

import numpy as np

import attn
from coursekit import check, exercise, expect, expect_integer, wrong

exercise(
    title="A tenth of the gradient",
    explorable="Saturation",
    binds={"exponent": "exponent"},
    hints=["The gradient with the scale is 0.4028 at every width."],
    misconceptions={
        "narrow": "More than a tenth of the gradient is left at this width.",
        "wide": "Less than a tenth is left at this width, but also at a smaller one.",
        "not-a-power": "The slider has 2 to the power of 0, 1 … 10.",
    },
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
    success_message="One weight exceeds 0.9 at 64, where 0.08 of 0.40 is left; at 128 it is 0.02.",
)
def smallest_width(exponent):
    """The smallest width that leaves less than a tenth of the gradient"""
    seen = expect_integer(exponent, 0, 10, what="exponent", misconception="not-a-power")
    left = f"{_share(seen):.3f} of the gradient is left."
    expect(_share(seen) < 0.1, left, "narrow")
    expect(_share(seen - 1) >= 0.1, left, "wide")


def _wrong(exponent, misconception):
    code = f"exponent = {exponent}"
    return wrong(code, rejected_by=["smallest_width"], misconception=misconception)


WRONG = {
    "the start": _wrong(2, "narrow"),
    "where one weight exceeds 0.9": _wrong(6, "narrow"),
    "the last column": _wrong(9, "wide"),
    "the widest": _wrong(10, "wide"),
    "the width itself": _wrong(128, "not-a-power"),
    "beyond the slider": _wrong(11, "not-a-power"),
    "between two widths": _wrong(6.5, "not-a-power"),
}

ALSO_RIGHT = {
    "as a float": "exponent = 7.0",
    "computed": """
        import math
        exponent = math.log2(128)
    """,
}
