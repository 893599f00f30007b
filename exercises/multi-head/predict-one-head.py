"""Four tokens; each value says two things, *(gender of the French word, verb)*:

| | the apple | behind the wall | had been | picked |
|---|---|---|---|---|
| value | $(1, 0)$ | $(-1, 0)$ | $(0, 0)$ | $(0, 3)$ |

To write *ramassée* we need the gender of *pomme*, 1, and the number of the verb, 3: $(1, 3)$.
There is one query, so there is one row of weights.
"""

from coursekit import Picture, choice, numeric, option, quiz

quiz(
    id="predict-one-head",
    chapter="multi-head",
    title="Predict: one row of weights, two things wanted",
    questions=[
        numeric(
            "half_and_half",
            "The row puts 0.5 on *the apple* and 0.5 on *picked*. What is the output? Write the "
            "two numbers.",
            answer=[0.5, 1.5],
            tolerance=0.001,
            picture=Picture(
                "weights",
                ["the apple", "the wall", "had been", "picked"],
                {
                    "only-verb": [0, 0, 0, 1],
                    "no-apple": [0, 0, 0, 0.5],
                    "divided-again": [0.25, 0, 0, 0.25],
                    "only-apple": [1, 0, 0, 0],
                    "verb-in-full": [0.5, 0, 0, 1],
                    "apple-in-full": [1, 0, 0, 0.5],
                    "right": [0.5, 0, 0, 0.5],
                },
            ),
            success_message="Each value counts half: the output holds half of each number.",
            mistakes={
                "sum": [1.0, 3.0],
                "only-verb": [0.0, 3.0],
                "swapped": [1.5, 0.5],
                "no-apple": [0.0, 1.5],
                "divided-again": [0.25, 0.75],
                "only-apple": [1.0, 0.0],
                "verb-in-full": [0.5, 3.0],
                "apple-in-full": [1.0, 1.5],
            },
        ),
        choice(
            "best_row",
            "Which row of weights gives exactly $(1, 3)$?",
            {
                "a": option(
                    "$(0.5, 0, 0, 0.5)$",
                    failure_message="That gives (0.5, 1.5), as you have just worked out.",
                    misconception="half-is-whole",
                ),
                "b": option(
                    "$(1, 0, 0, 1)$",
                    failure_message="It would, but its weights sum to 2, and the weights that a "
                    "softmax "
                    "gives sum to 1.",
                    misconception="sums-to-two",
                ),
                "c": option(
                    "None",
                    correct=True,
                    success_message="Yes. The output is a mean of the four values, and (1, 3) lies "
                    "outside the area that they span.",
                ),
                "d": option(
                    "A sharper one, with scores ten times as large",
                    failure_message="Sharper weights go to one value: (1, 0) or (0, 3). Neither "
                    "is both.",
                    misconception="sharper-is-both",
                ),
            },
        ),
    ],
    hints=["Multiply each value by its weight, then add: $0.5 \\cdot (1, 0) + 0.5 \\cdot (0, 3)$."],
    misconceptions={
        "sum": "You added the two values. Their weights are 0.5 each, so the output holds half of "
        "each.",
        "only-verb": "That would be a weight of 1 on *picked* and none on *the apple*.",
        "no-apple": "The second number is right. The first is 0.5 · 1: the weight of *behind the "
        "wall*, whose value would cancel it, is 0.",
        "divided-again": "That is half of the weighted sum. The weights 0.5 and 0.5 sum to 1, so "
        "the sum is a mean already.",
        "only-apple": "That would be a weight of 1 on *the apple* and none on *picked*.",
        "verb-in-full": "The first number is right. The second is 0.5 · 3.",
        "apple-in-full": "The second number is right. The first is 0.5 · 1.",
        "swapped": "The two numbers are exchanged: the first one is the gender.",
    },
)
