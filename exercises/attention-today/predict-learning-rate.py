"""Three models learn to look up one of 8 pairs: plain scores, QK-norm, a soft cap of 10. Their
highest learning rate is 0.003, 0.01, 0.03, 0.1, 0.3 or 1.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-learning-rate",
    chapter="attention-today",
    title="Predict: how high a learning rate?",
    questions=[
        choice(
            "rates",
            "Where do the three differ?",
            {
                "a": option(
                    "At low rates: QK-norm learns faster.",
                    failure_message="At low rates scores stay moderate by themselves. There is "
                    "nothing for the norm to limit.",
                    misconception="norm-is-faster",
                ),
                "b": option(
                    "Nowhere: one layer is too small for that.",
                    failure_message="A single step at a high rate can make queries and keys long, "
                    "in one layer as well as in many.",
                    misconception="only-deep-models",
                ),
                "c": option(
                    "At all rates: without a limit, scores always overflow.",
                    failure_message="They grow with the size of the steps. At low rates the plain "
                    "model learns the task.",
                    misconception="plain-never-learns",
                ),
                "d": option(
                    "At the highest rates: plain scores grow until the softmax is saturated.",
                    correct=True,
                    success_message="Yes. Large steps make long queries and keys. Once all weights "
                    "are 0 or 1, hardly any gradient says which way is better.",
                ),
            },
        ),
    ],
)
