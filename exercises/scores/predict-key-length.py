"""One query and four keys, two numbers each. The score is the plain dot product.

$$
q = (1, 0) \\qquad k_1 = (1.5, 0) \\qquad k_2 = (2, 2) \\qquad k_3 = (0, 3) \\qquad k_4 = (-1, 0)
$$
"""

from coursekit import Picture, choice, numeric, option, quiz

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
                    "product also depends on how long the key is: compute the score of the second "
                    "one.",
                    misconception="angle-only",
                ),
                "b": option(
                    "$k_3$: it is the longest",
                    failure_message="It is the longest, 3, but at a right angle. Only the part "
                    "along the query counts, and that is 0.",
                    misconception="length-only",
                ),
                "c": option(
                    "$k_2$: it is 45° off, but long",
                    correct=True,
                    success_message="Yes: 1 · 2 + 0 · 2 = 2, and the key in the query's own "
                    "direction scores 1.5. Length counts.",
                ),
                "d": option(
                    "$k_4$: it points the opposite way",
                    failure_message="For that reason its score is negative: −1.",
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
            mistakes={
                "length": 3,
                "minus-one": -1,
                "first": 1.5,
                "second": 2,
                "exponential": 1,
                "sum": 4,
            },
        ),
        numeric(
            "weight_of_orthogonal",
            "And which **weight** does $k_3$ get? Two decimals are enough. The four exponentials "
            "are 4.482, 7.389, 1 and 0.368.",
            answer=0.0755,
            tolerance=0.006,
            picture=Picture(
                "weights",
                ["key 1", "key 2", "key 3", "key 4"],
                {
                    "quarter": [0.25, 0.25, 0.25, 0.25],
                    "not-normalised": [4.482, 7.389, 1, 0.368],
                    "right": [0.339, 0.558, 0.076, 0.028],
                },
            ),
            success_message="1 / 13.239. A score of 0 does not make a weight of 0: the fourth key, "
            "with a score of −1, gets less.",
            mistakes={
                "zero": 0,
                "quarter": 0.25,
                "not-normalised": 1,
                "of-the-fourth": 0.0278,
                "of-the-first": 0.3386,
                "of-the-second": 0.5581,
                "percent": 7.55,
                "whole-percent": 8,
                "one-decimal": 0.1,
            },
        ),
    ],
    hints=[
        "Compute the four dot products first.",
        "They are 1.5, 2, 0 and −1. The exponentials sum to 13.239.",
    ],
    misconceptions={
        "length": "3 is the length of the key. The dot product counts only the part along the "
        "query.",
        "minus-one": "−1 is the score of the fourth key, which points the other way.",
        "first": "1.5 is the score of the first key.",
        "second": "2 is the score of the second key.",
        "exponential": "1 is the exponential of the score. The score itself is the dot product.",
        "sum": "4 is the sum of all components. The dot product multiplies them in pairs first.",
        "zero": "The score is 0; the weight is not, because e⁰ = 1. Only a score of −∞ gives a "
        "weight of 0.",
        "quarter": "A quarter would need four equal scores.",
        "not-normalised": "1 is the exponential. Divide it by the sum of all four.",
        "of-the-fourth": "That is the weight of the fourth key.",
        "of-the-first": "That is the weight of the first key.",
        "of-the-second": "That is the weight of the second key.",
        "percent": "That is the weight in percent. As a weight it is 100 times smaller.",
        "whole-percent": "That is the weight in percent. As a weight it is 100 times smaller.",
        "one-decimal": "That is right to one decimal. Give two.",
    },
)
