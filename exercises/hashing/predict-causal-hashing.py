"""64 tokens attend by hashing with a causal mask: no token puts weight on a later one. Now token 40
is changed, and the outputs of tokens 0 to 39 are compared with the old ones.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-causal-hashing",
    chapter="hashing",
    title="Predict: an edit at token 40",
    questions=[
        choice(
            "what_moves",
            "Which change to token 40 can change the outputs of *earlier* tokens: another value, "
            "or another query-and-key vector?",
            {
                "a": option(
                    "Neither: the mask is causal",
                    failure_message="No weight goes to token 40. But which keys an earlier token "
                    "meets depends on how *all* tokens are sorted into chunks.",
                    misconception="no-weight-no-effect",
                ),
                "b": option(
                    "Both",
                    failure_message="A value has an effect only through a weight, and no earlier "
                    "token puts weight on token 40.",
                    misconception="value-leaks",
                ),
                "c": option(
                    "Its value only",
                    failure_message="A value has an effect only through a weight. What decides "
                    "into which bucket token 40 falls?",
                    misconception="only-value",
                ),
                "d": option(
                    "Its query-and-key vector only",
                    correct=True,
                    success_message="Yes: in another bucket, token 40 shifts the borders of "
                    "chunks, "
                    "so earlier tokens meet other keys.",
                ),
            },
        )
    ],
    hints=["What does the sorted row look like when one token falls into another bucket?"],
)
