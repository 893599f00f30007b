"""Two decoders predict French sentences without an encoder. Each has 12 layers of causal
self-attention and a feed-forward network; one has the norm first in each of these sublayers, the
other has it last. Both are trained on the same data with Adam, which divides each parameter's step
by the usual size of its gradient. The learning rate never changes.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-norm",
    chapter="transformer",
    title="Predict: which of the two learns?",
    version=3,
    questions=[
        choice(
            "which",
            "In the first, x + f(Norm(x)), the residual stream is never normalised between the "
            "layers. In the second, Norm(x + f(x)), it is normalised 24 times. The learning rate "
            "is 0.003. Where do they stand after 400 steps?",
            {
                "a": option(
                    "the first has diverged, as its stream grows; the second has learned",
                    failure_message="The first model's stream does grow. But each sublayer sees a "
                    "normalised copy, and the gradient reaches every layer through the sums.",
                    misconception="growth-diverges",
                ),
                "b": option(
                    "the first has learned; the second is hardly better than guessing by frequency",
                    correct=True,
                    success_message="Yes. The figure shows how far apart they are.",
                ),
                "c": option(
                    "both have learned, and equally well",
                    failure_message="With 4 layers, both do learn. With 12, at this rate and after "
                    "400 steps, the second has not.",
                    misconception="place-irrelevant",
                ),
                "d": option(
                    "neither has learned: both need a rate that rises slowly from 0",
                    failure_message="Only one of them benefits from that. The gradient of the "
                    "other reaches every layer through the sums, and its first steps can be "
                    "large.",
                    misconception="always-warm-up",
                ),
            },
        ),
    ],
    hints=[
        "In which of the two can a gradient get from the last layer to the first without passing a "
        "norm?"
    ],
)
