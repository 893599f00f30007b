"""Guess first: from which width on does one unscaled weight exceed 0.9? Then move the slider. At
which width does the *gradient* without the scale first fall to **less than a tenth** of the
gradient with it? Give this width as 2 to the power of `exponent`.
"""

import numpy as np

import attn
from coursekit import check, exercise, expect, expect_integer

exercise(
    title="A tenth of the gradient",
    explorable="Saturation",
    binds={"exponent": "exponent"},
    hints=["The gradient with the scale is 0.4028 at every width."],
)

# The line that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: exponent = 2
exponent = 7
# END SOLUTION


MISTAKES = r"""
narrow: `7` → `2` or `6`
    More than a tenth of the gradient is left at this width.
wide: `7` → `9` or `10`
    Less than a tenth is left at this width, but also at a smaller one.
not-a-power: `7` → `128` or `11` or `6.5`
    The slider has 2 to the power of 0, 1 … 10.
"""

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


ALSO_RIGHT = {
    "as a float": "exponent = 7.0",
    "computed": """
        import math
        exponent = math.log2(128)
    """,
}
