"""Answer three questions on earlier chapters from memory. If you are not sure, guess."""

from coursekit import choice, option, quiz

quiz(
    id="recall-gpt-and-bert",
    chapter="gpt-and-bert",
    title="Before you start",
    questions=[
        choice(
            "shift",
            "A decoder is trained on a b c (end). What is its input?",
            {
                "a": option(
                    "a b c (end)",
                    failure_message="Then the token to be predicted is already in the input.",
                    misconception="not-shifted",
                ),
                "b": option(
                    "a b c",
                    failure_message="Then there is nothing to predict the first token from, and "
                    "four predictions need four positions.",
                    misconception="no-begin",
                ),
                "c": option(
                    "(begin) a b c",
                    correct=True,
                    success_message="Yes: the token before the one to be predicted, at each "
                    "position.",
                ),
            },
        ),
        choice(
            "stream",
            "What does a sublayer do to the residual stream?",
            {
                "a": option(
                    "it adds something to it",
                    correct=True,
                    success_message="Yes. What came before is still a summand of it.",
                ),
                "b": option(
                    "it replaces it",
                    failure_message="Without the sum, every layer would have to pass on what later "
                    "layers need.",
                    misconception="stream-replaced",
                ),
                "c": option(
                    "it appends features to it",
                    failure_message="The width stays d_model. The result is added.",
                    misconception="stream-concatenated",
                ),
            },
        ),
        choice(
            "unit",
            "A model gives the right token a probability of 1/8. What is its cross-entropy there, "
            "in nats?",
            {
                "a": option(
                    "1/8",
                    failure_message="The loss is minus the logarithm of the probability.",
                    misconception="probability-as-loss",
                ),
                "b": option("ln 8 ≈ 2.08", correct=True, success_message="Yes: −ln(1/8)."),
                "c": option(
                    "7/8",
                    failure_message="That is the probability of all other tokens. The loss is "
                    "minus the logarithm of the right token's.",
                    misconception="error-as-loss",
                ),
                "d": option(
                    "3",
                    failure_message="That is the logarithm to base 2: 3 bits. Nats use the natural "
                    "logarithm.",
                    misconception="bits-for-nats",
                ),
            },
        ),
    ],
)
