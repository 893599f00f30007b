"""Two models of 12 layers, one with the norm first in each sublayer and one with the norm last.
Both are trained for 400 steps with the same data and the optimiser Adam, at a learning rate of
0.003 from the first step to the last.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-norm",
    chapter="transformer",
    title="Predict: which of the two learns?",
    questions=[
        choice(
            "which",
            "In the first, x + f(Norm(x)), the residual stream is never normalised between the "
            "layers. In the second, Norm(x + f(x)), it is normalised 24 times. What happens in "
            "training?",
            {
                "a": option(
                    "the first diverges, as its stream grows; the second learns",
                    failure_message="The stream of the first does grow. But each sublayer sees its "
                    "normalised copy, and the gradient reaches every layer through the sums.",
                    misconception="growth-diverges",
                ),
                "b": option(
                    "the first learns; the second is stuck",
                    correct=True,
                    success_message="Yes. The figure shows how far.",
                ),
                "c": option(
                    "both learn, and equally well",
                    failure_message="That is what one sees with few layers or small learning "
                    "rates. 12 layers are enough to tell them apart.",
                    misconception="place-irrelevant",
                ),
                "d": option(
                    "neither learns, unless the learning rate rises slowly from 0",
                    failure_message="Such a warm-up helps one of them. The other does without.",
                    misconception="always-warm-up",
                ),
            },
        ),
    ],
    hints=[
        "Through which of the two does a gradient reach the first layer without passing a norm?"
    ],
)
