"""A query $(1, 0)$ has position 3 and a key $(1, 0)$ at position 2. Each is turned by 1 radian
for every position, the query by 3 radians, the key by 2. ($\\cos 1 = 0.54$, $\\cos 2 = -0.42$,
$\\cos 3 = -0.99$.)
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-turned",
    chapter="positions",
    title="Predict: two turned vectors",
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
            "What is it for the same two at positions 103 and 102?",
            {
                "a": option(
                    "The same: only the distance counts",
                    correct=True,
                    success_message="Yes. Both are turned by 100 more, and the angle between them "
                    "stays.",
                ),
                "b": option(
                    "Less: they are further from the start",
                    failure_message="A turn does not change lengths, and both were turned "
                    "further by the same angle.",
                    misconception="fades-with-place",
                ),
                "c": option(
                    "Something else: the cosine of 103 is not that of 3",
                    failure_message="Each of them points elsewhere now. The angle between them is "
                    "the same.",
                    misconception="absolute-angles",
                ),
            },
        ),
        choice(
            "swapped",
            "What if the query has position 2 and the key position 3?",
            {
                "a": option(
                    "The same number again, here",
                    correct=True,
                    success_message="Yes: the cosine of −1 is that of 1. Only for a query and a "
                    "key that point in different directions does the sign of the distance count.",
                ),
                "b": option(
                    "The number with the other sign",
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
    hints=["Draw both as arrows. Which angle is between them?"],
    misconceptions={
        "unturned": "That is the product before they were turned.",
        "product-of-cosines": "That multiplies the two first coordinates. The second ones, the "
        "sines, belong to the dot product as well.",
        "sine": "That is the sine of the angle between them. A dot product of vectors of length 1 "
        "is "
        "its cosine.",
        "other-sign": "The sign is wrong: cos(3 − 2) = cos 3 cos 2 + sin 3 sin 2.",
        "sum-of-angles": "That is the cosine of the sum of the angles. The angle between the "
        "two arrows is the difference.",
        "query-only": "That turns the query alone.",
        "key-only": "That turns the key alone.",
    },
)
