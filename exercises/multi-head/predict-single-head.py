"""A model with one head has to find two words of a sentence with one row of weights: the first,
which has the gender, and the verb at the end. To each score the head adds a number that grows or
falls with the position. Training may change how fast. One model starts with a preference for the
beginning of the sentence, another one with a preference for its end.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-single-head",
    chapter="multi-head",
    title="Predict: one head for two tasks",
    questions=[
        choice(
            "what_it_does",
            "What does the single head learn?",
            {
                "a": option(
                    "In both runs it attends to one of the two and guesses the other",
                    failure_message="That happens in one of the two runs. In the other the weight "
                    "is divided between the two.",
                    misconception="always-one",
                ),
                "b": option(
                    "In both runs it divides its weight between the two",
                    failure_message="That happens in one of the two runs. In the other the head "
                    "never finds the gender.",
                    misconception="always-both",
                ),
                "c": option(
                    "It depends on where its preference starts",
                    correct=True,
                    success_message="Yes: one head attends to the verb alone, the other divides "
                    "its weight.",
                ),
                "d": option(
                    "Neither: it attends to the words between them",
                    failure_message="The words between them contain neither of the two.",
                    misconception="neither",
                ),
            },
        ),
    ],
    hints=["Training changes the slopes step by step, from where they start."],
)
