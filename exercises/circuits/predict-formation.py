"""Model B is trained on texts of many periods. It ends up with the two heads described above, a
previous-token head and an induction head. We look at the model again and again during training.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-formation",
    chapter="circuits",
    title="Predict: which head comes first?",
    questions=[
        choice(
            "order",
            "How do the two heads form?",
            {
                "a": option(
                    "The previous-token head first, hundreds of steps before the other",
                    failure_message="What would reward it? While no head of layer 2 reads what it "
                    "writes, looking at the previous token hardly lowers the loss on random "
                    "texts.",
                    misconception="layer-by-layer",
                ),
                "b": option(
                    "The induction head first, hundreds of steps before the other",
                    failure_message="It compares the current token with what layer 1 has written. "
                    "Before anything is written, it has nothing to find.",
                    misconception="last-layer-first",
                ),
                "c": option(
                    "Both at about the same time",
                    correct=True,
                    success_message="Yes: each is rewarded only to the extent that the other is "
                    "there. A little of both makes more of both worthwhile.",
                ),
            },
        ),
        choice(
            "shape",
            "So what shape does the loss curve in the repeats have?",
            {
                "a": option(
                    "It falls evenly from the first step to the last",
                    failure_message="As long as neither head is of use without the other, there is "
                    "hardly a direction in which the loss falls.",
                    misconception="even-progress",
                ),
                "b": option(
                    "A long plateau near the loss of guessing, then a steep fall",
                    correct=True,
                    success_message="Yes. On the plateau little can be seen from outside; the fall "
                    "begins when the two heads begin to fit together.",
                ),
                "c": option(
                    "Two equal steps down, one for each head",
                    failure_message="A step for one head alone would mean that it is of use alone.",
                    misconception="one-step-per-head",
                ),
            },
        ),
    ],
    hints=[
        "Suppose that one of the two heads were complete and the other did not exist. Which "
        "tokens could the model predict that it could not predict before?"
    ],
)
