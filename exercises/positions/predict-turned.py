"""A query $(1, 0)$ is at position 3 and a key $(1, 0)$ at position 2. Each is turned by 1 radian
per position: the query by 3 radians, the key by 2. ($\\cos 1 = 0.54$, $\\cos 2 = -0.42$,
$\\cos 3 = -0.99$.)
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-turned",
    chapter="positions",
    title="Predict: two turned vectors",
    version=2,
    questions=[
        numeric(
            "score",
            "What is their dot product? Two decimals are enough.",
            answer=0.54,
            tolerance=0.006,
            success_message="Both have length 1, and the angle between them is 3 − 2 = 1 radian.",
            mistakes={
                "unturned": 1,
                "product-of-cosines": 0.415,
                "sine": 0.84,
                "other-sign": -0.54,
                "sum-of-angles": 0.28,
                "query-only": -0.99,
                "key-only": -0.42,
            },
        ),
        choice(
            "later",
            "What is their dot product if the query is at position 103 and the key at 101?",
            {
                "a": option(
                    "cos 2, which is −0.42",
                    correct=True,
                    success_message="Yes. The query is turned by 103 radians and the key by 101, "
                    "so the angle between them is 2 radians, as at positions 3 and 1.",
                ),
                "b": option(
                    "The same as at positions 3 and 2",
                    failure_message="The distance was 1 before. Now it is 2, and so is the angle "
                    "between the two arrows.",
                    misconception="same-at-every-distance",
                ),
                "c": option(
                    "Nearly 0: they are far from the start",
                    failure_message="A turn does not change lengths, and both were turned "
                    "further by nearly the same angle.",
                    misconception="fades-with-place",
                ),
                "d": option(
                    "cos 103 times cos 101, which is −0.70",
                    failure_message="That multiplies the two first coordinates. Each arrow has a "
                    "second one, its sine; together they give the cosine of 103 − 101.",
                    misconception="absolute-angles",
                ),
            },
        ),
        choice(
            "swapped",
            "What is it if the query is at position 2 and the key at position 3?",
            {
                "a": option(
                    "The same as in the first question",
                    correct=True,
                    success_message="Yes: the cosine of −1 equals that of 1. The sign of the "
                    "distance counts only if query and key point in different directions.",
                ),
                "b": option(
                    "That number with the opposite sign",
                    failure_message="The cosine does not change with the sign of the angle. The "
                    "sine would.",
                    misconception="sign-flips",
                ),
                "c": option(
                    "0, as a query cannot see a later key",
                    failure_message="That is what a causal mask does. A turn hides nothing.",
                    misconception="turn-as-mask",
                ),
            },
        ),
    ],
    hints=["Draw both as arrows. What angle is between them?"],
    misconceptions={
        "unturned": "That is the product before they were turned.",
        "product-of-cosines": "That multiplies the two first coordinates. The second coordinates, "
        "the sines, belong to the dot product, too.",
        "sine": "That is the sine of the angle between them. A dot product of vectors of length 1 "
        "is "
        "its cosine.",
        "other-sign": "The sign is wrong: cos(3 − 2) = cos 3 cos 2 + sin 3 sin 2.",
        "sum-of-angles": "That is the cosine of the sum of the angles. The angle between the "
        "two arrows is the difference.",
        "query-only": "That turns only the query.",
        "key-only": "That turns only the key.",
    },
)
