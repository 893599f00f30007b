"""Three models learn to look up one of 8 pairs, with plain scores, QK-norm or a soft cap of 10.
Each is trained at eight learning rates, from 0.003 to 10.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-learning-rate",
    chapter="attention-today",
    title="Predict: how high a learning rate?",
    questions=[
        choice(
            "rates",
            "At which rates does QK-norm learn the task when plain scores do not?",
            {
                "a": option(
                    "At low rates: QK-norm learns faster.",
                    failure_message="At low rates the plain model learns the task as well.",
                    misconception="norm-is-faster",
                ),
                "b": option(
                    "From some rate on, however high: it cannot saturate the softmax.",
                    failure_message="It learns up to 2. At 3, two of three models fail, although "
                    "their queries and keys are normalised.",
                    misconception="norm-has-no-limit",
                ),
                "c": option(
                    "At all rates: without a limit, scores always grow too large.",
                    failure_message="At low rates the plain model learns the task, and its "
                    "scores stay moderate.",
                    misconception="plain-never-learns",
                ),
                "d": option(
                    "In a window of rates: plain scores fail first, QK-norm later.",
                    correct=True,
                    success_message="Yes: plain scores fail from 0.3 on in one seed and at 1 in "
                    "all; QK-norm fails at 3 in two of three. Plain scores also grow huge; we have "
                    "not shown that this is why they fail.",
                ),
            },
        )
    ],
)
