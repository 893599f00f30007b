"""Self-attention, one layer, no mask, five tokens. The five rows of `x` are shuffled: *dog bites
man today again* becomes *man again bites dog today*. The weight matrices stay.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-shuffle",
    chapter="positions",
    title="Predict: a shuffled sentence",
    questions=[
        choice(
            "rows",
            "What happens to the five rows of the output?",
            {
                "a": option(
                    "They are the same rows as before, shuffled in the same way",
                    correct=True,
                    success_message="Yes. Each word finds the same keys and values, only in "
                    "another order, and a sum does not see the order.",
                ),
                "b": option(
                    "They stay where they were",
                    failure_message="Row 0 belongs to the token in row 0, which is a different "
                    "one now.",
                    misconception="rows-stay",
                ),
                "c": option(
                    "They change: every word has other neighbours now",
                    failure_message="It has the same words around it. No number that it sees "
                    "says that one of them stands next to it.",
                    misconception="neighbours-matter",
                ),
                "d": option(
                    "They change, since the weights of a row must sum to 1 again",
                    failure_message="They sum to 1 before and after; they are the same weights in "
                    "another order.",
                    misconception="softmax-sees-order",
                ),
            },
        ),
        choice(
            "who_bites",
            "A classifier takes the mean of the output rows. Can it tell *dog bites man* from *man "
            "bites dog*?",
            {
                "a": option(
                    "Yes: the weights between *dog* and *bites* say who bites",
                    failure_message="These weights are the same in both sentences.",
                    misconception="weights-tell",
                ),
                "b": option(
                    "Yes, with enough layers",
                    failure_message="Each layer passes shuffled rows on to the next, which "
                    "shuffles them as well. No number of layers adds what none has.",
                    misconception="depth-helps",
                ),
                "c": option(
                    "No: both give the same mean",
                    correct=True,
                    success_message="Yes. The rows are the same in another order, and their mean "
                    "is the same.",
                ),
            },
        ),
    ],
    hints=[
        "Write down what the query of *bites* is compared with, in both sentences.",
        "An output is a sum over keys. Does a sum depend on the order of its terms?",
    ],
)
