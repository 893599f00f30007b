"""24 keys stand on the circle. More buckets make each bucket smaller and cheaper; more rounds find
more and cost more. Find a number of buckets and a number of rounds so that, on **average over all
directions**, a query meets at least 0.9 of its four nearest keys and is compared with at most 12
keys, half of all. A key that it meets twice counts twice.

Leave the rotations as they are at the start (*Reset* brings them back). Then press *Use as answer*,
or write the two numbers yourself.
"""

import numpy as np

from attn import lsh_buckets
from coursekit import as_array, check, exercise, expect

exercise(
    title="Buckets against rounds",
    explorable="LshCircle",
    binds={"num_buckets": "num_buckets", "num_rounds": "num_rounds"},
    hints=[
        "With $b$ buckets, one of $b$ keys shares the query's bucket: $24/b$ keys a round.",
        "So $24 \\cdot \\text{rounds} / b$ must not exceed 12. For each number of buckets, that "
        "gives the most rounds that you can afford. Compare their recalls.",
        "With 4 buckets you can afford two rounds, with 8 four. Look at what lies between.",
    ],
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: num_buckets = 8
# STARTER: num_rounds = 1
num_buckets = 6
num_rounds = 2
# END SOLUTION


MISTAKES = r"""
too-costly: `2` → `8`
or `6` → `4`, `2` → `5`
    Nearly all near keys are found, at a price: a query is compared with more than 12 keys. More
    rounds cost more, and so do larger buckets.
buckets-too-small: `6` → `8`, `2` → `4`
or `6` → `16`, `2` → `8`
    With so many buckets each is narrow: most of the near keys stand beyond its borders, and many
    cheap rounds do not make up for that here.
buckets-too-large: `6` → `4`
    Large buckets use up the 12 keys in a round or two, and two rounds leave the same borders open
    for some queries.
one-round: `6` → `8`, `2` → `1`
or `2` → `1`
    One round leaves a border close to many queries, and what is beyond it is not found. You can
    afford another.
not-counts: `6` → `5`
or `2` → `0`
    num_buckets is an even number from 4 to 16, num_rounds a whole number from 1 to 8.
"""

ANGLES = np.array(
    [12, 30, 44, 51, 73, 89, 98, 112, 118, 137, 145, 152,
     162, 170, 184, 197, 231, 271, 283, 296, 312, 325, 342, 351]
)  # fmt: skip
TURNS = np.array([180, 94, 7, 270, 22, 100, 179, 174])


def _unit(degrees):
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def _means(num_buckets, num_rounds):
    """Return the recall of the four nearest and the keys compared, over 360 directions."""
    queries = np.arange(360) + 0.5
    axes = TURNS[:num_rounds, None] + np.arange(num_buckets // 2) * 360 / num_buckets
    rotations = np.moveaxis(_unit(axes), -1, 0)[None]  # (1, 2, rounds, buckets / 2)
    own, keys = (
        lsh_buckets.hash_buckets(_unit(x)[None], rotations, (num_buckets,))[0]
        for x in (queries, ANGLES)
    )
    met = (own[:, :, None] == keys[:, None, :]).sum(axis=0)  # (queries, keys)
    apart = np.abs((queries[:, None] - ANGLES + 180) % 360 - 180)
    nearest = np.argsort(apart, axis=1, kind="stable")[:, :4]
    return np.take_along_axis(met > 0, nearest, axis=1).mean(), met.sum(axis=1).mean()


@check(points=2)
def found_at_half_the_cost(num_buckets, num_rounds):
    """0.9 of the nearest keys for at most 12 comparisons"""
    counts = []
    for name, value, fits in (
        ("num_buckets", num_buckets, range(4, 17, 2)),
        ("num_rounds", num_rounds, range(1, 9)),
    ):
        seen = as_array(value, name)
        message = f"{name} is {value!r}; expected one of {', '.join(map(str, fits))}."
        expect(seen.shape == () and float(seen) in fits, message, "not-counts")
        counts.append(int(seen))
    recall, compared = _means(*counts)
    seen = f"A query meets {recall:.2f} of its nearest keys and is compared with {compared:.1f}"
    expect(compared < 12.05, f"{seen}, on average; expected at most 12.", "too-costly")
    mistake = "one-round" if counts[1] == 1 else "buckets-too-small"
    if counts[0] == 4:
        mistake = "buckets-too-large"
    expect(recall >= 0.9, f"{seen}, on average; expected to meet at least 0.90.", mistake)


ALSO_RIGHT = {
    "a third round": "num_buckets = 6\nnum_rounds = 3",
    "whole numbers as floats": "num_buckets = 6.0\nnum_rounds = 2.0",
}
