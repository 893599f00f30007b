"""You see only the figure above: the held-out losses of the four runs. Its axis ends at 3, and run
C starts above that. One number helps: you can compute it from the description of the language.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-run-to-keep",
    chapter="workshop",
    title="Predict: which run has no fault?",
    recalled=False,
    questions=[
        choice(
            "keep",
            "Which of the four runs used the program without a fault?",
            {
                "a": option(
                    "run A: it has the lowest loss, and on text that it has never seen",
                    failure_message="What is the loss of a model that knows the two allowed tokens "
                    "but cannot know which of them comes? No honest run gets below that loss.",
                    misconception="lowest-is-best",
                ),
                "b": option(
                    "run B: it falls steadily and ends at 0.70",
                    correct=True,
                    success_message="Yes. With two equally likely tokens, the best loss is ln 2, "
                    "which is 0.69 nats. Run B gets there smoothly.",
                ),
                "c": option(
                    "run C: it ends where B ends, and it took longer to learn",
                    failure_message="In the end, its model is as good as run B's. But after its "
                    "first step, its loss is 22 nats, whereas guessing blindly gives ln 11 = 2.40.",
                    misconception="spike-is-normal",
                ),
                "d": option(
                    "run D: it learns slowly, and then very well",
                    failure_message="Its loss of 0.04 means that it gives the next token a "
                    "probability of 0.96, but the language allows two tokens.",
                    misconception="held-out-is-proof",
                ),
            },
        )
    ],
    hints=[
        "Two tokens are equally likely each time. What probability does the best model give to the "
        "next token, and what is its loss?"
    ],
)
