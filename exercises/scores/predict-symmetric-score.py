"""Three tokens $x_1, x_2, x_3$ are compared with each other by the general score
$s(x_i, x_j) = x_i^\\top W x_j$, where $W$ is a square matrix.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-symmetric-score",
    chapter="scores",
    title="Predict: does the direction matter?",
    questions=[
        choice(
            "symmetric",
            "When is $s(x_1, x_2) = s(x_2, x_1)$ for all tokens?",
            {
                "a": option(
                    "always, as with a dot product",
                    failure_message="Swapping the tokens has the same effect as transposing W.",
                    misconception="always-symmetric",
                ),
                "b": option(
                    "never",
                    failure_message="Take W as the identity: the score is then the dot product, "
                    "which is symmetric.",
                    misconception="never-symmetric",
                ),
                "c": option(
                    "if W is symmetric",
                    correct=True,
                    success_message="Yes: swapping the tokens has the same effect as transposing "
                    "W.",
                ),
                "d": option(
                    "if W is invertible",
                    failure_message="Take W = [[0, 1], [−1, 0]]: it is invertible, and swapping "
                    "the tokens changes the sign.",
                    misconception="invertible",
                ),
            },
        )
    ],
    hints=["A number equals its own transpose. What is the transpose of $x_1^\\top W x_2$?"],
)
