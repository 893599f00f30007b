"""Three kinds of head are trained on whole texts, each of which begins with the mark: a plain one;
one with a learned sink $b$, which starts at 0; one with a gate, which starts near one half.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-abstain",
    chapter="attention-today",
    title="Predict: who still needs the first token?",
    questions=[
        choice(
            "needs_first",
            "After training, which heads predict badly without the mark?",
            {
                "a": option(
                    "The plain one only",
                    failure_message="The sink *allows* abstaining. But the mark was there in every "
                    "training text and does the same job: what training finds first is used.",
                    misconception="can-means-does",
                ),
                "b": option(
                    "The plain one and the one with the sink",
                    correct=True,
                    success_message="Yes. With a mark in every text, training has two ways to put "
                    "weight where it does no harm, and here it used the mark. The gate works after "
                    "the softmax, whatever the weights are.",
                ),
                "c": option(
                    "The plain one and the one with the gate",
                    failure_message="A gate near 0 removes whatever the head returns, so what the "
                    "weights fall on matters little.",
                    misconception="gate-does-not-help",
                ),
                "d": option(
                    "All three, equally",
                    failure_message="One of them can close after the softmax, and then it matters "
                    "little where the weights are.",
                    misconception="nothing-helps",
                ),
            },
        ),
    ],
)
