"""Luong's local attention with $D = 2$: the softmax runs over the keys within 2 of the position
$p_i$. Each weight is then multiplied by the Gaussian $e^{-(j - p_i)^2 / 2 \\sigma^2}$.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-local-sums",
    chapter="soft-and-hard",
    title="Predict: the sum of a row",
    questions=[
        choice(
            "row_sum",
            "What does a row of the resulting weights sum to?",
            {
                "a": option(
                    "to 1, as always after a softmax",
                    failure_message="They do so after the softmax. The Gaussian comes later and "
                    "multiplies the weights by numbers up to 1.",
                    misconception="still-one",
                ),
                "b": option(
                    "to more than 1 where the window has many keys",
                    failure_message="The softmax makes the sum 1, and the Gaussian is never larger "
                    "than 1.",
                    misconception="more-than-one",
                ),
                "c": option(
                    "to less than 1",
                    correct=True,
                    success_message="Yes: the Gaussian is below 1 everywhere except at the "
                    "position itself, and the weights are not renormalised.",
                ),
            },
        )
    ],
    hints=["Which values can the Gaussian have?"],
)
