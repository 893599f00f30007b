"""A token's query comes out as the zero vector: $q = (0, 0)$."""

from coursekit import Picture, choice, option, quiz

quiz(
    id="predict-zero-query",
    chapter="queries-keys-values",
    title="Predict: the zero query",
    questions=[
        choice(
            "zero_query",
            "What does attention return for it?",
            {
                "a": option(
                    "The plain mean of all values",
                    correct=True,
                    success_message="Yes. Every score is 0, so every key gets the same weight. "
                    "Attention always returns a mixture.",
                ),
                "b": option(
                    "The zero vector",
                    failure_message="That would need weights of 0. All scores are 0, but the "
                    "weights that the softmax makes of them sum to 1.",
                    misconception="zero-scores-zero-weights",
                ),
                "c": option(
                    "The value of the first key",
                    failure_message="That is what an arg max does on a tie. The softmax gives "
                    "equal scores equal weights.",
                    misconception="tie-takes-first",
                ),
                "d": option(
                    "`nan`, a division by zero",
                    failure_message="The sum in the denominator is not zero: each key adds e⁰ = 1.",
                    misconception="divides-by-zero",
                ),
            },
            picture=Picture(
                "weights",
                ["key 1", "key 2", "key 3", "key 4"],
                {
                    "zero-scores-zero-weights": [0, 0, 0, 0],
                    "tie-takes-first": [1, 0, 0, 0],
                    "right": [0.25, 0.25, 0.25, 0.25],
                },
            ),
        ),
    ],
)
