"""One query and four keys, two numbers each. The score is the plain dot product.

$$
q = (1, 0) \\qquad k_1 = (1.5, 0) \\qquad k_2 = (2, 2) \\qquad k_3 = (0, 3) \\qquad k_4 = (-1, 0)
$$
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-key-length",
    chapter="scores",
    title="Predict: which key wins?",
    questions=[
        choice(
            "winner",
            "Which key gets the largest weight?",
            {
                "a": option(
                    "$k_1$: it points exactly where the query points",
                    failure_message="It has the smallest angle, 0, and the score 1.5. The dot "
                    "product also counts how long the key is: work out the score of the second "
                    "one.",
                    misconception="angle-only",
                ),
                "b": option(
                    "$k_2$: it is 45° off, but long",
                    correct=True,
                    success_message="Yes: 1 · 2 + 0 · 2 = 2, and the key in the query's own "
                    "direction scores 1.5. Length counts.",
                ),
                "c": option(
                    "$k_3$: it is the longest",
                    failure_message="It is longest, 3, but at a right angle. Only the part along "
                    "the query counts, and that is 0.",
                    misconception="length-only",
                ),
                "d": option(
                    "$k_4$: opposites attract",
                    failure_message="It points the other way, so its score is negative: −1.",
                    misconception="ignores-sign",
                ),
            },
        ),
        numeric(
            "orthogonal",
            "What is the score of $k_3$?",
            answer=0,
            tolerance=0.001,
            success_message="1 · 0 + 0 · 3. Vectors at a right angle have a dot product of 0, "
            "however long they are.",
            mistakes={"length": 3, "minus-one": -1, "first": 1.5},
        ),
        numeric(
            "weight_of_orthogonal",
            "And which **weight** does $k_3$ get? Two decimals are enough. The four exponentials "
            "are 4.482, 7.389, 1 and 0.368.",
            answer=0.0755,
            tolerance=0.006,
            success_message="1 / 13.239. A score of 0 is no weight of 0: the key below, with −1, "
            "gets less.",
            mistakes={"zero": 0, "quarter": 0.25, "not-normalised": 1},
        ),
    ],
    hints=[
        "Work out the four dot products first.",
        "They are 1.5, 2, 0 and −1. The exponentials sum to 13.239.",
    ],
    misconceptions={
        "length": "3 is the length of the key. The dot product counts only what lies along the "
        "query.",
        "minus-one": "−1 is the score of the last key, which points the other way.",
        "first": "1.5 is the score of the first key.",
        "zero": "The score is 0; the weight is not, because e⁰ = 1. Only −∞ would give nothing.",
        "quarter": "A quarter would need four equal scores.",
        "not-normalised": "1 is the exponential. Divide it by the sum of all four.",
    },
)
