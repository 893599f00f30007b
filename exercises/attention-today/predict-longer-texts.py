"""A model with rotary positions was trained on texts of 32 tokens. To look up values, one of its
heads attends to the token directly before. It now reads texts of 128 tokens, with no further
training: as it is, or with its frequencies lowered in one of three ways.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-longer-texts",
    chapter="attention-today",
    title="Predict: four times as long",
    hints=["What happens to the angle between two neighbouring tokens in each of the three ways?"],
    questions=[
        choice(
            "worst",
            "Which of the four looks up the fewest values?",
            {
                "a": option(
                    "No scaling: angles occur that never occurred in training.",
                    failure_message="Only the slow hands reach new angles. A head that attends to "
                    "the previous token uses the fast ones, which have passed through all angles.",
                    misconception="unscaled-is-worst",
                ),
                "b": option(
                    "Linear scaling: all distances shrink to a quarter, even between neighbours.",
                    correct=True,
                    success_message="Yes. The previous token now stands at a distance of 1/4, "
                    "which never occurred in training, and the head that looked for it misses it. "
                    "Nothing that builds on this head works then.",
                ),
                "c": option(
                    "NTK-aware scaling: only the first frequency is as in training.",
                    failure_message="The fast ones are lowered only a little, so the angles of "
                    "neighbours hardly change, and the slow ones stay within known angles.",
                    misconception="ntk-is-worst",
                ),
                "d": option(
                    "YaRN: it also makes the scores larger.",
                    failure_message="Larger scores sharpen the softmax, since more keys compete. "
                    "The order of the keys stays the same.",
                    misconception="sharpening-hurts",
                ),
            },
        )
    ],
)
